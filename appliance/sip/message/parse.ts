import { fail, ok, type Result } from '#shared/result.ts';
import { FieldIndex } from './field-index.ts';
import { FIELD, fieldOf, SINGLE } from './field-name.ts';
import { decimal, is, LWS, skip, spells, TOKEN, trimEnd } from './grammar.ts';
import { DEFAULT_LIMIT, type Limit } from './limit.ts';
import type { Kept, Malformed } from './malformed.ts';
import { type CSeq, type Essentials, type SipMessage, SipRequest, SipResponse } from './message.ts';
import { parseNameAddr } from './name-addr.ts';
import { parseVia } from './via.ts';

export interface ParseOptions {
  /**
   * A datagram (UDP, one WebSocket message) ends its body itself: Content-Length may be missing, and bytes
   * beyond it are dropped (RFC 3261 18.3). On a stream the framer cut the bytes, and Content-Length is the law.
   */
  readonly framing?: 'datagram' | 'stream';
  readonly limit?: Limit;
}

/** Header fields nearly always end within this many bytes; what follows is body and stays undecoded. */
const FIRST_LOOK = 4_096;
const SINGLE_BITS = SINGLE.reduce((bits, field) => bits | (1 << field), 0);

const broken = (reason: string, path: string, kept?: Kept, code: Malformed['code'] = 'Malformed') =>
  kept === undefined
    ? fail(code, reason, path)
    : ({ ok: false, error: { code, reason, path, kept } satisfies Malformed } as const);

/**
 * One SIP message out of its bytes. Start line and field boundaries are found in one pass; only what no
 * transaction can do without (top Via, From, To, Call-ID, CSeq, Max-Forwards, Content-Length) is read and
 * checked here. Fails with `Malformed`, `UnknownVersion` or `TooLarge`, keeping what an answer needs.
 */
export function parseMessage(bytes: Buffer, options: ParseOptions = {}): Result<SipMessage, Malformed> {
  const limit = options.limit ?? DEFAULT_LIMIT;
  const stream = options.framing === 'stream';
  if (!stream && bytes.length > limit.datagram)
    return broken('datagram over its limit', 'size', undefined, 'TooLarge');
  const whole = bytes.length <= FIRST_LOOK;
  const first = parseText(
    bytes,
    bytes.toString('latin1', 0, whole ? bytes.length : FIRST_LOOK),
    limit,
    stream,
  );
  if (first !== undefined) return first;
  const again = whole ? undefined : parseText(bytes, bytes.toString('latin1'), limit, stream);
  return again ?? broken('no empty line ends the header fields', 'header');
}

