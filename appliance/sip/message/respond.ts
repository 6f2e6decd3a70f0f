import type { FieldIndex } from './field-index.ts';
import { FIELD } from './field-name.ts';
import { is, LWS } from './grammar.ts';
import { parseNameAddr } from './name-addr.ts';
import { reasonOf } from './status.codes.ts';
import { parseVia, stampVia, type Via } from './via.ts';
import { finishResponse, type HeaderFields, statusLine, toWire } from './write.ts';

/** A request, or what was kept of a malformed one. */
export interface Answerable {
  readonly fields: FieldIndex;
  readonly topVia?: Via;
}

/** Where the request came from: decides `received` and `rport` of the top Via. */
export interface Source {
  readonly address: string;
  readonly port: number;
}

export interface Answer {
  readonly status: number;
  /** The standard's phrase when absent. */
  readonly reason?: string;
  /** Added to To when the request's To had no tag; every response but 100 needs one (RFC 3261 8.2.6.2). */
  readonly toTag?: string;
  readonly headers?: HeaderFields;
  readonly body?: Uint8Array;
}

/**
 * Bytes of a response (RFC 3261 8.2.6.2): Via in order with the top one stamped, From, To (with our tag),
 * Call-ID, CSeq, then the caller's fields. Record-Route is copied into 18x and 2xx (12.1.1). Fields a malformed
 * request lacks are left out. Throws `TypeError` when the caller's values hold CR, LF or NUL.
 */
export function responseTo(request: Answerable, source: Source, answer: Answer): Buffer {
  const { fields } = request;
  let head = statusLine(answer.status, answer.reason ?? reasonOf(answer.status));
  let row = fields.find(FIELD.via);
  if (row >= 0) {
    const via = request.topVia ?? parseVia(fields.text, fields.valueAt(row), fields.valueEnd(row));
    head +=
      via === undefined
        ? `Via: ${fields.raw(row)}\r\n`
        : `Via: ${stampVia(via, source)}${rest(fields, row, via.end)}\r\n`;
    for (row = fields.find(FIELD.via, row + 1); row >= 0; row = fields.find(FIELD.via, row + 1)) {
      head += `Via: ${fields.raw(row)}\r\n`;
    }
  }
  if (answer.status > 100 && answer.status < 300) head += copyRecordRoute(fields);
  head += copy(fields, FIELD.from, 'From');
  head += copyTo(fields, answer);
  head += copy(fields, FIELD.callId, 'Call-ID');
  head += copy(fields, FIELD.cseq, 'CSeq');
  return finishResponse(head, answer.headers, answer.body);
}

/** Further Via values behind the top one on the same line, comma included. */
function rest(fields: FieldIndex, row: number, end: number): string {
  return end >= fields.valueEnd(row)
    ? ''
    : fields.text.slice(end, fields.valueEnd(row)).replace(/[\r\n]/g, ' ');
}

function copy(fields: FieldIndex, field: number, name: string): string {
  const raw = fields.rawOf(field);
  return raw === undefined ? '' : `${name}: ${raw}\r\n`;
}

function copyRecordRoute(fields: FieldIndex): string {
  let lines = '';
  for (let row = fields.find(FIELD.recordRoute); row >= 0; row = fields.find(FIELD.recordRoute, row + 1)) {
    lines += `Record-Route: ${fields.raw(row)}\r\n`;
  }
  return lines;
}

function copyTo(fields: FieldIndex, { status, toTag }: Answer): string {
  const raw = fields.rawOf(FIELD.to);
  if (raw === undefined) return '';
  if (toTag === undefined || status === 100 || hasTag(raw)) return `To: ${raw}\r\n`;
  return `To: ${raw};tag=${toWire(toTag)}\r\n`;
}

/** A malformed To is looked through for the bare word, so that it never gets two tags. */
function hasTag(to: string): boolean {
  if (!to.includes('tag')) return false;
  const address = parseNameAddr(to, 0, to.length);
  if (address !== undefined) return address.tag !== undefined;
  const at = to.lastIndexOf(';');
  let i = at + 1;
  while (at >= 0 && is(to.charCodeAt(i), LWS)) i++;
  return at >= 0 && to.startsWith('tag', i);
}
