/** Inside the engine audio is mono, 8 kHz, Int16, in frames of 20 ms. */
export const SAMPLE_RATE = 8_000;
export const FRAME_MS = 20;
export const FRAME_SAMPLES = 160;

/** Gives the next frame; false means silence, and `out` is left alone. */
export interface FrameSource {
  pull(out: Int16Array, tick: number): boolean;
}

/** Takes every frame of a leg; `lost` says that the frame is concealment. */
export interface FrameSink {
  push(frame: Int16Array, tick: number, lost: boolean): void;
}

/** One direction each of a speech codec; stateful ones are made once per leg and direction. */
export interface Codec {
  /** Decodes `length` bytes at `offset`; answers the samples written to `out`. */
  decode(source: Uint8Array, offset: number, length: number, out: Int16Array): number;
  /** Encodes all of `frame` to `target` at `offset`; answers the bytes written. */
  encode(frame: Int16Array, target: Uint8Array, offset: number): number;
}

/** The nearest value an Int16 holds: sums and gains saturate, they never wrap. */
export const saturate = (value: number): number =>
  value > 32_767 ? 32_767 : value < -32_768 ? -32_768 : value;
