import { describe, expect, it } from 'vitest';
import { FRAME_SAMPLES, peakOf } from '#appliance/media/audio/index.ts';
import { dtmf, render, tone } from '#appliance/media/dtmf/index.ts';
import { Utterance } from '#appliance/media/speech/index.ts';
import { VoiceActivity } from '#appliance/media/speech/voice-activity.ts';

/** Noise of an even level, the same in each run. */
function noise(ms: number, dbm0: number): Int16Array {
  const peak = peakOf(dbm0);
  let seed = 17;
  return Int16Array.from({ length: ms * 8 }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (seed / 1_073_741_824 - 1) * peak * 1.2;
  });
}
const voice = (ms: number, dbm0 = -18): Int16Array => render([tone(240, ms, dbm0)]);

function frames(...parts: readonly Int16Array[]): Int16Array[] {
  const all = parts.flatMap((part) => [...part]);
  return Array.from({ length: Math.floor(all.length / FRAME_SAMPLES) }, (_, i) =>
    Int16Array.from(all.slice(i * FRAME_SAMPLES, (i + 1) * FRAME_SAMPLES)),
  );
}

/** Begin and end of speech with their times, ms. */
function detected(endSilenceMs: number, ...parts: readonly Int16Array[]): string[] {
  const activity = new VoiceActivity(endSilenceMs);
  return frames(...parts).flatMap((frame, index) => {
    const event = activity.push(frame);
    return event === undefined ? [] : [`${event} ${index * 20 + 20}`];
  });
}

describe('begin and end of speech', () => {
  const quiet = new Int16Array(8 * 500);

  it('is noticed 120 ms after its begin, and endSilence after its end', () => {
    expect(detected(600, quiet, voice(1_000), new Int16Array(8 * 1_000))).toEqual([
      'started 620',
      'ended 2100',
    ]);
  });

  it.each([-60, -45, -38])('stands out of noise of %d dBm0', (dbm0) => {
    expect(detected(400, noise(2_000, dbm0), voice(800, -15), noise(1_500, dbm0))).toEqual([
      'started 2120',
      'ended 3200',
    ]);
  });

  it('may be the first thing on the line', () => {
    expect(detected(400, voice(600, -15), quiet)).toEqual(['started 120', 'ended 1000']);
  });

  it('goes on over the pauses between words', () => {
    const word = voice(300);
    const gap = new Int16Array(8 * 300);
    expect(detected(500, word, gap, word, gap, word, quiet)).toEqual(['started 120', 'ended 2000']);
  });

  it.each([
    ['a click', [quiet, render([tone(1_000, 40, -6)]), quiet]],
    ['a whisper of the line', [quiet, noise(2_000, -50), quiet]],
    ['steady noise', [noise(4_000, -40)]],
    ['nothing', [quiet]],
  ])('%s is none', (_, parts) => {
    expect(detected(400, ...parts)).toEqual([]);
  });

  it('noise that becomes louder for good is followed', () => {
    const reported = detected(400, noise(1_000, -60), noise(20_000, -38), voice(800, -12), noise(1_000, -38));
    expect(reported.slice(-2)).toEqual(['started 21120', 'ended 22200']);
  });

  it('a key is as loud as speech: whoever listens for keys hears them first', () => {
    const key = dtmf('5', { onMs: 200, offMs: 100 });
    expect(key.ok && detected(100, quiet, render(key.value))).toEqual(['started 620', 'ended 800']);
  });
});

describe('an utterance', () => {
  function utterance(endSilenceMs: number, longestMs: number, ...parts: readonly Int16Array[]) {
    const hearing = new Utterance({ endSilenceMs, longestMs });
    return frames(...parts).flatMap((frame) => hearing.push(frame) ?? []);
  }
  const quiet = new Int16Array(8 * 1_000);

  it('has its audio from 300 ms before it was noticed to the end of the silence', () => {
    const [started, ended, ...more] = utterance(400, 10_000, quiet, voice(500), quiet, voice(500), quiet);
    expect(started).toEqual({ kind: 'started' });
    expect(ended).toMatchObject({ kind: 'ended', durationMs: 320 + 380 + 400 });
    expect(more).toEqual([]);
    const { samples } = ended as { samples: Int16Array };
    expect(samples.length).toBe((320 + 380 + 400) * 8);
    // 200 ms of silence, then the voice.
    expect(Math.max(...samples.subarray(0, 190 * 8))).toBe(0);
    expect(Math.max(...samples.subarray(200 * 8, 300 * 8))).toBeGreaterThan(1_000);
  });

  it('without an end is cut at its longest duration', () => {
    const reported = utterance(400, 2_000, voice(5_000));
    expect(reported.map(({ kind }) => kind)).toEqual(['started', 'ended']);
    expect(reported[1]).toMatchObject({ durationMs: 2_120 });
  });
});
