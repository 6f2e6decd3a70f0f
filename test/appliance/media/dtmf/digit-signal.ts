import { type Codec, NoiseSource, pcma, pcmu, peakOf, saturate } from '#appliance/media/audio/index.ts';
import {
  type DetectedDigit,
  type DetectorProfile,
  DIGITS,
  DtmfDetector,
  HIGH_HZ,
  LOW_HZ,
} from '#appliance/media/dtmf/index.ts';

/**
 * Digit strings as a bad line delivers them. Written apart from the product's generator, so that one error cannot hide in
 * both: every digit has its own random phase and its own place between the sub-blocks.
 */
export interface Line {
  readonly count?: number;
  readonly onMs?: number;
  readonly offMs?: number;
  readonly lowDbm0?: number;
  readonly highDbm0?: number;
  readonly lowDeviation?: number;
  readonly highDeviation?: number;
  /** Both tones together over white noise; absent: no noise. */
  readonly snrDb?: number;
  readonly seed?: number;
}

export interface SentDigit {
  readonly digit: string;
  readonly startMs: number;
  readonly durationMs: number;
}

export interface Sent {
  readonly samples: Int16Array;
  readonly digits: readonly SentDigit[];
}

const LEAD_SAMPLES = 1_600;

/** All sixteen digits in random order, `count` of them. */
export function digitsOnLine(line: Line = {}): Sent {
  const { count = 400, onMs = 50, offMs = 50, lowDbm0 = -10, highDbm0 = -10, seed = 1 } = line;
  const random = new NoiseSource(seed * 7_919 + 13);
  const chance = () => (random.next() + 1) / 2;
  const on = Math.round(onMs * 8);
  const off = Math.round(offMs * 8);
  const sum = new Float64Array(2 * LEAD_SAMPLES + count * (on + off + 40));
  const digits: SentDigit[] = [];
  let at = LEAD_SAMPLES;
  for (let i = 0; i < count; i++) {
    const symbol = Math.floor(chance() * 16) % 16;
    const lowHz = (LOW_HZ[symbol >> 2] ?? 0) * (1 + (line.lowDeviation ?? 0));
    const highHz = (HIGH_HZ[symbol & 3] ?? 0) * (1 + (line.highDeviation ?? 0));
    at += Math.floor(chance() * 40);
    add(sum, at, on, lowHz, peakOf(lowDbm0), chance());
    add(sum, at, on, highHz, peakOf(highDbm0), chance());
    digits.push({ digit: DIGITS[symbol] ?? '', startMs: at / 8, durationMs: on / 8 });
    at += on + off;
  }
  const power = (peakOf(lowDbm0) ** 2 + peakOf(highDbm0) ** 2) / 2;
  const noise = line.snrDb === undefined ? 0 : Math.sqrt(3 * power * 10 ** (-line.snrDb / 10));
  const length = Math.ceil((at + LEAD_SAMPLES) / 160) * 160;
  const samples = Int16Array.from({ length }, (_, i) =>
    saturate(Math.round((sum[i] ?? 0) + random.next() * noise)),
  );
  return { samples, digits };
}

function add(sum: Float64Array, at: number, length: number, hz: number, peak: number, turn: number): void {
  for (let i = 0; i < length; i++) {
    sum[at + i] = (sum[at + i] ?? 0) + peak * Math.sin(2 * Math.PI * ((hz * i) / 8_000 + turn));
  }
}

export const LAWS = { PCMA: pcma, PCMU: pcmu } as const;

/** There and back through a law. */
export function through(codec: Codec, samples: Int16Array): Int16Array {
  const bytes = new Uint8Array(samples.length);
  codec.encode(samples, bytes, 0);
  const out = new Int16Array(samples.length);
  codec.decode(bytes, 0, bytes.length, out);
  return out;
}

/** Frames as a leg hands them on: what was lost is the last frame again, up to three times, then silence. */
export function forEachFrame(
  samples: Int16Array,
  push: (frame: Int16Array, tick: number, lost: boolean) => void,
  loss: { readonly share: number; readonly seed: number } = { share: 0, seed: 1 },
): void {
  const random = new NoiseSource(loss.seed);
  let last = new Int16Array(160);
  let repeats = 3;
  for (let tick = 0; tick * 160 < samples.length; tick++) {
    const lost = (random.next() + 1) / 2 < loss.share;
    if (!lost) {
      last = samples.slice(tick * 160, tick * 160 + 160);
      repeats = 0;
    }
    push(lost && repeats++ >= 3 ? new Int16Array(160) : last, tick, lost);
  }
}

export function detectedBy(
  profile: DetectorProfile,
  samples: Int16Array,
  loss?: { readonly share: number; readonly seed: number },
): DetectedDigit[] {
  const detected: DetectedDigit[] = [];
  const detector = new DtmfDetector(profile, (event) => detected.push(event));
  forEachFrame(samples, (frame, tick, lost) => detector.push(frame, tick, lost), loss);
  return detected;
}

export interface Score {
  /** Digits heard once at their place. */
  readonly hits: number;
  /** Digits heard that were not sent, or heard twice. */
  readonly extra: number;
  /** Largest error of a start and of a length. */
  readonly startErrorMs: number;
  readonly lengthErrorMs: number;
}

/** Compares what was heard with what was sent. */
export function score(detected: readonly DetectedDigit[], sent: readonly SentDigit[]): Score {
  const ends = detected.filter((event) => event.kind === 'end');
  const free = new Set(ends);
  let [hits, startErrorMs, lengthErrorMs] = [0, 0, 0];
  for (const { digit, startMs, durationMs } of sent) {
    const end = [...free].find(
      (event) => event.digit === digit && Math.abs(event.startMs - startMs) < durationMs / 2 + 15,
    );
    if (end === undefined) continue;
    free.delete(end);
    hits++;
    startErrorMs = Math.max(startErrorMs, Math.abs(end.startMs - startMs));
    lengthErrorMs = Math.max(lengthErrorMs, Math.abs(end.durationMs - durationMs));
  }
  return { hits, extra: free.size, startErrorMs, lengthErrorMs };
}