/** undefined: the text ended before the empty line. */
function parseText(
  bytes: Buffer,
  text: string,
  limit: Limit,
  stream: boolean,
): Result<SipMessage, Malformed> | undefined {
  // RFC 3261 7.5: empty lines in front of the start line are ignored.
  let at = 0;
  while (text.charCodeAt(at) === 0x0d || text.charCodeAt(at) === 0x0a) at++;
  const startAt = at;
  let lineFeed = text.indexOf('\n', at);
  if (lineFeed < 0) return undefined;
  let carriage = text.indexOf('\r', at);
  // Interop: a line may end in LF alone; a CR anywhere but in front of LF is refused.
  const startEnd = carriage >= 0 && carriage === lineFeed - 1 ? carriage : lineFeed;
  if (lineFeed - at > limit.line) return broken('start line over its limit', 'line', undefined, 'TooLarge');

  const fields = new FieldIndex(text);
  let reason: string | undefined =
    carriage >= 0 && carriage < startEnd ? 'CR inside the start line' : undefined;
  let path = 'start-line';
  let tooLarge = false;
  let seen = 0;
  let bodyAt = -1;
  for (;;) {
    at = lineFeed + 1;
    lineFeed = text.indexOf('\n', at);
    if (lineFeed < 0) break;
    if (carriage >= 0 && carriage < at) carriage = text.indexOf('\r', at);
    const end = carriage === lineFeed - 1 && carriage >= at ? carriage : lineFeed;
    if (end === at) {
      bodyAt = lineFeed + 1;
      break;
    }
    if (carriage >= 0 && carriage < end) {
      reason ??= 'CR inside a header field';
      carriage = text.indexOf('\r', end);
    }
    if (lineFeed - at > limit.line) {
      reason ??= 'header line over its limit';
      tooLarge = true;
      continue;
    }
    const code = text.charCodeAt(at);
    if (code === 0x20 || code === 0x09) {
      if (fields.count === 0) reason ??= 'continuation without a header field';
      else fields.extend(trimEnd(text, at, end));
      continue;
    }
    if (fields.count >= limit.fields) {
      reason ??= 'more header fields than allowed';
      tooLarge = true;
      break;
    }
    const nameEnd = skip(text, at, end, TOKEN);
    const colon = skip(text, nameEnd, end, LWS);
    if (nameEnd === at || text.charCodeAt(colon) !== 0x3a || colon >= end) {
      reason ??= 'header line without name and colon';
      path = 'header';
      continue;
    }
    const field = fieldOf(text, at, nameEnd);
    if ((SINGLE_BITS & (1 << field)) !== 0) {
      if ((seen & (1 << field)) !== 0) {
        reason ??= 'a field that may stand once stands twice';
        path = text.slice(at, nameEnd);
      }
      seen |= 1 << field;
    }
    const valueAt = skip(text, colon + 1, end, LWS);
    fields.add(field, at, valueAt, trimEnd(text, valueAt, end));
  }
  if (bodyAt < 0 && !tooLarge) {
    if (text.length < bytes.length) return undefined;
    reason ??= 'no empty line ends the header fields';
  }

  fields.unfold();
  const methodEnd = skip(text, startAt, startEnd, TOKEN);
  if (spells(text, startAt, 'sip/2.0 ')) {
    if (reason !== undefined) return broken(reason, path);
    return finishResponse(bytes, fields, startAt, startEnd, bodyAt, limit, stream);
  }
  const method = text.slice(startAt, methodEnd);
  if (method === '' || text.charCodeAt(methodEnd) !== 0x20)
    return broken('start line is no request or status line', path);
  const kept = { method, fields };
  if (reason !== undefined) return broken(reason, path, kept, tooLarge ? 'TooLarge' : 'Malformed');
  // RFC 4475 3.1.2.7 to 3.1.2.10: exactly one space on each side of the Request-URI and nothing behind the version.
  const uriEnd = text.indexOf(' ', methodEnd + 1);
  if (uriEnd < 0 || uriEnd >= startEnd) return broken('request line is not method, URI, version', path, kept);
  const uriText = text.slice(methodEnd + 1, uriEnd);
  if (!isRequestUri(uriText)) return broken('Request-URI', 'Request-URI', kept);
  if (startEnd - uriEnd !== 8 || !spells(text, uriEnd + 1, 'sip/2.0')) {
    return isVersion(text, uriEnd + 1, startEnd)
      ? broken('version is not SIP/2.0', 'version', kept, 'UnknownVersion')
      : broken('request line is not method, URI, version', path, kept);
  }
  const essentials = readEssentials(bytes, fields, bodyAt, limit, stream, kept);
  if (!essentials.ok) return essentials;
  // RFC 3261 8.1.1.5; RFC 4475 3.1.2.17.
  if (essentials.value.cseq.method !== method) return broken('CSeq names another method', 'CSeq', kept);
  return ok(new SipRequest(method, uriText, bytes, fields, essentials.value));
}

function finishResponse(
  bytes: Buffer,
  fields: FieldIndex,
  startAt: number,
  startEnd: number,
  bodyAt: number,
  limit: Limit,
  stream: boolean,
): Result<SipMessage, Malformed> {
  const text = fields.text;
  const status = decimal(text, startAt + 8, Math.min(startAt + 11, startEnd), 699);
  const after = startAt + 11;
  // Interop: a status line that ends behind the code, without the space of an empty reason phrase, is taken.
  if (status < 100 || (after < startEnd && text.charCodeAt(after) !== 0x20))
    return broken('status line', 'start-line');
  const essentials = readEssentials(bytes, fields, bodyAt, limit, stream, undefined);
  if (!essentials.ok) return essentials;
  return ok(new SipResponse(status, text.slice(after + 1, startEnd), bytes, fields, essentials.value));
}

