import { fail, ok, type Result } from '#shared/result.ts';
import { readEssentials } from './essential.ts';
import { FieldIndex } from './field-index.ts';
import { FIELD, fieldOf, SINGLE } from './field-name.ts';
import { decimal, LWS, skip, spells, TOKEN, trimEnd } from './grammar.ts';
import { DEFAULT_LIMIT, type Limit } from './limit.ts';
import { cutLines, type Lines } from './line.ts';
import type { Kept, Malformed } from './malformed.ts';
import { type SipMessage, SipRequest, SipResponse } from './message.ts';
import { repairMessage } from './repair.ts';

export interface ParseOptions {
  /**
   * `datagram` (UDP, the default) and `frame` (one WebSocket message, RFC 7118 4.2) end their body themselves:
   * Content-Length may be missing, and bytes beyond it are dropped (RFC 3261 18.3). On a `stream` the framer cut
   * the bytes, and Content-Length is the law. Only a datagram has a limit on its whole size.
   */
  readonly framing?: 'datagram' | 'frame' | 'stream';
  readonly limit?: Limit;
}

const SINGLE_BITS = SINGLE.reduce((bits, field) => bits | (1 << field), 0);

type Broken = { readonly ok: false; readonly error: Malformed };

const broken = (reason: string, path: string, kept?: Kept, code: Malformed['code'] = 'Malformed'): Broken =>
  kept === undefined ? fail(code, reason, path) : { ok: false, error: { code, reason, path, kept } };

/** A MESSAGE that breaks the grammar, by the first word of its start line. */
const ALARM = /^\s{0,64}message[ \t]/i;
// biome-ignore lint/suspicious/noControlCharactersInRegex: stray control signs are what is left out. `cutLines` finds the same.
const STRAY = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g;

/**
 * One SIP message out of its bytes. A MESSAGE is read as far as it can be read (`repairMessage`), everything else strictly.
 * Fails with `Malformed`, `UnknownVersion` or `TooLarge`, keeping what an answer needs.
 */
export function parseMessage(bytes: Buffer, options: ParseOptions = {}): Result<SipMessage, Malformed> {
  const { framing = 'datagram', limit = DEFAULT_LIMIT } = options;
  if (framing === 'datagram' && bytes.length > limit.datagram)
    return broken('datagram over its limit', 'size', undefined, 'TooLarge');
  const isStream = framing === 'stream';
  const lines = cutLines(bytes, limit);
  const strict = parseStrictly(bytes, lines, limit, isStream, []);
  if (isReadable(strict, lines) || !ALARM.test(bytes.toString('latin1', 0, 80).replace(STRAY, '')))
    return strict;
  const repaired = repairMessage(bytes, !isStream);
  if (repaired === undefined || (framing === 'datagram' && repaired.bytes.length > limit.datagram))
    return strict;
  const repairedLines = cutLines(repaired.bytes, limit);
  const again = parseStrictly(repaired.bytes, repairedLines, limit, isStream, repaired.warnings);
  return again.ok && isReadable(again, repairedLines) ? again : strict;
}

/** Whether it can be used as it is. A message that is too large is not looked at again, unless only its body is. */
function isReadable(parsed: Result<SipMessage, Malformed>, lines: Lines): boolean {
  if (!parsed.ok) return parsed.error.code === 'TooLarge' && parsed.error.path !== 'body';
  const { value } = parsed;
  if (value.kind === 'response' || value.method !== 'MESSAGE') return true;
  const hasType = value.contentType !== undefined || value.fields.find(FIELD.contentType) < 0;
  return !lines.hasStray && hasType && value.uri.ok && value.from.uri.ok && value.to.uri.ok;
}

/**
 * One SIP message out of its bytes, by the grammar. Only what no transaction can do without (top Via, From, To, Call-ID, CSeq,
 * Max-Forwards, Content-Length) is read and checked here; all else is read when asked for.
 * Fails with `Malformed`, `UnknownVersion` or `TooLarge`, keeping what an answer needs.
 */
