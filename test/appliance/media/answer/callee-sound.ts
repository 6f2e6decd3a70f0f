import { NoiseSource, peakOf, saturate } from '#appliance/media/audio/index.ts';
import { render, silence, type ToneSegment } from '#appliance/media/dtmf/index.ts';

/* Sounds of a callee for the analysis of its answer, made of numbers only. */

const SAMPLES_PER_MS = 8;

/** Tones and pauses one after the other. */
export const tones = (segments: readonly ToneSegment[]): Int16Array => render(segments);

export const quiet = (ms: number): Int16Array => render([silence(ms)]);

export function joined(...parts: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Two sounds at once. */
export const mixed = (one: Int16Array, other: Int16Array): Int16Array =>
  one.map((sample, n) => saturate(sample + (other[n] ?? 0)));

/**
 * Something like speech: syllables of 180 ms with pauses of 60 ms, each of a gliding pitch with five overtones and some breath.
 */
export function speech(ms: number, levelDbm0 = -16, seed = 1): Int16Array {
  const noise = new NoiseSource(seed);
  const peak = peakOf(levelDbm0);
  let phase = 0;
  return Int16Array.from({ length: ms * SAMPLES_PER_MS }, (_, n) => {
    const inSyllable = (n / SAMPLES_PER_MS) % 240;
    if (inSyllable >= 180) return 0;
    phase += (2 * Math.PI * (140 + inSyllable / 4)) / 8_000;
    let voice = 0;
    for (let overtone = 1; overtone <= 6; overtone++) voice += Math.sin(overtone * phase) / overtone;
    const shape = Math.sin((Math.PI * inSyllable) / 180);
    return saturate(Math.round(peak * shape * (0.7 * voice + 0.1 * noise.next())));
  });
}
