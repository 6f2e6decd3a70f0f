import { fail, ok, type Result } from '#shared/result.ts';
import { pcma, pcmu, Resampler, SAMPLE_RATE, saturate } from '../audio/index.ts';
import type { PreparedPrompt } from '../control/index.ts';
import { MOST_SECONDS, type PromptFault } from './source.ts';

/** Blocks of at most this many input samples go through the resampler. */
const BLOCK = 8_192;

/**
 * Makes a prompt of decoded sound that comes piece by piece: channels are averaged, the rate becomes 8 kHz, and at the end
 * the two G.711 laws are made ready. A source may change its rate on the way (chained streams).
 */
export class PromptMaker {
  readonly #name: string;
  readonly #mostSamples: number;
  readonly #pieces: Int16Array[] = [];
  #samples = 0;
  #rate = SAMPLE_RATE;
  #resampler: Resampler | null = null;
  /** Input samples of the current rate, and what they have become. */
  #taken = 0;
  #given = 0;

  /** @param name of the source, for errors */
  constructor(name: string, mostSeconds = MOST_SECONDS) {
    this.#name = name;
    this.#mostSamples = mostSeconds * SAMPLE_RATE;
  }

  get tooLong(): boolean {
    return this.#samples > this.#mostSamples;
  }

  /** Tells how long the source is: one that is too long need not be worked on. */
  foresee(samples: number, sampleRate: number): void {
    if (samples / sampleRate > this.#mostSamples / SAMPLE_RATE) this.#samples = this.#mostSamples + 1;
  }

  /** One array per channel, −1 to 1. */
  pushFloat(channels: readonly Float32Array[], sampleRate: number): void {
    const length = channels[0]?.length ?? 0;
    const scale = 32_768 / Math.max(1, channels.length);
    for (let from = 0; from < length; from += BLOCK) {
      const mono = new Int16Array(Math.min(BLOCK, length - from));
      for (let i = 0; i < mono.length; i++) {
        let sum = 0;
        for (const channel of channels) sum += channel[from + i] ?? 0;
        mono[i] = saturate(Math.round(sum * scale));
      }
      this.#take(mono, sampleRate);
    }
  }

  /** One array per channel, 16 bits. */
  push(channels: readonly Int16Array[], sampleRate: number): void {
    const [first, ...others] = channels;
    if (first === undefined) return;
    for (let from = 0; from < first.length; from += BLOCK) {
      const mono = first.slice(from, from + BLOCK);
      if (others.length > 0) {
        for (let i = 0; i < mono.length; i++) {
          let sum = mono[i] ?? 0;
          for (const channel of others) sum += channel[from + i] ?? 0;
          mono[i] = Math.round(sum / channels.length);
        }
      }
      this.#take(mono, sampleRate);
    }
  }

  finish(): Result<PreparedPrompt, PromptFault> {
    this.#flush();
    if (this.tooLong) {
      return fail(
        'TooLong',
        `${this.#name} is longer than ${this.#mostSamples / SAMPLE_RATE / 60} minutes; shorten it or divide it.`,
      );
    }
    if (this.#samples === 0) return fail('Unreadable', `${this.#name} holds no sound.`);
    return ok(preparedOf(this.#pieces, this.#samples));
  }

  #take(mono: Int16Array, sampleRate: number): void {
    if (sampleRate !== this.#rate) {
      this.#flush();
      this.#rate = sampleRate;
      this.#resampler = sampleRate === SAMPLE_RATE ? null : new Resampler(sampleRate, SAMPLE_RATE);
    }
    if (this.#resampler === null) {
      this.#keep(mono);
      return;
    }
    const out = new Int16Array(this.#resampler.room(mono.length));
    const count = this.#resampler.push(mono, out);
    this.#taken += mono.length;
    this.#given += count;
    this.#keep(out.slice(0, count));
  }

  /** Lets the resampler's last samples out: as many as the source was long. */
  #flush(): void {
    if (this.#resampler !== null) {
      const out = new Int16Array(this.#resampler.room(0));
      const wanted = Math.ceil((this.#taken * SAMPLE_RATE) / this.#rate) - this.#given;
      this.#keep(out.slice(0, Math.max(0, Math.min(this.#resampler.flush(out), wanted))));
    }
    this.#resampler = null;
    this.#rate = SAMPLE_RATE;
    this.#taken = 0;
    this.#given = 0;
  }

  #keep(piece: Int16Array): void {
    // Audio that is too long anyway is only counted.
    if (!this.tooLong) this.#pieces.push(piece);
    this.#samples += piece.length;
  }
}

function preparedOf(pieces: readonly Int16Array[], samples: number): PreparedPrompt {
  const pcm = new Int16Array(new SharedArrayBuffer(2 * samples));
  const alaw = new Uint8Array(new SharedArrayBuffer(samples));
  const ulaw = new Uint8Array(new SharedArrayBuffer(samples));
  let at = 0;
  for (const piece of pieces) {
    pcm.set(piece, at);
    pcma.encode(piece, alaw, at);
    pcmu.encode(piece, ulaw, at);
    at += piece.length;
  }
  return { samples, pcm: pcm.buffer, alaw: alaw.buffer, ulaw: ulaw.buffer };
}
