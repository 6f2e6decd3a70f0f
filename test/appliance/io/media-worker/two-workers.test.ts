import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type OpenMedia, openMedia } from '#appliance/io/media-worker/index.ts';
import { FRAME_SAMPLES, RingReader, ringMemory } from '#appliance/media/audio/index.ts';
import type { MediaEvent, ParticipantSetting } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, preparedPrompt } from '#test/support/media.ts';
import type { Phone } from '#test/support/phone.ts';
import { levelAt } from '../../media/engine/sound.ts';
import { socketPhone, until } from './socket-phone.ts';

/** A frame in which another tone begins has a little of every frequency. */
const SILENT_DBM0 = -35;

/** Levels at a frequency of each frame heard, dBm0, the softest first; those near silence left out. */
function levels(received: Int16Array, hz: number): readonly number[] {
  const found: number[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= received.length; at += FRAME_SAMPLES)
    found.push(levelAt(received.subarray(at, at + FRAME_SAMPLES), hz));
  return found.filter((level) => level > SILENT_DBM0).sort((a, b) => a - b);
}

/** At the level of its whole frames: where the test's machine was late, some are concealed or cut. */
const levelReceived = (received: Int16Array, hz: number): number => {
  const all = levels(received, hz);
  return all.length < ENOUGH ? Number.NEGATIVE_INFINITY : (all[Math.floor(all.length * 0.9)] ?? 0);
};
/** Frames. */
const ENOUGH = 25;

