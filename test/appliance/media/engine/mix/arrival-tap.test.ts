import { describe, expect, it } from 'vitest';
import { pcma, RingReader, ringMemory } from '#appliance/media/audio/index.ts';
import { ArrivalTap } from '#appliance/media/engine/mix/arrival-tap.ts';
import { PCMA } from '#appliance/media/engine/packet/payload.ts';
import { must, testMedia } from '#test/support/media.ts';
import { caller } from '../sound.ts';

/** Every sample of packet n has this value; a program tells by it which packet it hears. */
const sampleOf = (n: number): number => {
  const out = new Int16Array(1);
  pcma.decode(Uint8Array.of(code(n)), 0, 1, out);
  return out[0] ?? 0;
};
const code = (n: number): number => 0x80 | (n & 0x3f);

function opened() {
  const memory = ringMemory();
  const tap = new ArrivalTap(memory);
  const reader = new RingReader(memory);
  let tick = 1_000;
  tap.tick(tick);
  return {
    tap,
    packet: (n: number, samples = 160) =>
      tap.packet(
        { sequence: n & 0xffff, payloadOffset: 0, payloadLength: samples },
        new Uint8Array(samples).fill(code(n)),
        PCMA,
      ),
    ticks: (times: number) => {
      for (let n = 0; n < times; n++) tap.tick(++tick);
    },
    /** The first sample of each frame that waits, and its tick. */
    heard: () => {
      const out: { readonly value: number; readonly tick: number }[] = [];
      for (const frame = new Int16Array(160); ; ) {
        const at = reader.read(frame);
        if (at === undefined) return out;
        out.push({ value: frame[0] ?? 0, tick: at });
      }
    },
  };
}
const values = (...packets: number[]) => packets.map(sampleOf);

describe('audio of a leg as it arrives', () => {
  it('is there at once, without a tick in between', () => {
    const { packet, heard: detected } = opened();
    packet(1);
    expect(detected()).toEqual([{ value: sampleOf(1), tick: 1_000 }]);
    packet(2);
    expect(detected()).toEqual([{ value: sampleOf(2), tick: 1_001 }]);
  });

  it('is put in order: a packet waits for the one that it has overtaken', () => {
    const { packet, heard: detected } = opened();
    for (const n of [1, 3, 4, 2, 5]) packet(n);
    expect(detected().map(({ value }) => value)).toEqual(values(1, 2, 3, 4, 5));
  });

  it('goes on over the end of the numbers', () => {
    const { packet, heard: detected } = opened();
    for (const n of [0xfffe, 0x1_0000, 0xffff, 0x1_0001]) packet(n);
    expect(detected().map(({ value }) => value)).toEqual(values(0xfffe, 0xffff, 0x1_0000, 0x1_0001));
  });

  it('waits 40 ms for a lost packet, and its place is filled', () => {
    const { packet, heard: detected, ticks, tap } = opened();
    packet(1);
    packet(3);
    expect(detected()).toHaveLength(1);
    ticks(2);
    const late = detected();
    expect(late).toHaveLength(2);
    expect(late[1]).toEqual({ value: sampleOf(3), tick: 1_002 });
    packet(2);
    expect(detected()).toEqual([]);
    expect(tap.late).toBe(1);
  });

  it('is silence 60 ms after the last packet, and has as many frames as ticks passed', () => {
    const { packet, heard: detected, ticks } = opened();
    packet(1);
    ticks(50);
    const all = detected();
    expect(all).toHaveLength(48);
    expect(all.slice(4).every(({ value }) => value === 0)).toBe(true);
    expect(all.map(({ tick }) => tick)).toEqual(Array.from({ length: 48 }, (_, n) => 1_000 + n));
    packet(2);
    expect(detected()).toEqual([{ value: sampleOf(2), tick: 1_048 }]);
  });

  it('comes as far as 100 ms after a jam, and the dropped rest is counted', () => {
    const { packet, heard: detected, tap } = opened();
    for (let n = 1; n <= 20; n++) packet(n);
    expect(detected()).toHaveLength(6);
    expect(tap.dropped).toBe(14);
  });

  it('goes on behind numbers without audio, and from any number of another source', () => {
    const { packet, heard: detected, ticks, tap } = opened();
    packet(1);
    tap.passed(2);
    packet(3);
    ticks(2);
    tap.restart();
    packet(40_000);
    packet(9);
    expect(detected().map(({ value }) => value)).toEqual(values(1, 3, 40_000, 9));
  });

  it('in packets of 30 ms makes frames of 20 ms', () => {
    const { packet, heard: detected } = opened();
    packet(1, 240);
    packet(2, 240);
    expect(detected().map(({ value }) => value)).toEqual(values(1, 1, 2));
  });

  it('is silence while it is paused', () => {
    const { packet, heard: detected, ticks, tap } = opened();
    tap.paused = true;
    packet(1);
    ticks(5);
    expect(detected().every(({ value }) => value === 0)).toBe(true);
  });
});

describe('a tap of one leg that is `arriving`', () => {
  it('has the audio of a call 60 ms before the one that is in step with what is played', async () => {
    const net = testMedia();
    const a = await caller(net, 'a');
    const [now, later] = [ringMemory(), ringMemory()];
    must(await net.media.tap('now', { channels: [{ legs: ['a'], ring: now }], of: 'arriving' }));
    must(await net.media.tap('later', { channels: [{ legs: ['a'], ring: later }], of: 'said' }));
    net.advance(500);
    a.say(new Int16Array(8_000).fill(12_000));
    net.advance(700);
    const firstLoud = (memory: ReturnType<typeof ringMemory>): number => {
      const reader = new RingReader(memory);
      for (const frame = new Int16Array(160); ; ) {
        const tick = reader.read(frame);
        if (tick === undefined) return Number.NaN;
        if (Math.abs(frame[159] ?? 0) > 1_000) return tick;
      }
    };
    expect(firstLoud(later) - firstLoud(now)).toBeGreaterThanOrEqual(2);
  });
});
