import { type FrameSource, peakOf, SAMPLE_RATE, saturate } from '../audio/index.ts';
import type { ToneSegment } from './tone-script.ts';

/** Highest value mu-law can carry; A-law reaches a little further. */
const G711_PEAK = 32_124;

const samplesOf = (ms: number): number => Math.round((ms * SAMPLE_RATE) / 1_000);

/**
 * Plays segments exactly to the sample: a segment ends in the middle of a frame when its time is over.
 *
 * ```
 *   frame      |--------160--------|--------160--------|
 *   segments   tone 697+1209  |pause     |tone 770+1209 …
 * ```
 * Edges are placed on the running sum of the times, so rounding never adds up. A sound that would not fit into G.711 is lowered
 * as a whole, so that the twist stays as asked and nothing clips.
 */
export class ToneGenerator implements FrameSource {
  readonly #segments: readonly ToneSegment[];
  readonly #repeat: boolean;
  #index = 0;
  #elapsedMs = 0;
  /** Edges of the current segment, in samples since the start. */
  #start = 0;
  #end = 0;
  #sample = 0;
  /** Per sine of the segment: phase at its start is 0; radians per sample, and peak. */
  readonly #steps: number[] = [];
  readonly #peaks: number[] = [];
  #ramp = 0;
  #done: boolean;

  /** @param repeat begin again after the last segment, for ever */
  constructor(segments: readonly ToneSegment[], repeat = false) {
    this.#segments = segments;
    this.#repeat = repeat && segments.some(({ ms }) => ms > 0);
    this.#done = segments.length === 0;
    if (!this.#done) this.#enter(0);
  }

  /** Whether everything was played. */
  get done(): boolean {
    return this.#done;
  }

  /** Fills a frame; what comes after the last segment is silence. False, and `out` untouched, when nothing is left. */
  pull(out: Int16Array): boolean {
    if (this.#done) return false;
    let at = 0;
    while (at < out.length && !this.#done) {
      while (this.#sample >= this.#end && !this.#done) this.#advance();
      const count = Math.min(out.length - at, this.#end - this.#sample);
      if (!this.#done) this.#render(out, at, count);
      at += this.#done ? 0 : count;
    }
    out.fill(0, at);
    while (this.#sample >= this.#end && !this.#done) this.#advance();
    return at > 0;
  }

  #advance(): void {
    const next = this.#index + 1;
    if (next < this.#segments.length) this.#enter(next);
    else if (this.#repeat) this.#enter(0);
    else this.#done = true;
  }

  #enter(index: number): void {
    const segment = this.#segments[index];
    if (segment === undefined) return;
    this.#index = index;
    this.#start = samplesOf(this.#elapsedMs);
    this.#elapsedMs += Math.max(0, segment.ms);
    this.#end = samplesOf(this.#elapsedMs);
    this.#ramp = samplesOf(segment.rampMs);
    const peaks = segment.sines.map(({ levelDbm0 }) => peakOf(levelDbm0));
    const fit = Math.min(1, G711_PEAK / peaks.reduce((sum, peak) => sum + peak, 1e-9));
    this.#peaks.splice(0, Infinity, ...peaks.map((peak) => peak * fit));
    this.#steps.splice(0, Infinity, ...segment.sines.map(({ hz }) => (2 * Math.PI * hz) / SAMPLE_RATE));
  }

  #render(out: Int16Array, at: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const n = this.#sample - this.#start;
      let value = 0;
      for (let sine = 0; sine < this.#steps.length; sine++) {
        value += (this.#peaks[sine] ?? 0) * Math.sin((this.#steps[sine] ?? 0) * n);
      }
      out[at + i] = saturate(Math.round(value * this.#slope(n)));
      this.#sample++;
    }
  }

  /** Raised cosine at both edges. */
  #slope(n: number): number {
    const distance = Math.min(n, this.#end - this.#start - 1 - n) + 0.5;
    return distance >= this.#ramp ? 1 : 0.5 - 0.5 * Math.cos((Math.PI * distance) / this.#ramp);
  }
}

/** Renders segments as a whole, for prompts and tests. */
export function render(segments: readonly ToneSegment[]): Int16Array {
  const out = new Int16Array(samplesOf(segments.reduce((sum, { ms }) => sum + Math.max(0, ms), 0)));
  new ToneGenerator(segments).pull(out);
  return out;
}
