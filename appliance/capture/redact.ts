import { lineEnd } from './head.ts';
import { latin1, mask, maskGroups, positionOf, SIGN, skipSpace, wordEnd } from './mask.ts';
import type { Protocol } from './message.ts';
import { redactBody, SECRET_NAME } from './redact-body.ts';

/** Parameters of Digest that say how a proof was made, and prove nothing (RFC 7616). */
const SHOWN_PARAMETERS =
  /^(?:username\*?|realm|domain|uri|algorithm|qop|nc|stale|userhash|error|scope|authz_server)$/i;
const QUERY = /[?&;][\w.-]{0,40}(?:key|token|secret|password|sig|auth|code|pin)[\w.-]{0,40}=([^&;\s]+)/dgi;

/** How a field is treated, by its name. */
type Treatment = 'open' | 'uri' | 'credential' | 'challenge' | 'secret';

/** Fields in which no address stands; `idempotency-key` is a name, not a key. */
const OPEN =
  /^(?:via|v|call-id|i|cseq|max-forwards|content-length|l|content-type|c|allow|supported|k|user-agent|server|date|expires|accept|require|idempotency-key|host|traceparent|x-trace-id)$/;
/** More names than this are no names of a protocol; they are judged each time. */
const MOST_NAMES = 1_024;
const treatments = new Map<number, Treatment>();

/**
 * Puts `x` in the place of every secret, in these bytes: the length stays, so that lengths and offsets of the message stay true.
 * DC-09 has none: its text is the content, and an encrypted frame stays as it is.
 */
export function redact(bytes: Uint8Array, protocol: Protocol, from = 0, end = bytes.length): void {
  if (protocol === 'dc09') return;
  let line = Math.min(end, lineEnd(bytes, from, end) + 1);
  redactUris(bytes, from, line);
  if (positionOf(bytes, SIGN.question, from, line) < line)
    maskGroups(bytes, from, latin1(bytes, from, line), QUERY);
  while (line < end && bytes[line] !== SIGN.lf && bytes[line] !== SIGN.cr)
    line = redactField(bytes, line, end) + 1;
  const body = lineEnd(bytes, line, end) + 1;
  if (body < end) redactBody(bytes, body, end);
}

/** Redacts the field that begins here; gives the LF that ends it. */
function redactField(bytes: Uint8Array, from: number, end: number): number {
  // One walk makes the hash of the name and finds its end: this is done for each field of each message.
  let hash = 0;
  let colon = from;
  for (; colon < end; colon++) {
    const byte = bytes[colon] ?? 0;
    if (byte === SIGN.colon || (byte === SIGN.lf && !goesOn(bytes, colon, end))) break;
    hash = (Math.imul(hash, 31) + byte) | 0;
  }
  if (bytes[colon] !== SIGN.colon) return colon;
  const treatment = treatments.get(hash) ?? judge(bytes, from, colon, hash);
  if (treatment === 'uri') return redactFieldUris(bytes, colon + 1, end);
  const to = fieldEnd(bytes, colon, end);
  if (treatment === 'open') return to;
  const value = skipSpace(bytes, colon + 1, to);
  if (treatment === 'secret') mask(bytes, value, to);
  else if (treatment === 'challenge') redactParameters(bytes, value, to);
  else redactCredential(bytes, value, to);
  return to;
}

/** A field goes on in the lines that begin with white space (RFC 3261 7.3.1). */
function fieldEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = lineEnd(bytes, from, end);
  while (goesOn(bytes, at, end)) at = lineEnd(bytes, at + 1, end);
  return at;
}

const goesOn = (bytes: Uint8Array, lf: number, end: number): boolean =>
  lf + 1 < end && (bytes[lf + 1] === SIGN.space || bytes[lf + 1] === SIGN.tab);

/** The addresses of a field; gives its end. */
function redactFieldUris(bytes: Uint8Array, value: number, end: number): number {
  for (let at = value; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === SIGN.at) maskPassword(bytes, value, at);
    else if (byte === SIGN.lf && !goesOn(bytes, at, end)) return at;
  }
  return end;
}

function redactCredential(bytes: Uint8Array, value: number, to: number): void {
  const scheme = wordEnd(bytes, value, to);
  if (latin1(bytes, value, scheme).toLowerCase() === 'digest') redactParameters(bytes, scheme, to);
  // A key without a scheme before it is all secret.
  else mask(bytes, bytes[scheme] === SIGN.space ? scheme : value, to);
}

function judge(bytes: Uint8Array, from: number, colon: number, hash: number): Treatment {
  const treatment = judged(latin1(bytes, from, colon).trim().toLowerCase());
  if (treatments.size < MOST_NAMES) treatments.set(hash, treatment);
  return treatment;
}

function judged(name: string): Treatment {
  if (OPEN.test(name)) return 'open';
  if (name === 'authorization' || name === 'proxy-authorization') return 'credential';
  if (/^(?:www|proxy)-authenticate$|authentication-info$/.test(name)) return 'challenge';
  return SECRET_NAME.test(name) ? 'secret' : 'uri';
}

/** The value of every parameter that is not one of those to be shown. */
function redactParameters(bytes: Uint8Array, from: number, to: number): void {
  let at = from;
  while (at < to) {
    const equals = positionOf(bytes, SIGN.equals, at, to);
    if (equals >= to) return;
    const name = /[\w*-]+$/.exec(latin1(bytes, at, equals).trim())?.[0] ?? '';
    const quoted = skipSpace(bytes, equals + 1, to);
    const isQuoted = bytes[quoted] === SIGN.quote;
    const start = isQuoted ? quoted + 1 : quoted;
    const stop = isQuoted ? quoteEnd(bytes, start, to) : positionOf(bytes, SIGN.comma, start, to);
    if (!SHOWN_PARAMETERS.test(name)) mask(bytes, start, stop);
    at = positionOf(bytes, SIGN.comma, stop, to) + 1;
  }
}

/** The quote that ends a quoted string; one behind a backslash does not. */
function quoteEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== SIGN.quote) at += bytes[at] === SIGN.backslash ? 2 : 1;
  return Math.min(at, to);
}

/** `user:password@` in an address (RFC 3261 19.1.1, RFC 3986 3.2.1). */
function redactUris(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) if (bytes[at] === SIGN.at) maskPassword(bytes, from, at);
}

/** No sign of a user and a password (RFC 3261 25.1); a walk back ends there. */
const endsUser = (byte: number): boolean =>
  byte <= SIGN.space || byte === SIGN.less || byte === SIGN.quote || byte === SIGN.comma || byte === SIGN.at;

function maskPassword(bytes: Uint8Array, from: number, at: number): void {
  let colon = -1;
  for (let back = at - 1; back >= from; back--) {
    const byte = bytes[back] ?? 0;
    // `https://user:password@`: the user begins behind two slashes.
    const begins = byte === SIGN.slash && bytes[back - 1] === SIGN.slash;
    // `sip:user:password@`: behind the second colon from the right is the scheme.
    if (colon >= 0 && (byte === SIGN.colon || begins)) {
      mask(bytes, colon + 1, at);
      return;
    }
    if (byte === SIGN.colon) colon = back;
    if (endsUser(byte)) return;
  }
}
