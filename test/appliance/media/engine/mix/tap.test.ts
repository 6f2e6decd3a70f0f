import { describe, expect, it } from 'vitest';
import { RING_FRAMES, type RingMemory, RingReader, ringMemory } from '#appliance/media/audio/index.ts';
import { render, tone } from '#appliance/media/dtmf/index.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller, extent, levelAt, levelOf } from '../sound.ts';

/** Everything that waits in a ring, and the ticks of its frames. */
function drain(ring: RingMemory) {
  const reader = new RingReader(ring);
  const frames: Int16Array[] = [];
  const ticks: number[] = [];
  for (;;) {
    const frame = new Int16Array(160);
    const tick = reader.read(frame);
    if (tick === undefined) break;
    frames.push(frame);
    ticks.push(tick);
  }
  const samples = new Int16Array(frames.length * 160);
  for (const [index, frame] of frames.entries()) samples.set(frame, index * 160);
  return { samples, ticks, overruns: reader.overruns };
}

async function tapped(of: 'said' | 'heard' = 'said') {
  const net = testMedia();
  const a = await caller(net, 'a');
  const b = await caller(net, 'b');
  must(await net.media.connect('a', 'b'));
  net.advance(300);
  const rings = [ringMemory(), ringMemory()] as const;
  const channels = [
    { legs: ['a'], ring: rings[0] },
    { legs: ['b'], ring: rings[1] },
  ];
  must(await net.media.tap('t', { channels, of }));
  return { net, a, b, rings };
}

describe('tap', () => {
  it('writes one frame per channel and tick, side by side, and forwarding goes on afterwards', async () => {
    const { net, a, b, rings } = await tapped();
    net.advance(200);
    a.say(render([tone(1_000, 200, -10)]));
    b.say(render([tone(1_500, 200, -10)]));
    net.advance(800);
    must(await net.media.untap('t'));
    net.advance(300);
    const [left, right] = [drain(rings[0]), drain(rings[1])];
    expect(left.ticks).toHaveLength(50);
    expect(left.ticks).toEqual(right.ticks);
    expect(left.ticks.every((tick, i) => i === 0 || tick === (left.ticks[i - 1] ?? 0) + 1)).toBe(true);
    const [from, other] = [extent(left.samples).from, extent(right.samples).from];
    expect(Math.abs(from - other)).toBeLessThanOrEqual(160);
    expect(levelAt(left.samples.subarray(from, from + 1_600), 1_000)).toBeCloseTo(-10, 0);
    expect(levelAt(left.samples, 1_500)).toBeLessThan(-60);
    expect(levelAt(right.samples, 1_000)).toBeLessThan(-60);
    expect(must(await net.media.stats('b')).sent.packets).toBeGreaterThan(60);
  });

  it('keeps the time through loss, hold, a silent side and a side that has left', async () => {
    const { net, a, b, rings } = await tapped();
    let n = 0;
    net.network.carries = ({ fromHost }) => fromHost !== a.host || ++n % 7 !== 0;
    net.advance(400);
    b.sending = false;
    must(await net.media.updateLeg('a', a.stream({ direction: 'inactive' })));
    net.advance(400);
    must(await net.media.updateLeg('a', a.stream()));
    a.say(render([tone(1_000, 200, -10)]));
    net.advance(400);
    must(await net.media.closeLeg('b'));
    net.advance(400);
    const [left, right] = [drain(rings[0]), drain(rings[1])];
    expect(left.ticks).toHaveLength(80);
    expect(right.ticks).toEqual(left.ticks);
    expect(extent(left.samples).from).toBeGreaterThan(800 * 8);
    expect(levelOf(right.samples)).toBeLessThan(-60);
  });

  it('writes silence while it is paused', async () => {
    const { net, a, rings } = await tapped();
    a.say(render([tone(1_000, 5_000, -10)]));
    net.advance(200);
    must(await net.media.pauseTap('t', true));
    net.advance(200);
    must(await net.media.pauseTap('t', false));
    net.advance(200);
    const { samples, ticks } = drain(rings[0]);
    expect(ticks).toHaveLength(30);
    expect(levelOf(samples.subarray(1_600, 3_200))).toBeLessThan(-60);
    expect(levelOf(samples.subarray(3_200))).toBeGreaterThan(-12);
  });

  it.each(['said', 'heard'] as const)('has prompts in a channel or not: %s', async (of) => {
    const { net, rings } = await tapped(of);
    const phrases = [{ kind: 'tone', segments: [tone(700, 400, -10)] }] as const;
    must(await net.media.play('a', 'p', { phrases, over: 'instead' }));
    net.advance(600);
    const [left, right] = [drain(rings[0]), drain(rings[1])];
    expect(levelAt(left.samples, 700) > -20).toBe(of === 'heard');
    expect(levelAt(right.samples, 700)).toBeLessThan(-60);
  });

  it('has no whisper on the channel of another, and sums the legs of one channel', async () => {
    const net = testMedia();
    must(await net.media.createConference({ conference: 'k', beep: false }));
    for (const [leg, hz] of [
      ['a', 500],
      ['b', 900],
      ['c', 1_300],
    ] as const) {
      const phone = await caller(net, leg);
      phone.say(render([tone(hz, 10_000, -15)]));
      must(await net.media.join('k', leg, leg === 'a' ? { whisperTo: 'b' } : {}));
    }
    const rings = [ringMemory(), ringMemory()] as const;
    const channels = [
      { legs: ['b'], ring: rings[0] },
      { legs: ['a', 'c', 'nobody'], ring: rings[1] },
    ];
    must(await net.media.tap('t', { channels, of: 'said' }));
    net.advance(1_000);
    const tones = (samples: Int16Array) => [500, 900, 1_300].filter((hz) => levelAt(samples, hz) > -20);
    expect(tones(drain(rings[0]).samples)).toEqual([900]);
    expect(tones(drain(rings[1]).samples)).toEqual([500, 1_300]);
  });

  it('drops and counts when there is no reader, and leaps where time was left out', async () => {
    const { net, rings } = await tapped();
    net.advance(RING_FRAMES * 20 + 400);
    expect(net.engine.overruns).toBe(40);
    drain(rings[0]);
    drain(rings[1]);
    net.engine.leap(10);
    net.advance(100);
    const { ticks } = drain(rings[0]);
    expect(ticks).toHaveLength(5);
    must(await net.media.untap('t'));
    expect(await net.media.untap('t')).toMatchObject({ error: { code: 'Unknown' } });
  });
});
