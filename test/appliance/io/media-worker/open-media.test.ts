import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import type { MediaEvent } from '#appliance/media/control/index.ts';
import { must } from '#test/support/media.ts';
import { type SocketPhone, socketPhone, until } from './socket-phone.ts';

const PORTS = { from: 41_000, to: 41_099 };

/** The machine of the test may be busy with other things: that is no overload here. */
const tooLateMs = 60_000;

describe('media workers', { timeout: 60_000 }, () => {
  let media: OpenMedia;
  const events: MediaEvent[] = [];
  const phones: SocketPhone[] = [];

  beforeAll(async () => {
    media = await openMedia({
      ports: PORTS,
      workers: 1,
      host4: '127.0.0.1',
      host6: '::1',
      tooLateMs,
      log: () => {},
    });
    media.events.add((event) => events.push(event));
  });
  afterAll(async () => {
    for (const { close } of phones) close();
    await media.close();
  });

  async function leg(name: string) {
    const socket = await socketPhone();
    phones.push(socket);
    const { port, rtcpPort } = must(await media.openLeg({ leg: name, profile: 'ordinary', family: 4 }));
    must(await media.updateLeg(name, socket.phone.stream()));
    expect(port % 2).toBe(0);
    expect(rtcpPort).toBe(port + 1);
    socket.phone.talkTo(port);
    return socket.phone;
  }

  it('carries audio from one leg to the other through real sockets, and detects digits on the path', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    must(await media.connect('a', 'b'));
    await until('audio both ways', () => a.packets.length > 10 && b.packets.length > 10);
    a.press('19#');
    await until('three digits at the other end', () => b.digits.length >= 3);
    expect(b.digits.map(({ digit }) => digit).join('')).toBe('19#');

    must(await media.listen('a', { profile: 'ivr', digits: true, tones: [] }));
    a.press('5');
    const isEnd = (event: MediaEvent) =>
      event.kind === 'digit' && event.edge === 'end' && event.digit === '5';
    await until('a digit event', () => events.some(isEnd));
    const statistics = must(await media.closeLeg('a'));
    expect(statistics.received.packets).toBeGreaterThan(20);
    expect(statistics.received.malformed).toBe(0);
    expect(statistics.sent.packets).toBeGreaterThan(20);
    must(await media.closeLeg('b'));
    expect(await media.stats('b')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
  });

  it('passes over a port another program has', async () => {
    // The next pair in line, one after those of the first test.
    const other = createSocket('udp4');
    other.bind(41_004, '127.0.0.1');
    await once(other, 'listening');
    const opened = must(await media.openLeg({ leg: 'p', profile: 'alarm', family: 4 }));
    expect(opened.port).not.toBe(41_004);
    must(await media.closeLeg('p'));
    other.close();
  });

  it('wakes the worker once for all that one turn asks of it, and keeps the order', async () => {
    const messages = vi.spyOn(Worker.prototype, 'postMessage');
    const names = Array.from({ length: 10 }, (_, index) => `many-${index}`);
    const opened = await Promise.all(
      names.map((name) => media.openLeg({ leg: name, profile: 'alarm', family: 4 })),
    );
    expect(new Set(opened.map((each) => must(each).port)).size).toBe(10);
    expect(messages).toHaveBeenCalledTimes(1);
    // Commands for a leg that is being opened come behind its opening.
    const ports = Promise.all([
      media.openLeg({ leg: 'next', profile: 'alarm', family: 4 }),
      media.listen('next', { profile: 'ivr', digits: true, tones: [] }),
      media.closeLeg('next'),
    ]);
    for (const { ok } of await ports) expect(ok).toBe(true);
    messages.mockRestore();
    await Promise.all(names.map((name) => media.closeLeg(name)));
  });

  it('opens legs of IPv6 and refuses the same name twice', async () => {
    must(await media.openLeg({ leg: 'six', profile: 'alarm', family: 6 }));
    const again = await media.openLeg({ leg: 'six', profile: 'alarm', family: 6 });
    expect(again).toMatchObject({ ok: false, error: { code: 'Refused' } });
    must(await media.closeLeg('six'));
  });

  it('takes commands for a leg whose opening is not answered yet, in order', async () => {
    const opened = media.openLeg({ leg: 'q', profile: 'alarm', family: 4 });
    const updated = media.updateLeg('q', null);
    const closed = media.closeLeg('q');
    const after = media.stats('q');
    expect((await opened).ok).toBe(true);
    expect([(await updated).ok, (await closed).ok, (await after).ok]).toEqual([true, true, false]);
  });

  it('name the lost legs when a worker ends, and start another', async () => {
    const phone = await leg('c');
    must(await media.createConference({ conference: 'k', beep: false }));
    must(await media.join('k', 'c', {}));
    const lasting = must(await media.openLeg({ leg: 'l', profile: 'alarm', family: 4 }));
    await until('audio', () => phone.packets.length > 5);
    events.length = 0;
    await media.crash(0);
    await until('the loss', () => events.some(({ kind }) => kind === 'lost'));
    expect(events.find(({ kind }) => kind === 'lost')).toEqual({
      kind: 'lost',
      worker: 0,
      legs: ['c', 'l'],
      conferences: ['k'],
    });
    // Its ports are free again, though no code in its thread closed them.
    for (const port of [lasting.port, lasting.rtcpPort]) {
      const other = createSocket('udp4');
      other.bind(port, '127.0.0.1');
      await once(other, 'listening');
      other.close();
    }
    expect(await media.stats('c')).toMatchObject({ ok: false, error: { code: 'Unknown' } });
    const whileStarting = await media.openLeg({ leg: 'd', profile: 'ordinary', family: 4 });
    expect(whileStarting).toMatchObject({ ok: false, error: { code: 'Overload' } });

    let again: SocketPhone['phone'] | undefined;
    const started = async () => {
      for (;;) {
        const [load] = await media.load();
        if (load !== undefined) return load;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    };
    expect((await started()).legs).toBe(0);
    again = await leg('e');
    await until('audio through the new worker', () => (again?.packets.length ?? 0) > 5);
    must(await media.closeLeg('e'));
  });
});

describe('a worker without legs', { timeout: 60_000 }, () => {
  it('sleeps, and wakes for the next leg', async () => {
    const ports = { from: 41_200, to: 41_219 };
    const media = await openMedia({ ports, workers: 1, host4: '127.0.0.1', tooLateMs, log: () => {} });
    const socket = await socketPhone();
    try {
      await media.load();
      // A timer every 5 ms costs some 3 % in each half second; compilation and collection cost it in the first ones only.
      await expect
        .poll(async () => (await media.load())[0]?.cpuShare, { interval: 500, timeout: 20_000 })
        .toBeLessThan(0.01);
      for (const name of ['a', 'b']) {
        const { port } = must(await media.openLeg({ leg: name, profile: 'ordinary', family: 4 }));
        must(await media.updateLeg(name, socket.phone.stream()));
        socket.phone.talkTo(port);
        const before = socket.phone.packets.length;
        await until('audio', () => socket.phone.packets.length > before + 5);
        must(await media.closeLeg(name));
      }
    } finally {
      socket.close();
      await media.close();
    }
  });
});

describe('media ports', { timeout: 60_000 }, () => {
  it('says so when all are used', async () => {
    const ports = { from: 41_200, to: 41_201 };
    const media = await openMedia({
      ports,
      workers: 1,
      host4: '127.0.0.1',
      warmUpMs: 0,
      tooLateMs,
      log: () => {},
    });
    must(await media.openLeg({ leg: 'a', profile: 'ordinary', family: 4 }));
    const second = await media.openLeg({ leg: 'b', profile: 'ordinary', family: 4 });
    expect(second).toMatchObject({ ok: false, error: { code: 'NoPort' } });
    must(await media.closeLeg('a'));
    // The pair rests.
    const third = await media.openLeg({ leg: 'c', profile: 'ordinary', family: 4 });
    expect(third).toMatchObject({ ok: false, error: { code: 'NoPort' } });
    await media.close();
  });
});