describe('legs of two workers', { timeout: 60_000 }, () => {
  let media: OpenMedia;
  let events: MediaEvent[] = [];
  let closers: (() => void)[] = [];
  let phones = new Map<string, Phone>();

  beforeAll(async () => {
    media = await openMedia({
      ports: { from: 42_000, to: 42_199 },
      workers: 2,
      host4: '127.0.0.1',
      warmUpMs: 50,
      tooLateMs: 60_000,
      log: () => {},
    });
    media.events.add((event) => events.push(event));
  });
  afterAll(async () => {
    await media.close();
  });
  beforeEach(() => {
    events = [];
    return async () => {
      for (const close of closers) close();
      for (const leg of phones.keys()) await media.closeLeg(leg);
      closers = [];
      phones = new Map();
    };
  });

  /** Goes to the worker with fewer legs: the first and the second one are never on the same. */
  async function leg(name: string, near?: string): Promise<Phone> {
    const { phone, close } = await socketPhone();
    closers.push(close);
    const opening = { leg: name, profile: 'ordinary', family: 4, ...(near && { near }) } as const;
    const { port } = must(await media.openLeg(opening));
    phones.set(name, phone);
    must(await media.updateLeg(name, phone.stream()));
    phone.talkTo(port);
    return phone;
  }

  const talk = (phone: Phone, hz: number, dbm0 = -12, ms = 1_000) => phone.say(render([tone(hz, ms, dbm0)]));
  const hears = (what: string, phone: Phone, hz: number) =>
    until(what, () => levels(phone.received, hz).length >= ENOUGH);

  /** The last of this tone is played: packets on their way and the buffer hold some of it. */
  async function isSilent(phone: Phone, hz: number): Promise<void> {
    do {
      phone.forget();
      await until('audio', () => phone.packets.length > 10);
    } while (levels(phone.received, hz).length > 0);
  }

  async function legsOf(): Promise<readonly (number | undefined)[]> {
    return (await media.load()).map((load) => load?.legs);
  }

  it('hear each other at the level they have', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    expect(await legsOf()).toEqual([1, 1]);
    must(await media.connect('a', 'b'));
    talk(a, 1_000, -12);
    talk(b, 1_500, -20);
    await Promise.all([hears('a at b', b, 1_000), hears('b at a', a, 1_500)]);
    expect(Math.abs(levelReceived(b.received, 1_000) + 12)).toBeLessThan(0.5);
    expect(Math.abs(levelReceived(a.received, 1_500) + 20)).toBeLessThan(0.5);
    expect(levels(a.received, 1_000)).toEqual([]);

    must(await media.disconnect('a'));
    await isSilent(b, 1_000);
    a.forget();
    b.forget();
    talk(a, 1_000, -12, 400);
    await until('silence to come', () => b.packets.length > 25);
    expect(levels(b.received, 1_000)).toEqual([]);
  });

  it('have sound from one end to the other within 250 ms, when the machine has time for it', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    must(await media.connect('a', 'b'));
    await until('both sides', () => a.packets.length > 10 && b.packets.length > 10);
    const tookMs: number[] = [];
    const isFast = () => tookMs.some((ms) => ms < 250);
    for (let attempt = 0; attempt < 8 && !isFast(); attempt++) {
      await until('the end of the tone', () => a.quiet);
      await isSilent(b, 1_000);
      b.forget();
      const begun = performance.now();
      talk(a, 1_000, -12, 200);
      await until('a at b', () => levels(b.received, 1_000).length > 0);
      tookMs.push(performance.now() - begun);
    }
    expect(tookMs).toSatisfy(isFast);
  });

  it('pass digits as events', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    must(await media.connect('a', 'b', { aToB: { as: 'transparent' } }));
    await until('both sides', () => a.packets.length > 10 && b.packets.length > 10);
    a.press('7#', { by: 'rfc4733', onMs: 120, offMs: 120 });
    const reported = () => b.digits.filter(({ by }) => by === 'rfc4733').map(({ digit }) => digit);
    await until('the digits', () => reported().length >= 2);
    expect(reported().join('')).toBe('7#');
  });

  describe('in a conference', () => {
    /** a is where the conference is; b is on the other worker, c with a. */
    async function conference(change: Readonly<Record<string, ParticipantSetting>> = {}) {
      const [a, b] = [await leg('a'), await leg('b')];
      const c = await leg('c', 'a');
      expect(await legsOf()).toEqual([2, 1]);
      must(await media.createConference({ conference: 'k', beep: false, maxParticipants: 3 }));
      for (const name of ['a', 'b', 'c']) must(await media.join('k', name, change[name] ?? {}));
      return { a, b, c };
    }
    beforeEach(() => async () => {
      await media.endConference('k');
    });

    it('hear all others', async () => {
      const { a, b, c } = await conference();
      talk(a, 700);
      talk(b, 1_100);
      talk(c, 1_900);
      await Promise.all([
        hears('a at b', b, 700),
        hears('c at b', b, 1_900),
        hears('b at a', a, 1_100),
        hears('b at c', c, 1_100),
      ]);
      for (const [phone, hz] of [
        [b, 700],
        [b, 1_900],
        [a, 1_100],
        [c, 1_100],
      ] as const)
        expect(Math.abs(levelReceived(phone.received, hz) + 12)).toBeLessThan(1);
      expect(levels(b.received, 1_100)).toEqual([]);
    });

    it('obey mute, and whispers reach one only', async () => {
      const { a, b, c } = await conference({ b: { whisperTo: 'c' } });
      talk(b, 1_100);
      await hears('b at c', c, 1_100);
      expect(levels(a.received, 1_100)).toEqual([]);
      must(await media.change('k', 'b', { whisperTo: null, mute: true }));
      await until('b to be quiet', () => b.quiet);
      for (const phone of [a, c]) phone.forget();
      talk(b, 1_100, -12, 400);
      await until('more audio', () => a.packets.length > 30);
      expect(levels(a.received, 1_100)).toEqual([]);
      expect(levels(c.received, 1_100)).toEqual([]);
    });

    it('monitor what all say and what is played to them, and are not audible', async () => {
      const { a, b } = await conference({ c: { monitor: true }, b: {} });
      const c = phones.get('c');
      if (c === undefined) throw new Error('no third telephone');
      const prompt = preparedPrompt(render([tone(2_300, 1_500, -12)]));
      const phrases = [{ kind: 'prompt', prompt }] as const;
      must(await media.play('b', 'p', { phrases, over: 'instead' }));
      talk(b, 1_100);
      talk(c, 700);
      await Promise.all([
        hears('b at the monitor', c, 1_100),
        hears('the prompt at b', b, 2_300),
        hears('the prompt at the monitor', c, 2_300),
      ]);
      expect(levels(a.received, 700)).toEqual([]);
    });

    it('are refused when it is full, and may come when another party has left', async () => {
      await conference();
      const d = await leg('d', 'b');
      expect(await media.join('k', 'd', {})).toMatchObject({ ok: false, error: { code: 'Refused' } });
      must(await media.leave('k', 'b'));
      must(await media.join('k', 'd', {}));
      talk(d, 1_300);
      const a = phones.get('a');
      if (a === undefined) throw new Error('no first telephone');
      await hears('d at a', a, 1_300);
    });
  });

  it('are recorded side by side, and summed where they share a channel', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    must(await media.connect('a', 'b'));
    await until('both sides', () => a.packets.length > 10 && b.packets.length > 10);
    const rings = [ringMemory(1_000), ringMemory(1_000), ringMemory(1_000)] as const;
    const channels = [
      { legs: ['a'], ring: rings[0] },
      { legs: ['b'], ring: rings[1] },
      { legs: ['a', 'b'], ring: rings[2] },
    ];
    must(await media.tap('t', { channels, of: 'said' }));
    talk(a, 1_000, -12, 800);
    talk(b, 1_500, -20, 800);
    await until('both to be quiet', () => a.quiet && b.quiet);
    must(await media.untap('t'));
    const written = rings.map((ring) => {
      const reader = new RingReader(ring);
      const samples: number[] = [];
      const ticks: number[] = [];
      const frame = new Int16Array(FRAME_SAMPLES);
      for (let tick = reader.read(frame); tick !== undefined; tick = reader.read(frame)) {
        ticks.push(tick);
        samples.push(...frame);
      }
      return { ticks, samples: Int16Array.from(samples) };
    });
    const [one, other, both] = written;
    if (one === undefined || other === undefined || both === undefined) throw new Error('three channels');
    expect(levelReceived(one.samples, 1_000)).toBeCloseTo(-12, 0);
    expect(levelReceived(other.samples, 1_500)).toBeCloseTo(-20, 0);
    expect(levelReceived(both.samples, 1_000)).toBeCloseTo(-12, 0);
    expect(levelReceived(both.samples, 1_500)).toBeCloseTo(-20, 0);
    expect(levels(one.samples, 1_500)).toEqual([]);
    // One clock: both began within a few ticks of each other.
    expect(Math.abs((one.ticks[0] ?? 0) - (other.ticks[0] ?? 0))).toBeLessThan(50);
  });

  it('end alone when the other worker dies: silence for who is left, nothing for anybody else', async () => {
    const [a, b] = [await leg('a'), await leg('b')];
    const [c, d] = [await leg('c', 'a'), await leg('d', 'a')];
    must(await media.connect('a', 'b'));
    must(await media.connect('c', 'd'));
    talk(b, 1_500, -12, 60_000);
    talk(c, 1_000, -12, 60_000);
    await Promise.all([hears('b at a', a, 1_500), hears('c at d', d, 1_000)]);
    await media.crash(1);
    await until('the loss', () => events.some(({ kind }) => kind === 'lost'));
    expect(events.filter(({ kind }) => kind === 'lost')).toEqual([
      { kind: 'lost', worker: 1, legs: ['b'], conferences: [] },
    ]);
    phones.delete('b');
    await isSilent(a, 1_500);
    for (const phone of [a, d]) phone.forget();
    await until('more audio', () => a.packets.length > 30 && d.packets.length > 30);
    expect(levels(a.received, 1_500)).toEqual([]);
    expect(Math.abs(levelReceived(d.received, 1_000) + 12)).toBeLessThan(0.5);
    must(await media.connect('a', 'c'));
    a.forget();
    await hears('c at a', a, 1_000);
    const ready = async () => (await media.load()).every((load) => load !== undefined);
    while (!(await ready())) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
