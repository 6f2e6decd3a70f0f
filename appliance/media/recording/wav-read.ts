import { fail, ok, type Result } from '#shared/result.ts';
import { pcma, pcmu, saturate } from '../audio/index.ts';

/** A decoded file: one array of 16-bit samples per channel. */
export interface Wav {
  readonly sampleRate: number;
  readonly channels: readonly Int16Array[];
}

/** The `fmt ` chunk, and where the samples are. */
interface Layout {
  readonly coding: Coding;
  readonly channels: number;
  readonly sampleRate: number;
  readonly dataOffset: number;
  readonly frames: number;
}

/** One way of storing a sample. */
interface Coding {
  readonly bytes: number;
  read(view: DataView, at: number): number;
}

const PCM = 1;
const FLOAT = 3;
const ALAW = 6;
const ULAW = 7;
/** The real format stands in the first two bytes of a GUID. */
const EXTENSIBLE = 0xfffe;

const MOST_CHANNELS = 32;
const LOWEST_RATE = 1_000;
const HIGHEST_RATE = 384_000;

const table = (codec: typeof pcma): Int16Array => {
  const out = new Int16Array(256);
  codec.decode(
    Uint8Array.from({ length: 256 }, (_, code) => code),
    0,
    256,
    out,
  );
  return out;
};
const ALAW_TABLE = table(pcma);
const ULAW_TABLE = table(pcmu);

const float = (value: number): number => (Number.isNaN(value) ? 0 : saturate(Math.round(value * 32_768)));

/** By format and bits. */
const CODINGS: Readonly<Record<string, Coding>> = {
  [`${PCM}/8`]: { bytes: 1, read: (view, at) => (view.getUint8(at) - 128) << 8 },
  [`${PCM}/16`]: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  [`${PCM}/24`]: { bytes: 3, read: (view, at) => view.getInt16(at + 1, true) },
  [`${PCM}/32`]: { bytes: 4, read: (view, at) => view.getInt16(at + 2, true) },
  [`${FLOAT}/32`]: { bytes: 4, read: (view, at) => float(view.getFloat32(at, true)) },
  [`${FLOAT}/64`]: { bytes: 8, read: (view, at) => float(view.getFloat64(at, true)) },
  [`${ALAW}/8`]: { bytes: 1, read: (view, at) => ALAW_TABLE[view.getUint8(at)] ?? 0 },
  [`${ULAW}/8`]: { bytes: 1, read: (view, at) => ULAW_TABLE[view.getUint8(at)] ?? 0 },
};

/**
 * Reads a RIFF WAVE file: PCM of 8, 16, 24 or 32 bits, float, A-law, mu-law; plain or extensible.
 *
 * Chunks may stand in any order, `data` last at the latest. A `data` chunk that says more than is there (a recording cut
 * off, a stream whose writer did not know) holds what is there. Fails with `Malformed` or, for other codings, `Unsupported`.
 */
export function readWav(bytes: Uint8Array): Result<Wav> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const layout = readLayout(view);
  if (!layout.ok) return layout;
  const { coding, sampleRate, dataOffset, frames, channels: count } = layout.value;
  const channels = Array.from({ length: count }, () => new Int16Array(frames));
  let at = dataOffset;
  for (let frame = 0; frame < frames; frame++) {
    for (const channel of channels) {
      channel[frame] = coding.read(view, at);
      at += coding.bytes;
    }
  }
  return ok({ sampleRate, channels });
}

function readLayout(view: DataView): Result<Layout> {
  const size = view.byteLength;
  if (size < 12 || textAt(view, 0) !== 'RIFF' || textAt(view, 8) !== 'WAVE') {
    return fail('Malformed', 'The file is no RIFF WAVE file.');
  }
  let format: Result<Omit<Layout, 'dataOffset' | 'frames'>> | null = null;
  for (let at = 12; at + 8 <= size; ) {
    const name = textAt(view, at);
    const length = view.getUint32(at + 4, true);
    const body = at + 8;
    if (name === 'fmt ') format = readFormat(view, body, Math.min(length, size - body));
    if (format !== null && !format.ok) return format;
    if (name === 'data') {
      if (format === null) return fail('Malformed', 'The WAVE file has samples before their format.');
      const frameBytes = format.value.coding.bytes * format.value.channels;
      const frames = Math.floor(Math.min(length, size - body) / frameBytes);
      return ok({ ...format.value, dataOffset: body, frames });
    }
    at = body + length + (length % 2);
  }
  return fail('Malformed', 'The WAVE file has no samples.');
}

function readFormat(
  view: DataView,
  at: number,
  length: number,
): Result<Omit<Layout, 'dataOffset' | 'frames'>> {
  if (length < 16) return fail('Malformed', 'The format of the WAVE file is cut short.');
  const tag = view.getUint16(at, true);
  const channels = view.getUint16(at + 2, true);
  const sampleRate = view.getUint32(at + 4, true);
  const frameBytes = view.getUint16(at + 12, true);
  const bits = view.getUint16(at + 14, true);
  if (tag === EXTENSIBLE && length < 26) return fail('Malformed', 'The WAVE format lacks its extension.');
  const coding = CODINGS[`${tag === EXTENSIBLE ? view.getUint16(at + 24, true) : tag}/${bits}`];
  if (coding === undefined)
    return fail('Unsupported', `WAVE format ${tag} with ${bits} bits is not read here.`);
  if (channels < 1 || channels > MOST_CHANNELS) {
    return fail('Malformed', `A WAVE file with ${channels} channels.`);
  }
  if (sampleRate < LOWEST_RATE || sampleRate > HIGHEST_RATE) {
    return fail('Malformed', `A WAVE file with ${sampleRate} samples per second.`);
  }
  if (frameBytes !== coding.bytes * channels) {
    return fail('Malformed', 'The WAVE file contradicts itself about the size of a sample.');
  }
  return ok({ coding, channels, sampleRate });
}

const textAt = (view: DataView, at: number): string =>
  String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));