function readEssentials(
  bytes: Buffer,
  fields: FieldIndex,
  bodyAt: number,
  limit: Limit,
  stream: boolean,
  kept: Kept | undefined,
): Result<Essentials, Malformed> {
  const text = fields.text;
  const viaRow = fields.find(FIELD.via);
  const topVia = viaRow < 0 ? undefined : parseVia(text, fields.valueAt(viaRow), fields.valueEnd(viaRow));
  if (topVia === undefined) return broken('top Via is missing or broken', 'Via', kept);
  const from = readAddress(fields, FIELD.from);
  if (from === undefined) return broken('From is missing or broken', 'From', kept);
  const to = readAddress(fields, FIELD.to);
  if (to === undefined) return broken('To is missing or broken', 'To', kept);
  const callId = fields.rawOf(FIELD.callId);
  if (callId === undefined || !isCallId(callId))
    return broken('Call-ID is missing or broken', 'Call-ID', kept);
  const cseq = readCSeq(fields);
  if (cseq === undefined) return broken('CSeq is missing or broken', 'CSeq', kept);
  const forwards = fields.find(FIELD.maxForwards);
  const maxForwards =
    forwards < 0 ? undefined : decimal(text, fields.valueAt(forwards), fields.valueEnd(forwards), 255);
  if (maxForwards === -1) return broken('Max-Forwards is no number from 0 to 255', 'Max-Forwards', kept);

  const there = bytes.length - bodyAt;
  const lengthRow = fields.find(FIELD.contentLength);
  const length =
    lengthRow < 0 ? there : decimal(text, fields.valueAt(lengthRow), fields.valueEnd(lengthRow), 0xffff_ffff);
  if (length < 0) return broken('Content-Length is no number', 'Content-Length', kept);
  if (length > limit.body) return broken('body over its limit', 'body', kept, 'TooLarge');
  // RFC 3261 18.3: a datagram that ends before its body does is answered 400; what follows the body is dropped.
  if (length > there) return broken('Content-Length is larger than what came', 'Content-Length', kept);
  if (stream && length < there) return broken('bytes behind the body on a stream', 'Content-Length', kept);
  return ok({ topVia, from, to, callId, cseq, maxForwards, bodyAt, bodyEnd: bodyAt + length });
}

function readAddress(fields: FieldIndex, field: number) {
  const row = fields.find(field);
  if (row < 0) return undefined;
  const end = fields.valueEnd(row);
  const address = parseNameAddr(fields.text, fields.valueAt(row), end);
  return address?.end === end ? address : undefined;
}

function readCSeq(fields: FieldIndex): CSeq | undefined {
  const row = fields.find(FIELD.cseq);
  if (row < 0) return undefined;
  const { text } = fields;
  const at = fields.valueAt(row);
  const end = fields.valueEnd(row);
  const digits = skip(text, at, end, TOKEN);
  const seq = decimal(text, at, digits, 2_147_483_647);
  const methodAt = skip(text, digits, end, LWS);
  if (seq < 0 || methodAt === end || methodAt === digits || skip(text, methodAt, end, TOKEN) !== end)
    return undefined;
  return { seq, method: text.slice(methodAt, end) };
}

/** `word [ "@" word ]` (25.1), read as: something, and no white space in it. */
function isCallId(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return false;
  return text !== '';
}

function isRequestUri(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code <= 0x20 || code === 0x3c || code === 0x3e || code === 0x22 || code >= 0x7f) return false;
  }
  return text.indexOf(':') > 0;
}

/** `SIP/x.y` of another version. */
function isVersion(text: string, from: number, to: number): boolean {
  if (!spells(text, from, 'sip/')) return false;
  const digits = text.slice(from + 4, to);
  for (let i = 0; i < digits.length; i++) {
    const code = digits.charCodeAt(i);
    if (code !== 0x2e && !is(code, TOKEN)) return false;
  }
  return digits.includes('.');
}
