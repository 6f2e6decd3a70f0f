import { pcma, pcmu, Resampler, SAMPLE_RATE } from '../audio/index.ts';
import type { MediaFormat } from './media-stream-message.ts';

const SAMPLE_BYTES = 2;
/** Samples that the resampler keeps back at its begin when it doubles the rate; silence stands for them. */
const HELD_BACK = 32;

/** Samples of a call, 8 kHz, to the bytes that a program wants. Each channel has one of its own. */
export class SampleWriter {
  readonly #format: MediaFormat;
  readonly #resampler: Resampler | undefined;
  #held: Int16Array = new Int16Array(HELD_BACK);

  constructor(format: MediaFormat) {
    this.#format = format;
    this.#resampler =
      format.sampleRate === SAMPLE_RATE ? undefined : new Resampler(SAMPLE_RATE, format.sampleRate);
  }

  /** The bytes of these samples: the same length of time, always. */
  write(samples: Int16Array): Uint8Array {
    const { encoding } = this.#format;
    const all = this.#resampler === undefined ? samples : this.#resampled(samples, this.#resampler);
    const bytes = new Uint8Array(encoding === 'audio/x-l16' ? all.length * SAMPLE_BYTES : all.length);
    if (encoding === 'audio/x-mulaw') pcmu.encode(all, bytes, 0);
    else if (encoding === 'audio/x-alaw') pcma.encode(all, bytes, 0);
    else {
      const view = new DataView(bytes.buffer);
      for (const [i, sample] of all.entries()) view.setInt16(i * SAMPLE_BYTES, sample, true);
    }
    return bytes;
  }

  #resampled(samples: Int16Array, resampler: Resampler): Int16Array {
    const out = new Int16Array(resampler.room(samples.length));
    const made = out.subarray(0, resampler.push(samples, out));
    const all = new Int16Array(this.#held.length + made.length);
    all.set(this.#held);
    all.set(made, this.#held.length);
    const wanted = (samples.length * this.#format.sampleRate) / SAMPLE_RATE;
    this.#held = all.slice(wanted);
    return all.subarray(0, wanted);
  }
}

/** The bytes of a program to samples of a call, 8 kHz. */
export class SampleReader {
  readonly #format: MediaFormat;
  readonly #resampler: Resampler | undefined;
  /** First half of a sample whose second half has not come. */
  #half: number | undefined;

  constructor(format: MediaFormat) {
    this.#format = format;
    this.#resampler =
      format.sampleRate === SAMPLE_RATE ? undefined : new Resampler(format.sampleRate, SAMPLE_RATE);
  }

  /** Samples of these bytes. A sample that two messages share is whole with the second one. */
  read(bytes: Uint8Array): Int16Array {
    const samples = this.#decoded(bytes);
    if (this.#resampler === undefined) return samples;
    const out = new Int16Array(this.#resampler.room(samples.length));
    return out.subarray(0, this.#resampler.push(samples, out));
  }

  #decoded(bytes: Uint8Array): Int16Array {
    const { encoding } = this.#format;
    if (encoding === 'audio/x-l16') return this.#linear(bytes);
    const samples = new Int16Array(bytes.length);
    (encoding === 'audio/x-mulaw' ? pcmu : pcma).decode(bytes, 0, bytes.length, samples);
    return samples;
  }

  #linear(bytes: Uint8Array): Int16Array {
    const whole = this.#half === undefined ? bytes : Uint8Array.from([this.#half, ...bytes]);
    const samples = new Int16Array(Math.floor(whole.length / SAMPLE_BYTES));
    const view = new DataView(whole.buffer, whole.byteOffset, whole.length);
    for (let i = 0; i < samples.length; i++) samples[i] = view.getInt16(i * SAMPLE_BYTES, true);
    this.#half = whole.length % SAMPLE_BYTES === 0 ? undefined : whole.at(-1);
    return samples;
  }
}

/** Samples of one channel in a chunk that holds channel after channel. */
export const channelOf = (chunk: Int16Array, channel: number, channels: number): Int16Array => {
  const length = chunk.length / channels;
  return chunk.subarray(channel * length, (channel + 1) * length);
};
