import { FRAME_MS, FRAME_SAMPLES, type RingMemory, RingReader } from '../../media/audio/index.ts';
import { Timeline } from '../../media/recording/index.ts';

/** Chosen: a channel that gives nothing is taken for silent when another is 100 ms ahead. */
const GRACE_FRAMES = 5;
const SAMPLE_BYTES = 2;

/**
 * Cuts channels into chunks of equal length.
 *
 * ```
 *   frame of 2 channels, 40 ms   | A: 320 samples | B: 320 samples |      16-bit little-endian, 8 kHz
 * ```
 */
export class Chunker {
  readonly #timeline: Timeline;
  readonly #frames: readonly Int16Array[];
  readonly #framesPerChunk: number;
  #chunk: Uint8Array;
  #filled = 0;

  constructor(inputs: readonly RingMemory[], chunkMs: number) {
    this.#timeline = new Timeline(
      inputs.map((memory) => new RingReader(memory)),
      GRACE_FRAMES,
    );
    this.#frames = inputs.map(() => new Int16Array(FRAME_SAMPLES));
    this.#framesPerChunk = chunkMs / FRAME_MS;
    this.#chunk = this.#empty();
  }

  /** The next whole chunk, yours to keep; undefined when there is none yet. */
  next(): Uint8Array | undefined {
    while (this.#timeline.next(this.#frames)) {
      const view = new DataView(this.#chunk.buffer);
      const channelBytes = this.#framesPerChunk * FRAME_SAMPLES * SAMPLE_BYTES;
      for (const [channel, frame] of this.#frames.entries()) {
        const at = channel * channelBytes + this.#filled * FRAME_SAMPLES * SAMPLE_BYTES;
        for (let i = 0; i < FRAME_SAMPLES; i++) view.setInt16(at + i * SAMPLE_BYTES, frame[i] ?? 0, true);
      }
      if (++this.#filled < this.#framesPerChunk) continue;
      const whole = this.#chunk;
      this.#chunk = this.#empty();
      this.#filled = 0;
      return whole;
    }
    return undefined;
  }

  #empty(): Uint8Array {
    return new Uint8Array(this.#frames.length * this.#framesPerChunk * FRAME_SAMPLES * SAMPLE_BYTES);
  }
}
