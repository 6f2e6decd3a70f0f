import { describe, expect, it } from 'vitest';
import { NoiseSource } from '#appliance/media/audio/index.ts';
import {
  ADAPTIVE_JITTER,
  FIXED_JITTER,
  G711_FORM,
  GSM_FORM,
  JitterBuffer,
  type JitterSetting,
  type Kept,
  type PayloadForm,
  type Pulled,
  RtpPacket,
  writeRtpHeader,
} from '#appliance/media/rtp/index.ts';

/** A buffer with a stream: packet n holds `length` bytes of value n, `samples` after the one before. */
class Stream {
  readonly buffer: JitterBuffer;
  readonly out = new Uint8Array(160);
  readonly #packet = new RtpPacket();
  readonly #form: PayloadForm;
  readonly #length: number;
  readonly #samples: number;
  readonly #start: number;

  constructor(setting: JitterSetting, { form = G711_FORM, length = 160, samples = 160, start = 1_000 } = {}) {
    this.buffer = new JitterBuffer(setting);
    this.#form = form;
    this.#length = length;
    this.#samples = samples;
    this.#start = start;
  }

  put(n: number, timestamp = this.#start + n * this.#samples, sequence = n): Kept {
    const bytes = new Uint8Array(12 + this.#length).fill(n);
    writeRtpHeader(bytes, {
      marker: false,
      payloadType: 8,
      sequence,
      timestamp: timestamp >>> 0,
      ssrc: 1,
    });
    this.#packet.read(bytes, bytes.length);
    return this.buffer.put(this.#packet, bytes, this.#form);
  }

  /** Output: the number of the packet, or why there is none. */
  pull(): number | Exclude<Pulled, 'frame'> {
    const pulled = this.buffer.pull(this.out);
    return pulled === 'frame' ? (this.out[0] ?? -1) : pulled;
  }

  pulls(count: number): (number | Pulled)[] {
    return Array.from({ length: count }, () => this.pull());
  }
}

describe('JitterBuffer, fixed', () => {
  it('waits 60 ms, then plays in order', () => {
    const stream = new Stream(FIXED_JITTER);
    expect(stream.pulls(2)).toEqual(['empty', 'empty']);
    const played: unknown[] = [];
    for (let n = 0; n < 8; n++) {
      expect(stream.put(n)).toBe(n === 0 ? 'resynchronised' : 'kept');
      played.push(stream.pull());
    }
    expect(played).toEqual(['empty', 'empty', 'empty', 0, 1, 2, 3, 4]);
    expect(stream.buffer.depth).toBe(3);
    expect(stream.buffer.payloadType).toBe(8);
    expect(stream.pulls(4)).toEqual([5, 6, 7, 'empty']);
  });

  it('sorts, reports holes, and counts late and doubled packets', () => {
    const stream = new Stream(FIXED_JITTER);
    for (const n of [0, 2, 1, 1, 4]) stream.put(n);
    expect(stream.pulls(8)).toEqual(['empty', 'empty', 'empty', 0, 1, 2, 'lost', 4]);
    expect(stream.put(3)).toBe('late');
    expect(stream.buffer.counters).toMatchObject({ late: 1, duplicate: 1, lost: 1, overrun: 0 });
  });

  it('takes the packet before the first, when it comes in time', () => {
    const stream = new Stream(FIXED_JITTER);
    stream.put(5);
    expect(stream.put(4)).toBe('late');
    expect(stream.put(6)).toBe('kept');
    expect(stream.pulls(5)).toEqual(['empty', 'empty', 'empty', 5, 6]);
  });

  it.each([
    { ms: 5, packets: 16 },
    { ms: 10, packets: 8 },
    { ms: 20, packets: 4 },
    { ms: 30, packets: 4 },
    { ms: 40, packets: 2 },
    { ms: 60, packets: 2 },
    { ms: 70, packets: 4 },
    { ms: 80, packets: 2 },
    { ms: 100, packets: 3 },
    { ms: 120, packets: 3 },
    { ms: 200, packets: 2 },
  ])('cuts packets of $ms ms into frames', ({ ms, packets }) => {
    const stream = new Stream(FIXED_JITTER, { length: ms * 8, samples: ms * 8 });
    for (let n = 0; n < packets; n++) stream.put(n);
    const frames = Math.floor((ms * packets) / 20);
    const bytes: number[] = [];
    stream.pulls(3);
    for (let frame = 0; frame < frames; frame++) {
      expect(stream.buffer.pull(stream.out)).toBe('frame');
      bytes.push(...stream.out);
    }
    expect(bytes).toEqual(Array.from({ length: frames * 160 }, (_, i) => Math.floor(i / (ms * 8))));
  });

  it('calls a frame lost of which 10 ms are missing, and is not fooled by the other half twice', () => {
    const stream = new Stream(FIXED_JITTER, { length: 80, samples: 80 });
    for (const n of [0, 1, 2, 2, 4, 5]) stream.put(n);
    expect(stream.pulls(6)).toEqual(['empty', 'empty', 'empty', 0, 'lost', 4]);
    expect(stream.buffer.counters.duplicate).toBe(1);
  });

  it('keeps GSM frames whole and refuses what is none', () => {
    const stream = new Stream(FIXED_JITTER, { form: GSM_FORM, length: 66, samples: 320 });
    stream.put(1);
    stream.put(2);
    expect(stream.pulls(7)).toEqual(['empty', 'empty', 'empty', 1, 1, 2, 2]);
    const broken = new Stream(FIXED_JITTER, { form: GSM_FORM, length: 40 });
    expect(broken.put(0)).toBe('refused');
    expect(new Stream(FIXED_JITTER, { length: 0 }).put(0)).toBe('refused');
    expect(new Stream(FIXED_JITTER, { length: 1_601 }).put(0)).toBe('refused');
  });

  it('goes on over the wrap of the timestamp', () => {
    const stream = new Stream(FIXED_JITTER, { start: 0xffff_ffff - 330 });
    for (let n = 0; n < 6; n++) stream.put(n);
    expect(stream.pulls(9)).toEqual(['empty', 'empty', 'empty', 0, 1, 2, 3, 4, 5]);
    expect(stream.buffer.counters.resynchronised).toBe(0);
  });

  it('gives the oldest up when too much comes ahead', () => {
    const stream = new Stream(FIXED_JITTER);
    for (let n = 0; n < 20; n++) stream.put(n);
    expect(stream.buffer.counters.overrun).toBe(4);
    stream.pulls(3);
    expect(stream.pull()).toBe(4);
    expect(stream.buffer.depth).toBe(15);
  });

  it.each([9_000, -9_000, 1_000_000])('finds its place again when the timestamp leaps by %d', (leap) => {
    const stream = new Stream(FIXED_JITTER);
    for (let n = 0; n < 10; n++) {
      stream.put(n);
      stream.pull();
    }
    expect(stream.put(10, 1_000 + 1_600 + leap)).toBe('resynchronised');
    expect(stream.put(11, 1_000 + 1_760 + leap)).toBe('kept');
    expect(stream.pulls(5)).toEqual(['empty', 'empty', 'empty', 10, 11]);
  });

  it('is silent in a pause and goes on after it', () => {
    const stream = new Stream(FIXED_JITTER);
    for (let n = 0; n < 5; n++) {
      stream.put(n);
      stream.pull();
    }
    expect(stream.pulls(10)).toEqual([2, 3, 4, ...new Array(7).fill('empty')]);
    stream.put(15, undefined, 5);
    stream.put(16, undefined, 6);
    expect(stream.pulls(5)).toEqual(['empty', 'empty', 'empty', 15, 16]);
    expect(stream.buffer.counters).toMatchObject({ lost: 0, late: 0 });
  });

  it('shows what waits, and leaves it where it is', () => {
    const stream = new Stream(FIXED_JITTER);
    const { buffer } = stream;
    const peek = (ahead: number) => {
      const out = new Uint8Array(160);
      return [buffer.peek(ahead, out), out[0]];
    };
    expect(peek(0)).toEqual([-1, 0]);
    for (const n of [1, 2, 4]) stream.put(n);
    expect(peek(0)).toEqual([-1, 0]);
    for (let tick = 0; tick < 3; tick++) buffer.pull(stream.out);
    expect([0, 1, 2, 3, 4, 16].map(peek)).toEqual([
      [8, 1],
      [8, 2],
      [-1, 0],
      [8, 4],
      [-1, 0],
      [-1, 0],
    ]);
    expect([buffer.pull(stream.out), stream.out[0]]).toEqual(['frame', 1]);
    expect(peek(0)).toEqual([8, 2]);
  });

  it('starts empty on reset', () => {
    const stream = new Stream(FIXED_JITTER);
    for (let n = 0; n < 5; n++) stream.put(n);
    stream.buffer.reset();
    expect(stream.pull()).toBe('empty');
    expect(stream.put(90)).toBe('resynchronised');
    expect(stream.pulls(4)).toEqual(['empty', 'empty', 'empty', 90]);
  });

  it('finds its place again when every packet has become late', () => {
    const stream = new Stream(FIXED_JITTER);
    stream.put(0);
    stream.pulls(40);
    expect([1, 2, 3, 4].map((n) => stream.put(n))).toEqual(['late', 'late', 'resynchronised', 'kept']);
    expect(stream.pulls(5)).toEqual(['empty', 'empty', 'empty', 3, 4]);
  });
});

/** Ten minutes of a sender whose clock is wrong and a network with jitter; the player obeys the resize at once. */
function tenMinutes(setting: JitterSetting, skew: number, jitterMs: number) {
  const stream = new Stream(setting);
  const random = new NoiseSource(21);
  const arrivals: { n: number; atMs: number }[] = [];
  for (let n = 0; n < 30_000; n++) {
    arrivals.push({ n, atMs: n * 20 * (1 + skew) + ((random.next() + 1) / 2) * jitterMs });
  }
  arrivals.sort((a, b) => a.atMs - b.atMs);
  let [next, frames, changes, deepest] = [0, 0, 0, 0];
  for (let tick = 0; tick < 30_000; tick++) {
    for (let one = arrivals[next]; one !== undefined && one.atMs <= tick * 20; one = arrivals[++next])
      stream.put(one.n);
    if (stream.buffer.resize !== 0) changes++;
    if (stream.buffer.resize === 1) {
      stream.buffer.adjusted();
      continue;
    }
    if (stream.buffer.resize === -1) stream.buffer.skip();
    if (stream.pull() !== 'lost') frames++;
    deepest = Math.max(deepest, stream.buffer.depth);
  }
  return { counters: stream.buffer.counters, frames, changes, deepest, wantedMs: stream.buffer.wantedMs };
}

describe('JitterBuffer over ten minutes', () => {
  it.each([100e-6, -100e-6, 0])('absorbs a clock that is off by %d without drift or loss', (skew) => {
    const { counters, changes, deepest } = tenMinutes(FIXED_JITTER, skew, 5);
    expect(counters).toMatchObject({ lost: 0, late: 0, overrun: 0, resynchronised: 0 });
    expect(changes).toBeLessThanOrEqual(5);
    expect(deepest).toBeLessThanOrEqual(6);
  });

  it('loses nothing at 30 ms of jitter, with a fixed depth of 60 ms', () => {
    const { counters, changes } = tenMinutes(FIXED_JITTER, 0, 30);
    expect(counters).toMatchObject({ lost: 0, late: 0 });
    expect(changes).toBe(0);
  });

  it('grows with the network to its limit and no further', () => {
    const calm = tenMinutes(ADAPTIVE_JITTER, 0, 2);
    expect(calm.wantedMs).toBe(40);
    expect(calm.counters.late).toBe(0);
    const rough = tenMinutes(ADAPTIVE_JITTER, 0, 90);
    expect(rough.wantedMs).toBeGreaterThan(calm.wantedMs);
    expect(rough.counters.late).toBeLessThan(30);
    const worse = tenMinutes(ADAPTIVE_JITTER, 0, 300);
    expect(worse.wantedMs).toBe(120);
    expect(worse.deepest).toBeLessThanOrEqual(16);
  });
});
