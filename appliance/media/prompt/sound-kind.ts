import { fail, ok, type Result } from '#shared/result.ts';
import type { PromptFault } from './source.ts';

export type SoundKind = 'wav' | 'mp3' | 'vorbis' | 'opus';

/** Long enough for the first page of an OGG stream with its codec's name. */
export const HEAD_BYTES = 64;

/**
 * The format of a file, by its first bytes; names and media types are not believed. WAV (RIFF), OGG by the codec in its first
 * page (RFC 3533 6, RFC 7845 5.1, Vorbis I 4.2.1), MP3 by an ID3v2 tag or the header of a frame (ISO 11172-3 2.4.1.3).
 */
export function soundKind(bytes: Uint8Array, name: string): Result<SoundKind, PromptFault> {
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  if (text(0, 4) === 'RIFF' && text(8, 4) === 'WAVE') return ok('wav');
  if (text(0, 4) === 'OggS') {
    const packet = 27 + (bytes[26] ?? 0);
    if (text(packet, 8) === 'OpusHead') return ok('opus');
    if (text(packet, 7) === '\u0001vorbis') return ok('vorbis');
    return fail(
      'Unreadable',
      `${name} is an OGG file with another codec than Vorbis or Opus; save it as one of them.`,
    );
  }
  if (text(0, 3) === 'ID3' || isMpegFrame(bytes)) return ok('mp3');
  const holds = bytes.length === 0 ? 'is empty' : `holds ${bytes.length} bytes that are no sound`;
  return fail('Unreadable', `${name} ${holds}; WAV, MP3 and OGG (Vorbis, Opus) are read.`);
}

/** Sync word, layer III, a bit rate and a sampling rate that exist. */
function isMpegFrame(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0, fourth] = bytes;
  if (first !== 0xff || (second & 0xe0) !== 0xe0 || fourth === undefined) return false;
  const version = (second >> 3) & 3;
  const layer = (second >> 1) & 3;
  return version !== 1 && layer === 1 && third >> 4 !== 0xf && ((third >> 2) & 3) !== 3;
}
