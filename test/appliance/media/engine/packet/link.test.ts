import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, type RingMemory, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import type { DigitRelay } from '#appliance/media/control/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { type Mark, packMark, unpackMark } from '#appliance/media/engine/packet/link.ts';
import { LinkReceiver } from '#appliance/media/engine/packet/link-receiver.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, extent, levelAt } from '../sound.ts';

/** Two workers, a leg on each, joined; slices of the second come 5 ms after those of the first. */
async function joined(relay?: { readonly out: DigitRelay; readonly in: DigitRelay }) {
  const nets = [testMedia(), testMedia({ startMs: 1_005 })] as const;
  const [one, other] = nets;
  const [a, b] = [await caller(one, 'a'), await caller(other, 'b')];
  const [there, back] = [ringMemory(), ringMemory()];
  const both = { link: 'l', ...(relay && { relay }) };
  const turned = relay && { relay: { out: relay.in, in: relay.out } };
  must(one.engine.link('a', { ...both, says: there, hears: back }));
  must(other.engine.link('b', { ...both, ...turned, says: back, hears: there }));
  const advance = (ms: number) => {
    for (let left = ms; left > 0; left -= 5) for (const net of nets) net.advance(5);
  };
  return { nets, a, b, advance };
}

describe('two engines joined by rings', () => {
  it('carry audio in both directions, frame by frame as it is', async () => {
    const { a, b, advance } = await joined();
    a.say(render([tone(1_000, 600, -10)]));
    b.say(render([tone(1_500, 600, -20)]));
    advance(1_200);
    const part = (detected: Int16Array) =>
      detected.subarray(extent(detected).from + 400, extent(detected).from + 4_000);
    expect(levelAt(part(b.received), 1_000)).toBeCloseTo(-10, 0);
    expect(levelAt(part(a.received), 1_500)).toBeCloseTo(-20, 0);
    const { from, to } = extent(b.received);
    expect(Math.abs(to - from - 4_800)).toBeLessThan(40);
  });

  it('add 40 ms at most to what one engine needs', async () => {
    const { a, b, advance } = await joined();
    advance(500);
    b.forget();
    a.say(render([tone(1_000, 400, -10)]));
    advance(600);
    const far = extent(b.received).from;

    const net = testMedia();
    const [c, d] = [await caller(net, 'c'), await caller(net, 'd')];
    must(await net.media.connect('c', 'd'));
    // As samples, not as packets.
    must(await net.media.watchSilence('c', 60_000));
    net.advance(500);
    d.forget();
    c.say(render([tone(1_000, 400, -10)]));
    net.advance(600);
    expect(far - extent(d.received).from).toBeLessThanOrEqual(2 * FRAME_SAMPLES);
  });

  it.each([
    ['transparent', 'rfc4733', 'rfc4733'],
    ['rfc4733', 'inband', 'rfc4733'],
    ['inband', 'rfc4733', 'inband'],
  ] as const)(
    'pass digits as %s: pressed %s, detected %s, as long as they were',
    async (as, pressed, reported) => {
      const { a, b, advance } = await joined({ out: { as }, in: { as: 'transparent' } });
      advance(300);
      a.press('1D', { by: pressed, onMs: 140, offMs: 120 });
      advance(1_200);
      const digits = b.digits.filter(({ by }) => by === reported);
      expect(digits.map(({ digit }) => digit).join('')).toBe('1D');
      for (const { ms } of digits) expect(Math.abs(ms - 140)).toBeLessThanOrEqual(20);
    },
  );

  it('take out the tones that no party shall hear', async () => {
    const { a, b, advance } = await joined({ out: { as: 'none' }, in: { as: 'transparent' } });
    advance(300);
    a.press('5', { onMs: 300 });
    a.press('6', { by: 'rfc4733', onMs: 300 });
    advance(1_500);
    expect(b.digits).toEqual([]);
  });

  it('end together: who is left hears silence, and a new connection of it works', async () => {
    const { nets, a, b, advance } = await joined();
    a.say(render([tone(1_000, 2_000, -10)]));
    advance(500);
    must(nets[0].engine.unlink('l'));
    must(nets[0].engine.unlink('l'));
    advance(200);
    b.forget();
    advance(300);
    expect(extent(b.received).from).toBe(-1);
    const c = await caller(nets[1], 'c');
    must(await nets[1].media.connect('b', 'c'));
    c.say(render([tone(1_500, 400, -10)]));
    advance(600);
    expect(extent(b.received).from).toBeGreaterThan(-1);
  });

  it('count what an engine that stands still does not take, and go on when it is back', async () => {
    const { nets, a, b, advance } = await joined();
    advance(200);
    nets[0].advance(2_600);
    expect(nets[0].engine.overruns).toBeGreaterThan(20);
    advance(40);
    const before = nets[0].engine.overruns;
    a.say(render([tone(1_000, 600, -10)]));
    b.forget();
    advance(1_000);
    expect(nets[0].engine.overruns).toBe(before);
    expect(
      levelAt(b.received.subarray(extent(b.received).from + 400, extent(b.received).from + 4_000), 1_000),
    ).toBeCloseTo(-10, 0);
  });
});