function parseStrictly(
  bytes: Buffer,
  cut: Lines,
  limit: Limit,
  stream: boolean,
  warnings: readonly string[],
): Result<SipMessage, Malformed> {
  const lines = endedBy(cut, bytes.length, stream);
  const { positions, count, bodyAt } = lines;
  const text = bytes.toString('latin1', 0, bodyAt < 0 ? (positions[count * 2 - 1] ?? 0) : bodyAt);
  const startAt = positions[0] ?? 0;
  const startEnd = count === 0 ? 0 : (positions[1] ?? 0);
  const fields = new FieldIndex(text);
  const fault = indexFields(fields, lines);

  if (spells(text, startAt, 'sip/2.0 ')) {
    if (fault !== undefined) return { ok: false, error: fault };
    const status = statusOf(text, startAt, startEnd);
    if (status < 0) return broken('status line', 'start-line');
    const essentials = readEssentials(bytes.length, fields, bodyAt, limit, stream);
    if (!essentials.ok) return essentials;
    return ok(new SipResponse(status, text.slice(startAt + 12, startEnd), bytes, fields, essentials.value));
  }

  const methodEnd = skip(text, startAt, startEnd, TOKEN);
  if (methodEnd === startAt || text.charCodeAt(methodEnd) !== 0x20) {
    return broken('start line is no request or status line', 'start-line');
  }
  const method = text.slice(startAt, methodEnd);
  const kept = { method, fields };
  if (fault !== undefined) return { ok: false, error: { ...fault, kept } };
  // RFC 4475 3.1.2.8 to 3.1.2.10: one space on each side of the Request-URI and nothing behind the version.
  const uriAt = methodEnd + 1;
  const uriEnd = skipRequestUri(text, uriAt, startEnd);
  if (text.charCodeAt(uriEnd) !== 0x20 || uriEnd >= startEnd)
    return broken('Request-URI', 'Request-URI', kept);
  if (startEnd - uriEnd !== 8 || !spells(text, uriEnd + 1, 'sip/2.0')) {
    return isVersion(text, uriEnd + 1, startEnd)
      ? broken('version is not SIP/2.0', 'version', kept, 'UnknownVersion')
      : broken('request line is not method, URI, version', 'start-line', kept);
  }
  const essentials = readEssentials(bytes.length, fields, bodyAt, limit, stream);
  if (!essentials.ok) return { ok: false, error: { ...essentials.error, kept } };
  // RFC 3261 8.1.1.5; RFC 4475 3.1.2.17.
  if (essentials.value.cseq.method !== method) return broken('CSeq names another method', 'CSeq', kept);
  const all = lines.isUnended === true ? [...warnings, 'sip:lineEnd'] : warnings;
  return ok(new SipRequest(method, text.slice(uriAt, uriEnd), bytes, fields, essentials.value, all));
}

/**
 * Interop: the end of a datagram ends the header fields, too. A caller that leaves out the empty line may call for help, and an
 * INVITE may come without a body. Only the framer of a stream could not have found such a message.
 */
function endedBy(lines: Lines, size: number, stream: boolean): Lines {
  if (lines.isUnended !== true) return lines;
  const fault = { reason: 'no empty line ends the header fields', tooLarge: false };
  return stream ? { ...lines, fault: lines.fault ?? fault } : { ...lines, bodyAt: size };
}

/** Files every header line under its name; answers the first fault, after all good lines were filed. */
function indexFields(fields: FieldIndex, lines: Lines): Malformed | undefined {
  const { text } = fields;
  let reason = lines.fault?.reason;
  let path = 'header';
  let seen = 0;
  for (let line = 1; line < lines.count; line++) {
    const at = lines.positions[line * 2] ?? 0;
    const end = lines.positions[line * 2 + 1] ?? 0;
    const nameEnd = skip(text, at, end, TOKEN);
    const wordAt = nameEnd === at ? skip(text, at, end, LWS) : at;
    if (wordAt > at && fields.count > 0) {
      fields.extend(wordAt, trimEnd(text, wordAt, end));
      continue;
    }
    const colon = skip(text, nameEnd, end, LWS);
    if (nameEnd === at || colon >= end || text.charCodeAt(colon) !== 0x3a) {
      reason ??= 'header line without name and colon';
      continue;
    }
    const field = fieldOf(text, at, nameEnd);
    const bit = SINGLE_BITS & (1 << field);
    if ((seen & bit) !== 0 && reason === undefined) {
      reason = 'a field that may stand once stands twice';
      path = text.slice(at, nameEnd);
    }
    seen |= bit;
    const valueAt = skip(text, colon + 1, end, LWS);
    fields.add(field, at, valueAt, trimEnd(text, valueAt, end));
  }
  fields.finish();
  if (reason === undefined) return undefined;
  return { code: lines.fault?.tooLarge === true ? 'TooLarge' : 'Malformed', reason, path };
}

/** Code of a status line; -1 when it is none. Interop: the space of an empty reason phrase may be missing. */
function statusOf(text: string, startAt: number, startEnd: number): number {
  const after = startAt + 11;
  if (after > startEnd || (after < startEnd && text.charCodeAt(after) !== 0x20)) return -1;
  const status = decimal(text, startAt + 8, after, 699);
  return status < 100 ? -1 : status;
}

/** Position behind a Request-URI: scheme and colon, then no white space, control sign, quote, angle bracket. */
function skipRequestUri(text: string, from: number, to: number): number {
  let colon = false;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x3a) colon ||= i > from;
    else if (code <= 0x20 || code === 0x22 || code === 0x3c || code === 0x3e || code >= 0x7f)
      return colon ? i : from;
  }
  return to;
}

/** `SIP/x.y` of another version. */
function isVersion(text: string, from: number, to: number): boolean {
  const dot = text.indexOf('.', from + 4);
  return spells(text, from, 'sip/') && dot > 0 && dot < to && skip(text, from + 4, to, TOKEN) === to;
}
