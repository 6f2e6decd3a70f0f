import { FRAME_SAMPLES, SAMPLE_RATE } from '../../media/audio/index.ts';
import { type WavFormat, wavFrameBytes, wavHeader, writeWavSamples } from '../../media/recording/index.ts';

/** Turns frames of audio into the bytes of one file. */
export interface Coder {
  /** The audio is made of units this long; a file that was cut off is cut to whole ones. */
  readonly unitBytes: number;
  /** Bytes in front of the audio, the same length whatever is in the file. @param bodyBytes bytes behind them */
  head(samples: number, bodyBytes: number): Uint8Array;
  /** One frame of 160 samples for each channel; what comes out is good until the next call, and may be empty. */
  encode(channels: readonly Int16Array[]): Uint8Array;
  /** The last bytes; the coder is used up. */
  finish(): Uint8Array;
}

const NOTHING = new Uint8Array(0);

export function wavCoder(format: WavFormat, channels: number): Coder {
  const setting = { format, channels, sampleRate: SAMPLE_RATE };
  const out = new Uint8Array(FRAME_SAMPLES * wavFrameBytes(setting));
  return {
    unitBytes: wavFrameBytes(setting),
    head: (_, bodyBytes) => wavHeader(setting, bodyBytes),
    encode(frame) {
      writeWavSamples(frame, format, out, 0);
      return out;
    },
    finish: () => NOTHING,
  };
}
