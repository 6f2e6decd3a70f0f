import { describe, expect, it } from 'vitest';
import { openMedia } from '#appliance/io/media-worker/index.ts';
import type { LegOpening, MediaEvent } from '#appliance/media/control/index.ts';
import { must } from '#test/support/media.ts';
import { socketPhone, until } from './socket-phone.ts';

const setting = { workers: 1, host4: '127.0.0.1', warmUpMs: 0, log: () => {} };

describe('what the workers admit', { timeout: 60_000 }, () => {
  it('is 500 ordinary legs each, and alarms and the other side of calls up to 800', async () => {
    const ports = { from: 43_000, to: 44_999 };
    const media = await openMedia({ ...setting, ports, tooLateMs: 60_000 });
    const open = (leg: string, change: Partial<LegOpening> = {}) =>
      media.openLeg({ leg, profile: 'ordinary', family: 4, ...change });
    try {
      for (let n = 0; n < 500; n++) must(await open(`o${n}`));
      expect(await open('o500')).toMatchObject({ ok: false, error: { code: 'Overload' } });
      for (let n = 0; n < 299; n++) must(await open(`a${n}`, { profile: 'alarm' }));
      must(await open('near', { near: 'o0' }));
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

  it('is no new call while the worker is late, but alarms, and those that run go on', async () => {
    const events: MediaEvent[] = [];
    // Whatever it does comes too late.
    const media = await openMedia({ ...setting, ports: { from: 45_000, to: 45_099 }, tooLateMs: -1 });
    media.onEvent = (event) => events.push(event);
    const { phone, close } = await socketPhone();
    try {
      const { port } = must(await media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
      must(await media.updateLeg('a', phone.stream()));
      phone.talkTo(port);
      await until('the overload', () => events.some(({ kind }) => kind === 'overload'));
      expect(events.filter(({ kind }) => kind === 'overload')).toEqual([
        { kind: 'overload', worker: 0, on: true },
      ]);
      expect(await media.openLeg({ leg: 'b', profile: 'ordinary', family: 4 })).toMatchObject({
        ok: false,
        error: { code: 'Overload' },
      });
      must(await media.openLeg({ leg: 'b', profile: 'alarm', family: 4 }));
      must(await media.openLeg({ leg: 'c', profile: 'ordinary', family: 4, near: 'a' }));
      const before = phone.packets.length;
      await until('audio of the call that runs', () => phone.packets.length > before + 20);
    } finally {
      close();
      await media.close();
    }
  });
});
