import { fail, ok, type Result } from '#shared/result.ts';
import type { FieldIndex } from './field-index.ts';
import { FIELD } from './field-name.ts';
import { decimal, LWS, skip, TOKEN } from './grammar.ts';
import type { Limit } from './limit.ts';
import type { Malformed } from './malformed.ts';
import type { CSeq, Essentials } from './message.ts';
import { type NameAddr, parseNameAddr } from './name-addr.ts';
import { parseVia } from './via.ts';

const missing = (name: string) => fail('Malformed', `${name} is missing or broken`, name);

/** Reads and checks the fields no message may lack (RFC 3261 8.1.1) and how long the body is (18.3). */
export function readEssentials(
  size: number,
  fields: FieldIndex,
  bodyAt: number,
  limit: Limit,
  stream: boolean,
): Result<Essentials, Malformed> {
  const { text } = fields;
  const viaRow = fields.find(FIELD.via);
  const topVia = viaRow < 0 ? undefined : parseVia(text, fields.valueAt(viaRow), fields.valueEnd(viaRow));
  if (topVia === undefined) return missing('Via');
  const from = readAddress(fields, FIELD.from);
  if (from === undefined) return missing('From');
  const to = readAddress(fields, FIELD.to);
  if (to === undefined) return missing('To');
  const callId = fields.rawOf(FIELD.callId);
  if (callId === undefined || !isCallId(callId)) return missing('Call-ID');
  const cseq = readCSeq(fields);
  if (cseq === undefined) return missing('CSeq');
  const maxForwards = readNumber(fields, FIELD.maxForwards, 255);
  if (maxForwards === -1) return fail('Malformed', 'Max-Forwards is no number from 0 to 255', 'Max-Forwards');

  const there = size - bodyAt;
  const length = readNumber(fields, FIELD.contentLength, 0xffff_ffff) ?? there;
  if (length < 0) return fail('Malformed', 'Content-Length is no number', 'Content-Length');
  if (length > limit.body) return fail('TooLarge', 'body over its limit', 'body');
  // RFC 3261 18.3: a datagram that ends before its body does is answered 400; what follows the body is dropped.
  if (length > there) return fail('Malformed', 'Content-Length is larger than what came', 'Content-Length');
  if (stream && length < there)
    return fail('Malformed', 'bytes behind the body on a stream', 'Content-Length');
  return ok({ topVia, from, to, callId, cseq, maxForwards, bodyAt, bodyEnd: bodyAt + length });
}

/** undefined when the field is absent, -1 when it is no number up to `max`. */
function readNumber(fields: FieldIndex, field: number, max: number): number | undefined {
  const row = fields.find(field);
  return row < 0 ? undefined : decimal(fields.text, fields.valueAt(row), fields.valueEnd(row), max);
}

function readAddress(fields: FieldIndex, field: number): NameAddr | undefined {
  const row = fields.find(field);
  if (row < 0) return undefined;
  const end = fields.valueEnd(row);
  const address = parseNameAddr(fields.text, fields.valueAt(row), end);
  return address?.end === end ? address : undefined;
}

/** Number below 2^31, white space, method (RFC 3261 20.16). */
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

/** `word [ "@" word ]` (25.1), read as: something, and no white space or control sign in it. */
function isCallId(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 0x20) return false;
  return text !== '';
}
