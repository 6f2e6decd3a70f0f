import type { SpokenPiece } from './provider.ts';

/** Enough for any head that a synthesizer writes. */
const LONGEST_HEAD = 4_096;

/**
 * PCM of a WAV file that is still being written: its sizes are not known yet and not believed. Throws when it is no 16-bit
 * mono WAV.
 */
export async function* wavPieces(chunks: AsyncIterable<Uint8Array>): AsyncIterable<SpokenPiece> {
  let held = Buffer.alloc(0);
  let sampleRate: number | undefined;
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    if (sampleRate === undefined) {
      const head = headOf(held);
      if (head === undefined) continue;
      sampleRate = head.sampleRate;
      held = held.subarray(head.length);
    }
    const whole = held.length & ~1;
    if (whole > 0) yield { samples: samplesOf(held.subarray(0, whole)), sampleRate };
    held = held.subarray(whole);
  }
  if (sampleRate === undefined) throw new Error(`answered ${held.length} bytes that are no WAV file`);
}

/** Raw 16-bit little-endian samples. */
export async function* pcmPieces(
  chunks: AsyncIterable<Uint8Array>,
  sampleRate: number,
): AsyncIterable<SpokenPiece> {
  let held = Buffer.alloc(0);
  for await (const chunk of chunks) {
    held = Buffer.concat([held, chunk]);
    const whole = held.length & ~1;
    if (whole > 0) yield { samples: samplesOf(held.subarray(0, whole)), sampleRate };
    held = held.subarray(whole);
  }
}

/** Sampling rate, and where the samples begin; undefined while more is needed. */
function headOf(bytes: Buffer): { readonly sampleRate: number; readonly length: number } | undefined {
  if (bytes.length < 12) return undefined;
  if (bytes.toString('latin1', 0, 4) !== 'RIFF' || bytes.toString('latin1', 8, 12) !== 'WAVE')
    throw new Error('answered something that is no WAV file');
  let sampleRate: number | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    if (name === 'data') {
      if (sampleRate === undefined) throw new Error('answered a WAV file without a format');
      return { sampleRate, length: at + 8 };
    }
    if (name === 'fmt ') {
      if (at + 24 > bytes.length) return undefined;
      const [tag, channels, bits] = [8, 10, 22].map((offset) => bytes.readUInt16LE(at + offset));
      if (tag !== 1 || channels !== 1 || bits !== 16)
        throw new Error(
          `answered WAV format ${tag} with ${channels} channels of ${bits} bits, not 16-bit mono`,
        );
      sampleRate = bytes.readUInt32LE(at + 12);
    }
    at += 8 + length + (length % 2);
    if (at > LONGEST_HEAD) throw new Error('answered a WAV file with an endless head');
  }
  return undefined;
}

function samplesOf(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length / 2);
  for (let i = 0; i < samples.length; i++) samples[i] = bytes.readInt16LE(2 * i);
  return samples;
}
