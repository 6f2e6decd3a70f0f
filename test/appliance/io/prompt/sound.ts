import { fileURLToPath } from 'node:url';
import { Mp3Encoders } from '#appliance/io/recorder/mp3-coder.ts';
import { FRAME_SAMPLES } from '#appliance/media/audio/index.ts';
import type { PreparedPrompt } from '#appliance/media/control/index.ts';
import { wavHeader } from '#appliance/media/recording/index.ts';

export const sine = (hz: number, seconds: number, sampleRate: number): Int16Array =>
  Int16Array.from({ length: seconds * sampleRate }, (_, i) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * hz * i) / sampleRate)),
  );

/** 16-bit WAV, the same sound in every channel. */
export function wavOf(samples: Int16Array, sampleRate: number, channels = 1): Buffer {
  const body = Buffer.alloc(samples.length * channels * 2);
  for (const [i, sample] of samples.entries()) {
    for (let channel = 0; channel < channels; channel++)
      body.writeInt16LE(sample, 2 * (i * channels + channel));
  }
  return Buffer.concat([wavHeader({ format: 'pcm16', channels, sampleRate }, body.length), body]);
}

/** MP3 of 8 kHz sound, by the encoder of recordings. */
export async function mp3Of(samples: Int16Array): Promise<Buffer> {
  const encoders = await Mp3Encoders.load(fileURLToPath(import.meta.resolve('wasm-media-encoders/wasm/mp3')));
  const coder = await encoders.coder(1);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at + FRAME_SAMPLES <= samples.length; at += FRAME_SAMPLES) {
    pieces.push(coder.encode([samples.subarray(at, at + FRAME_SAMPLES)]).slice());
  }
  pieces.push(coder.finish());
  return Buffer.concat(pieces);
}

/** The frequency of a steady tone by its zero crossings, and its peak. */
export function detectedIn({ pcm }: PreparedPrompt): { readonly hz: number; readonly peak: number } {
  const samples = new Int16Array(pcm);
  const middle = samples.subarray(2_000, samples.length - 2_000);
  let crossings = 0;
  for (let i = 1; i < middle.length; i++) if ((middle[i - 1] ?? 0) < 0 !== (middle[i] ?? 0) < 0) crossings++;
  return {
    hz: (crossings * 4_000) / middle.length,
    peak: middle.reduce((most, each) => Math.max(most, each), 0),
  };
}
