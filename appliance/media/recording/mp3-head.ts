/** Samples of one frame at 8 kHz (MPEG 2.5 layer III). */
const MP3_FRAME_SAMPLES = 576;
/** Samples the encoder puts in front of the first; decoders add theirs, and take both away again when the head gives them. */
const ENCODER_DELAY = 576;
const DECODER_DELAY = 529;

/** 32 kbit/s for each channel: bytes of one frame, which never vary at 8 kHz. */
export const mp3FrameBytes = (channels: number): number => 288 * channels;

/** The data of an Info frame for players. */
export interface Mp3Extent {
  readonly channels: 1 | 2;
  /** Frames behind the Info frame. */
  readonly frames: number;
  /** Samples of each channel that were recorded. */
  readonly samples: number;
}

const INFO_FIELDS = 0x0f;
const TOC_ENTRIES = 100;
/** Bit rate and sampling frequency: 32 or 64 kbit/s, 8 kHz (ISO/IEC 13818-3, 2.4.2.3, by the MPEG 2.5 table). */
const RATE_BYTE = { 1: 0x48, 2: 0x88 } as const;
const MODE_BYTE = { 1: 0xc4, 2: 0x44 } as const;
/** Side information between the frame's header and the tag. */
const TAG_OFFSET = { 1: 13, 2: 21 } as const;

/**
 * A frame of silence that carries the Info tag: how many frames and bytes follow, and how many samples in front and
 * behind are not sound. Players that know it begin at the first recorded sample; others play 72 ms of silence.
 *
 * ```
 *   header 4 | side information 9 or 17, zero | "Info" flags frames bytes seek-table 100 quality
 *            | "LAME" version 9, 12 bytes of settings, delay 12 bit, padding 12 bit, 10 bytes, CRC | zero …
 * ```
 * The same length as every other frame, so that it is reserved when a recording opens and filled in when it closes.
 */
export function mp3InfoFrame({ channels, frames, samples }: Mp3Extent): Uint8Array {
  const frame = Buffer.alloc(mp3FrameBytes(channels));
  frame.set([0xff, 0xe3, RATE_BYTE[channels], MODE_BYTE[channels]]);
  let at = TAG_OFFSET[channels];
  frame.write('Info', at, 'latin1');
  frame.writeUInt32BE(INFO_FIELDS, at + 4);
  frame.writeUInt32BE(frames, at + 8);
  frame.writeUInt32BE((frames + 1) * frame.length, at + 12);
  at += 16;
  // Constant bit rate: a straight line.
  for (let i = 0; i < TOC_ENTRIES; i++) frame[at + i] = Math.floor((i * 256) / TOC_ENTRIES);
  at += TOC_ENTRIES + 4;
  frame.write('LAME3.100', at, 'latin1');
  // Revision 0, constant bit rate.
  frame[at + 9] = 0x01;
  const padding = Math.max(0, frames * MP3_FRAME_SAMPLES - ENCODER_DELAY - samples);
  frame.writeUIntBE((ENCODER_DELAY << 12) | Math.min(padding, 0xfff), at + 21, 3);
  frame.writeUInt32BE((frames + 1) * frame.length, at + 28);
  frame.writeUInt16BE(crc16(frame.subarray(0, at + 34)), at + 34);
  return frame;
}

/** Samples of sound in so many frames of a file that was cut off: all that a decoder can make of them. */
export const mp3SamplesIn = (frames: number): number =>
  Math.max(0, frames * MP3_FRAME_SAMPLES - ENCODER_DELAY - DECODER_DELAY);

/** Channels of a file that `mp3InfoFrame` began; undefined for any other. */
export function mp3Channels(head: Uint8Array): 1 | 2 | undefined {
  if (head[0] !== 0xff || head[1] !== 0xe3) return undefined;
  if (head[2] === RATE_BYTE[1]) return 1;
  return head[2] === RATE_BYTE[2] ? 2 : undefined;
}

/** CRC-16 of the tag: polynomial 0x8005, bits reversed, begins with 0. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}
