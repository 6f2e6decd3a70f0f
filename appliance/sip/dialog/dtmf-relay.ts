import { fail, ok, type Result } from '#shared/result.ts';

/** One digit of an INFO (RFC 6086) as de-facto standard bodies carry it. */
export interface RelayedDigit {
  /** One of `0-9*#A-D`. */
  readonly digit: string;
  /** ms; 0 when the body does not tell. */
  readonly durationMs: number;
}

export const DTMF_RELAY = 'application/dtmf-relay';
export const DTMF = 'application/dtmf';

const EVENTS = '0123456789*#ABCD';
const LONGEST_MS = 60_000;

/**
 * Reads `Signal=5 CRLF Duration=160` (`application/dtmf-relay`) or a bare digit (`application/dtmf`).
 * Interop: spaces around the equals sign, 10 and 11 for star and hash, small letters.
 */
export function readDtmf(contentType: string, body: Uint8Array): Result<RelayedDigit> {
  if (body.length > 256) return fail('TooLarge', 'a DTMF body over 256 bytes');
  const text = Buffer.from(body).toString('latin1');
  const bare = contentType.toLowerCase().startsWith(`${DTMF}-`) ? undefined : text.trim();
  const signal = bare ?? fieldOf(text, 'signal');
  const digit = signal === undefined ? undefined : digitOf(signal);
  if (digit === undefined) return fail('Malformed', 'a DTMF body names one digit', 'Signal');
  const duration = bare === undefined ? fieldOf(text, 'duration') : undefined;
  if (duration !== undefined && !/^\d{1,6}$/.test(duration))
    return fail('Malformed', 'a duration is a number of milliseconds', 'Duration');
  return ok({ digit, durationMs: Math.min(Number(duration ?? 0), LONGEST_MS) });
}

/** Body for `application/dtmf-relay`. */
export const writeDtmfRelay = ({ digit, durationMs }: RelayedDigit): Uint8Array =>
  Buffer.from(`Signal=${digit}\r\nDuration=${Math.round(durationMs)}\r\n`);

function fieldOf(text: string, name: string): string | undefined {
  for (const line of text.split(/\r\n|\n|\r/)) {
    const equals = line.indexOf('=');
    if (equals > 0 && line.slice(0, equals).trim().toLowerCase() === name)
      return line.slice(equals + 1).trim();
  }
  return undefined;
}

function digitOf(signal: string): string | undefined {
  const one = signal.toUpperCase();
  if (one.length === 1 && EVENTS.includes(one)) return one;
  // The number of the event (RFC 4733 table 3).
  return /^1[0-5]$/.test(one) ? EVENTS.charAt(Number(one)) : undefined;
}
