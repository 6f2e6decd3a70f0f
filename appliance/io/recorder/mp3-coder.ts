import { readFile } from 'node:fs/promises';
import { createEncoder, type WasmMediaEncoder } from 'wasm-media-encoders';
import { FRAME_SAMPLES, SAMPLE_RATE } from '../../media/audio/index.ts';
import { mp3FrameBytes, mp3InfoFrame } from '../../media/recording/index.ts';
import type { Coder } from './coder.ts';

type Encoder = WasmMediaEncoder<'audio/mpeg'>;

/** Chosen: frames handed to the encoder at once (200 ms); each call costs as much as some of them. */
const BATCH_FRAMES = 10;
/** CBR: at 8 kHz 16 kbit/s is heard as noise, 32 as the telephone. */
const KBIT_PER_CHANNEL = 32;

/**
 * LAME, compiled to WebAssembly once and made into an encoder for each recording; encoders are used again.
 *
 * The compiled file stands apart (LGPL): another build of it takes its place without touching ours.
 */
export class Mp3Encoders {
  readonly #module: WebAssembly.Module;
  readonly #idle: Encoder[] = [];

  private constructor(module: WebAssembly.Module) {
    this.#module = module;
  }

  /** @param wasmFile path of `mp3.wasm` */
  static async load(wasmFile: string): Promise<Mp3Encoders> {
    const bytes = new Uint8Array(await readFile(wasmFile));
    const compiled: WebAssembly.Module[] = [];
    // The first encoder compiles what the others share: before anybody waits for it.
    const first = await createEncoder('audio/mpeg', bytes, (module) => compiled.push(module));
    const [module] = compiled;
    if (module === undefined) throw new Error(`${wasmFile} holds no encoder`);
    const encoders = new Mp3Encoders(module);
    encoders.#idle.push(first);
    (await encoders.coder(2)).finish();
    return encoders;
  }

  async coder(channels: 1 | 2): Promise<Coder> {
    const encoder = this.#idle.pop() ?? (await createEncoder('audio/mpeg', this.#module));
    const bitrate = channels === 1 ? KBIT_PER_CHANNEL : 64;
    encoder.configure({ sampleRate: SAMPLE_RATE, channels, bitrate });
    return new Mp3Coder(encoder, channels, () => this.#idle.push(encoder));
  }
}

class Mp3Coder implements Coder {
  readonly unitBytes: number;
  readonly #encoder: Encoder;
  readonly #channels: 1 | 2;
  readonly #release: () => void;
  readonly #batch: readonly Float32Array[];
  #filled = 0;

  constructor(encoder: Encoder, channels: 1 | 2, release: () => void) {
    this.#encoder = encoder;
    this.#channels = channels;
    this.#release = release;
    this.unitBytes = mp3FrameBytes(channels);
    this.#batch = Array.from({ length: channels }, () => new Float32Array(BATCH_FRAMES * FRAME_SAMPLES));
  }

  head(samples: number, bodyBytes: number): Uint8Array {
    const frames = Math.floor(bodyBytes / this.unitBytes);
    return mp3InfoFrame({ channels: this.#channels, frames, samples });
  }

  encode(channels: readonly Int16Array[]): Uint8Array {
    for (const [index, batch] of this.#batch.entries()) {
      const frame = channels[index];
      for (let i = 0; i < FRAME_SAMPLES; i++) batch[this.#filled + i] = (frame?.[i] ?? 0) / 32_768;
    }
    this.#filled += FRAME_SAMPLES;
    if (this.#filled < BATCH_FRAMES * FRAME_SAMPLES) return NOTHING;
    this.#filled = 0;
    return this.#encoder.encode(this.#batch);
  }

  finish(): Uint8Array {
    const rest = this.#encoder.encode(this.#batch.map((batch) => batch.subarray(0, this.#filled))).slice();
    const last = this.#encoder.finalize();
    const all = Buffer.concat([rest, last]);
    this.#release();
    return all;
  }
}

const NOTHING = new Uint8Array(0);
