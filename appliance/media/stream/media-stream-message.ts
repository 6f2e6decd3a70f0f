import type { StreamTrack } from '../control/index.ts';

/**
 * The framing that programs written for the usual media-stream WebSocket speak: JSON text, one message a frame.
 *
 * ```
 *   to the program     connected, start, media (20 ms), dtmf, mark (played or cleared), stop
 *   from the program   media, mark, clear
 * ```
 * `Interop:` sequence numbers, chunks and timestamps are strings, since such programs read them as strings.
 */
export const PROTOCOL = { protocol: 'Call', version: '1.0.0' } as const;

/** The names of one stream in its messages. */
export interface StreamNames {
  /** The stream. */
  readonly streamSid: string;
  /** The tenant. */
  readonly accountSid: string;
  /** The session of the call. */
  readonly callSid: string;
}

export interface MediaFormat {
  readonly encoding: 'audio/x-mulaw' | 'audio/x-alaw' | 'audio/x-l16';
  /** Hz. */
  readonly sampleRate: 8_000 | 16_000;
}

/** A message to the program, before it has its number. */
export type ToProgram =
  | { readonly event: 'connected' }
  | {
      readonly event: 'start';
      readonly tracks: readonly StreamTrack[];
      readonly mediaFormat: MediaFormat;
      readonly customParameters: Readonly<Record<string, string>>;
    }
  | {
      readonly event: 'media';
      readonly track: StreamTrack;
      /** Number of the chunk on its track, from 1; a gap is audio that was dropped. */
      readonly chunk: number;
      /** Begin of the chunk, ms since the stream began. */
      readonly timestampMs: number;
      readonly payload: Uint8Array;
    }
  | { readonly event: 'dtmf'; readonly track: StreamTrack; readonly digit: string }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'stop' };

/** A message of the program; anything else is junk. */
export type FromProgram =
  | { readonly event: 'media'; readonly payload: Uint8Array }
  | { readonly event: 'mark'; readonly name: string }
  | { readonly event: 'clear' };

/** Writes the messages of one stream, each with its number. */
export class MediaStreamWriter {
  readonly #names: StreamNames;
  #sequence = 0;

  constructor(names: StreamNames) {
    this.#names = names;
  }

  write(message: ToProgram): string {
    const { streamSid, accountSid, callSid } = this.#names;
    if (message.event === 'connected') return JSON.stringify({ event: 'connected', ...PROTOCOL });
    const { event } = message;
    const sequenceNumber = String(++this.#sequence);
    return JSON.stringify({
      event,
      sequenceNumber,
      [event]: bodyOf(message, { streamSid, accountSid, callSid }),
      streamSid,
    });
  }
}

function bodyOf(message: ToProgram, names: StreamNames): object {
  const { streamSid, accountSid, callSid } = names;
  switch (message.event) {
    case 'connected':
      return PROTOCOL;
    case 'start': {
      const { tracks, mediaFormat, customParameters } = message;
      return {
        streamSid,
        accountSid,
        callSid,
        tracks,
        mediaFormat: { ...mediaFormat, channels: 1 },
        customParameters,
      };
    }
    case 'media': {
      const { track, chunk, timestampMs, payload } = message;
      return {
        track,
        chunk: String(chunk),
        timestamp: String(timestampMs),
        payload: Buffer.from(payload.buffer, payload.byteOffset, payload.length).toString('base64'),
      };
    }
    case 'dtmf':
      return { track: `${message.track}_track`, digit: message.digit };
    case 'mark':
      return { name: message.name };
    case 'stop':
      return { accountSid, callSid };
  }
}

/** Chosen: a longer name is not of a program that waits for it. */
const LONGEST_NAME = 512;
/** RFC 4648 4, with or without padding. */
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a message of the program; undefined: junk, or a message for another stream. */
export function readMessage(text: string, streamSid: string): FromProgram | undefined {
  const said = objectOf(text);
  if (said === undefined || (said.streamSid ?? streamSid) !== streamSid) return undefined;
  if (said.event === 'clear') return { event: 'clear' };
  if (said.event === 'mark') {
    const { name } = fieldsOf(said.mark);
    return typeof name === 'string' && name.length <= LONGEST_NAME ? { event: 'mark', name } : undefined;
  }
  if (said.event !== 'media') return undefined;
  const payload = bytesOf(fieldsOf(said.media).payload);
  return payload && { event: 'media', payload };
}

function bytesOf(payload: unknown): Uint8Array | undefined {
  if (typeof payload !== 'string' || payload === '' || !BASE64.test(payload)) return undefined;
  const digits = payload.replace(/=+$/, '');
  // One digit more than a multiple of four is no byte, and padding alone is no audio.
  return digits === '' || digits.length % 4 === 1 ? undefined : Buffer.from(digits, 'base64');
}

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

function objectOf(text: string): Fields | undefined {
  try {
    const said: unknown = JSON.parse(text);
    return typeof said === 'object' && said !== null && !Array.isArray(said) ? (said as Fields) : undefined;
  } catch {
    return undefined;
  }
}
