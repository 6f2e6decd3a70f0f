import { pcma } from '../audio/index.ts';

/** The formats of recordings: 16-bit samples, or A-law at half the size. */
export type WavFormat = 'pcm16' | 'alaw';

export interface WavSetting {
  readonly format: WavFormat;
  readonly channels: number;
  readonly sampleRate: number;
}

const PCM = 1;
const ALAW = 6;

/** Bytes of one sample of one channel. */
const bytesPerSample = (format: WavFormat): number => (format === 'alaw' ? 1 : 2);

/** Bytes in front of the samples. */
export const wavHeaderBytes = (format: WavFormat): number => (format === 'alaw' ? 58 : 44);

/**
 * The bytes in front of `dataBytes` of samples.
 *
 * ```
 *   RIFF size WAVE | fmt  16 …            | data size | samples        PCM
 *   RIFF size WAVE | fmt  18 … | fact 4 n | data size | samples        A-law
 * ```
 * The same length whatever the size, so a running recording is patched in place. Sizes stop at 4 GiB, as the format does.
 */
export function wavHeader({ format, channels, sampleRate }: WavSetting, dataBytes: number): Uint8Array {
  const header = Buffer.alloc(wavHeaderBytes(format));
  const frameBytes = channels * bytesPerSample(format);
  const size = Math.min(dataBytes, 0xffff_ffff - header.length);
  header.write('RIFF', 0, 'latin1');
  header.writeUInt32LE(header.length - 8 + size + (size % 2), 4);
  header.write('WAVEfmt ', 8, 'latin1');
  header.writeUInt32LE(format === 'alaw' ? 18 : 16, 16);
  header.writeUInt16LE(format === 'alaw' ? ALAW : PCM, 20);
  header.writeUInt16LE(channels, 22);
  header.writeUInt32LE(sampleRate, 24);
  header.writeUInt32LE(sampleRate * frameBytes, 28);
  header.writeUInt16LE(frameBytes, 32);
  header.writeUInt16LE(8 * bytesPerSample(format), 34);
  if (format === 'alaw') {
    header.write('fact', 38, 'latin1');
    header.writeUInt32LE(4, 42);
    header.writeUInt32LE(Math.floor(size / frameBytes), 46);
  }
  header.write('data', header.length - 8, 'latin1');
  header.writeUInt32LE(size, header.length - 4);
  return header;
}

/** Reads a head that `wavHeader` wrote; undefined for any other. For a recording whose writer has died. */
export function wavSettingOf(head: Uint8Array): WavSetting | undefined {
  if (head.length < wavHeaderBytes('pcm16')) return undefined;
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const setting: WavSetting = {
    format: view.getUint16(20, true) === ALAW ? 'alaw' : 'pcm16',
    channels: view.getUint16(22, true),
    sampleRate: view.getUint32(24, true),
  };
  const frameBytes = wavFrameBytes(setting);
  // A damaged head may say what no head can hold.
  if (frameBytes === 0 || frameBytes > 0xffff || setting.sampleRate * frameBytes > 0xffff_ffff)
    return undefined;
  const header = wavHeader(setting, 0);
  const same = (at: number) => header[at] === head[at];
  // Everything but the sizes.
  const fixed = [0, 1, 2, 3, ...Array.from({ length: 28 }, (_, index) => 8 + index)];
  return fixed.every(same) ? setting : undefined;
}

/** Bytes of one sample of every channel. */
export const wavFrameBytes = ({ format, channels }: WavSetting): number => channels * bytesPerSample(format);

/**
 * Samples of all channels as they stand in the file, interleaved; shorter channels are filled with silence.
 *
 * @returns the bytes written to `target` at `offset`
 */
export function writeWavSamples(
  channels: readonly Int16Array[],
  format: WavFormat,
  target: Uint8Array,
  offset: number,
): number {
  const frames = Math.max(0, ...channels.map(({ length }) => length));
  const one = new Int16Array(1);
  let at = offset;
  for (let frame = 0; frame < frames; frame++) {
    for (const channel of channels) {
      const sample = channel[frame] ?? 0;
      if (format === 'alaw') {
        one[0] = sample;
        at += pcma.encode(one, target, at);
      } else {
        target[at++] = sample;
        target[at++] = sample >> 8;
      }
    }
  }
  return at - offset;
}

/** A whole file. */
export function writeWav(
  channels: readonly Int16Array[],
  { format = 'pcm16', sampleRate = 8_000 }: Partial<Omit<WavSetting, 'channels'>> = {},
): Uint8Array {
  const frames = Math.max(0, ...channels.map(({ length }) => length));
  const dataBytes = frames * channels.length * bytesPerSample(format);
  const header = wavHeader({ format, channels: channels.length, sampleRate }, dataBytes);
  // Chunks are padded to even length.
  const file = new Uint8Array(header.length + dataBytes + (dataBytes % 2));
  file.set(header);
  writeWavSamples(channels, format, file, header.length);
  return file;
}
