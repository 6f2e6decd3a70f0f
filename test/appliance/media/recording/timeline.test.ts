import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, RingReader, RingWriter, ringMemory } from '#appliance/media/audio/index.ts';
import { Timeline } from '#appliance/media/recording/index.ts';

/** Channels whose frames carry one number each; what comes out is read as those numbers. */
function stage(channels: number) {
  const rings = Array.from({ length: channels }, () => ringMemory());
  const writers = rings.map((ring) => new RingWriter(ring));
  const timeline = new Timeline(rings.map((ring) => new RingReader(ring)));
  const out = rings.map(() => new Int16Array(FRAME_SAMPLES));
  const frame = new Int16Array(FRAME_SAMPLES);
  return {
    timeline,
    write(channel: number, ...ticks: readonly number[]) {
      for (const tick of ticks) writers[channel]?.write(frame.fill(tick), tick);
    },
    read(ending = false): string {
      const laidOut: string[] = [];
      while (timeline.next(out, ending)) laidOut.push(out.map((channel) => channel[0] ?? 0).join('/'));
      return laidOut.join(' ');
    },
  };
}
const ticks = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the time axis of a recording', () => {
  it('lays channels side by side by their ticks', () => {
    const { write, read, timeline } = stage(2);
    write(0, 7, 8, 9);
    write(1, 7, 8);
    expect(read()).toBe('7/7 8/8');
    write(1, 9);
    expect(read()).toBe('9/9');
    expect([timeline.lengthMs, timeline.samples, timeline.degraded]).toEqual([60, 480, false]);
  });

  it('puts silence in front of a channel that begins later', () => {
    const { write, read, timeline } = stage(2);
    write(0, 7, 8, 9, 10);
    write(1, 9, 10);
    expect(read()).toBe('7/0 8/0 9/9 10/10');
    expect(timeline.degraded).toBe(false);
  });

  it('fills and counts the hole that a full ring left', () => {
    const { write, read, timeline } = stage(1);
    write(0, 1, 2, 5, 6);
    expect(read()).toBe('1 2 0 0 5 6');
    expect([timeline.lostFrames, timeline.degraded]).toEqual([2, true]);
  });

  it('is degraded by what a full ring dropped at the very end', () => {
    const { write, read, timeline } = stage(1);
    write(0, ...ticks(0, 102));
    expect(read().split(' ')).toHaveLength(100);
    expect([timeline.lostFrames, timeline.degraded]).toEqual([0, true]);
  });

  it('waits 500 ms for a channel that gives nothing, then goes on without it', () => {
    const { write, read, timeline } = stage(2);
    write(0, ...ticks(1, 26));
    expect(read()).toBe('');
    write(0, 26);
    expect(read()).toBe('1/0');
    // Audio that was given out cannot be taken back.
    write(1, 1, 2);
    expect(read()).toBe('2/2');
    expect(timeline.lostFrames).toBe(1);
  });

  it('gives everything at the end, and is silent behind the shorter channel', () => {
    const { write, read, timeline } = stage(2);
    write(0, 1, 2, 3);
    write(1, 1);
    expect(read()).toBe('1/1');
    expect(read(true)).toBe('2/0 3/0');
    expect(timeline.degraded).toBe(false);
  });

  it('is silent while paused, with no gap in the axis', () => {
    const { write, read, timeline } = stage(1);
    write(0, 1);
    read();
    timeline.pause();
    write(0, 2, 3);
    expect(read()).toBe('0 0');
    timeline.resume();
    write(0, 4);
    expect(read()).toBe('4');
    expect([timeline.lengthMs, timeline.degraded]).toEqual([80, false]);
  });

  it('knows where a tick stands', () => {
    const { write, read, timeline } = stage(1);
    expect(timeline.offsetMs(5)).toBe(0);
    write(0, 100);
    read();
    expect([timeline.offsetMs(150), timeline.offsetMs(90)]).toEqual([1_000, 0]);
  });
});
