import { describe, expect, it } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import type { LegOpening, MediaEvent } from '#appliance/media/control/index.ts';
import { must } from '#test/support/media.ts';
import { socketPhone, until } from './socket-phone.ts';

const setting = { workers: 1, host4: '127.0.0.1', warmUpMs: 0, log: () => {} };
/** The tests beside this one may load the machine with threads of this process. */
const saturatedShare = Number.POSITIVE_INFINITY;

describe('admission by the workers', { timeout: 60_000 }, () => {
  it('is 500 ordinary legs each, the other side of calls up to 750, and alarms up to 800', async () => {
    const ports = { from: 43_000, to: 44_999 };
    const media = await openMedia({ ...setting, ports, tooLateMs: 60_000, saturatedShare });
    const open = (leg: string, change: Partial<LegOpening> = {}) =>
      media.openLeg({ leg, profile: 'ordinary', family: 4, ...change });
    try {
      expect(media.freeLegs()).toEqual({ ordinary: 500, alarm: 800 });
      for (let n = 0; n < 500; n++) must(await open(`o${n}`));
      expect(await open('o500')).toMatchObject({
        error: { code: 'Overload', retryAfterS: 5, freeLegs: { ordinary: 0, alarm: 300 } },
      });
      for (let n = 0; n < 249; n++) must(await open(`a${n}`, { profile: 'alarm' }));
      must(await open('near', { near: 'o0' }));
      expect(await open('more', { near: 'o0' })).toMatchObject({ error: { code: 'Overload' } });
      for (let n = 0; n < 50; n++) must(await open(`last${n}`, { profile: 'alarm' }));
      for (const change of [{ profile: 'alarm' }, { near: 'o0' }, {}] as const)
        expect(await open('more', change)).toMatchObject({ ok: false, error: { code: 'Overload' } });
      must(await media.closeLeg('o1'));
      expect(await open('more')).toMatchObject({ ok: false, error: { code: 'Overload' } });
      must(await open('more', { profile: 'alarm' }));
      expect((await media.load()).map((load) => load?.legs)).toEqual([800]);
    } finally {
      await media.close();
    }
  });

  it('is every call while the worker is late with up to five legs: a warning, and that is all', async () => {
    const events: MediaEvent[] = [];
    const logged: unknown[] = [];
    // All of its work comes too late.
    const media = await openMedia({
      ...setting,
      ports: { from: 28_400, to: 28_499 },
      tooLateMs: -1,
      log: (level, event, _, detail) => logged.push({ level, event, kind: detail?.kind }),
    });
    media.events.add((event) => events.push(event));
    const { phone, close } = await socketPhone();
    try {
      const { port } = must(await media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
      must(await media.updateLeg('a', phone.stream()));
      phone.talkTo(port);
      await until('the lateness', () => events.some(({ kind }) => kind === 'late'));
      expect(await media.load()).toMatchObject([{ late: true, overloaded: false }]);
      expect(logged).toContainEqual({ level: 'warn', event: 'media_worker.late', kind: 'mediaWorkerLate' });
      for (const leg of ['b', 'c', 'd', 'e', 'f'])
        must(await media.openLeg({ leg, profile: 'ordinary', family: 4 }));
      const before = phone.packets.length;
      await until('audio of the call that runs', () => phone.packets.length > before + 20);
      expect(events.filter(({ kind }) => kind === 'overload')).toEqual([]);
      expect(media.freeLegs()).toEqual({ ordinary: 41, alarm: 44 });
    } finally {
      close();
      await media.close();
    }
  });

  it('is no new ordinary call while its own load is too much, but alarms and the other side of calls', async () => {
    const events: MediaEvent[] = [];
    const logged: unknown[] = [];
    // Any use of the processor is too much, with two legs or more.
    const media = await openMedia({
      ...setting,
      ports: { from: 28_500, to: 28_599 },
      tooLateMs: 60_000,
      saturatedShare: 0,
      legs: { sure: 2 },
      log: (level, event, _, detail) => logged.push({ level, event, kind: detail?.kind }),
    });
    media.events.add((event) => events.push(event));
    const open = (leg: string, change: Partial<LegOpening> = {}) =>
      media.openLeg({ leg, profile: 'ordinary', family: 4, ...change });
    const overloads = () => events.flatMap((event) => (event.kind === 'overload' ? [event.on] : []));
    try {
      must(await open('a'));
      must(await open('b'));
      await until('the overload', () => overloads().length > 0);
      expect(logged).toContainEqual({
        level: 'warn',
        event: 'media_worker.overloaded',
        kind: 'mediaWorkerOverloaded',
      });
      expect(await open('c')).toMatchObject({
        error: { code: 'Overload', retryAfterS: 10, freeLegs: { ordinary: 0, alarm: 48 } },
      });
      must(await open('alarm', { profile: 'alarm' }));
      must(await open('other', { near: 'a' }));
      for (const leg of ['a', 'b', 'other', 'alarm']) must(await media.closeLeg(leg));
      must(await open('c'));
      await until('the relief', () => overloads().length > 1);
      expect(overloads().slice(0, 2)).toEqual([true, false]);
    } finally {
      await media.close();
    }
  });

  it('leaves the last ports to alarms and emergency calls', async () => {
    // 32 pairs, of which two are kept.
    const media = await openMedia({ ...setting, ports: { from: 28_600, to: 28_663 }, saturatedShare });
    const open = (leg: string, change: Partial<LegOpening> = {}) =>
      media.openLeg({ leg, profile: 'ordinary', family: 4, ...change });
    try {
      for (let n = 0; n < 30; n++) must(await open(`o${n}`));
      for (const change of [{}, { near: 'o0' }])
        expect(await open('more', change)).toMatchObject({
          error: { code: 'NoPort', retryAfterS: 10, freeLegs: { ordinary: 0, alarm: 2 } },
        });
      must(await open('a0', { profile: 'alarm' }));
      must(await open('a1', { urgent: true }));
      expect(await open('a2', { profile: 'alarm' })).toMatchObject({ error: { code: 'NoPort' } });
    } finally {
      await media.close();
    }
  });
});