describe('LinkReceiver', () => {
  function ear() {
    const memory: RingMemory = ringMemory();
    const writer = new RingWriter(memory);
    const words: number[] = [];
    const hearing = new LinkReceiver(memory, (word) => {
      words.push(word);
      return (word & 1) !== 0;
    });
    const write = (value: number, word = 1) => writer.write(new Int16Array(FRAME_SAMPLES).fill(value), word);
    return { hearing, write, words };
  }

  it('repeats what it had when a frame is late, three times, and is one frame deeper from then on', () => {
    const { hearing, write } = ear();
    hearing.pull();
    expect(hearing.missed).toBe(0);
    write(5_000);
    hearing.pull();
    expect([hearing.speaking, hearing.frame[0]]).toEqual([true, 5_000]);
    for (let late = 0; late < 3; late++) {
      hearing.pull();
      expect([hearing.speaking, hearing.missed]).toEqual([true, late + 1]);
    }
    expect(hearing.frame[0]).toBeLessThan(2_500);
    hearing.pull();
    expect(hearing.speaking).toBe(false);
    for (const value of [6_000, 7_000]) write(value);
    hearing.pull();
    expect(hearing.frame[0]).toBe(6_000);
  });

  it('leaves quiet frames out, and only those, when it always has some to spare', () => {
    const { hearing, write } = ear();
    for (let n = 0; n < 3; n++) write(9_000);
    for (let n = 0; n < 120; n++) {
      write(9_000);
      hearing.pull();
    }
    expect(hearing.skipped).toBe(0);
    for (let n = 0; n < 120; n++) {
      write(10);
      hearing.pull();
    }
    expect([hearing.skipped, hearing.missed]).toEqual([3, 0]);
  });

  it('leaves out whatever is too old, but not what its marks say', () => {
    const { hearing, write, words } = ear();
    for (let n = 0; n < 40; n++) write(n, 1 + 2 * n);
    hearing.pull();
    expect(hearing.skipped).toBeGreaterThan(30);
    expect(words.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, n) => 1 + 2 * n));
  });
});

describe('marks', () => {
  it('say the same after their journey', () => {
    const edges: readonly Mark['edge'][] = [
      null,
      { kind: 'begin', digit: '#', source: 'event', durationMs: 0 },
      { kind: 'end', digit: 'D', source: 'inband', durationMs: 65_535 },
      { kind: 'end', digit: '1', source: 'event', durationMs: 80 },
    ];
    for (const edge of edges) {
      for (const [speaking, takesEvents] of [
        [true, false],
        [false, true],
      ] as const) {
        const mark = { speaking, takesEvents, edge };
        expect(unpackMark(packMark(mark))).toEqual(mark);
      }
    }
  });
});
