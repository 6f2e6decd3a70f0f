import { is, TOKEN } from './grammar.ts';

/** Header fields to write, in order: name and value (JavaScript text, written as UTF-8). */
export type HeaderFields = readonly (readonly [name: string, value: string])[];

const UNUSUAL = /[\0\r\n]|[^\0-\x7f]/;
const FORBIDDEN = /[\0\r\n]/;
const EMPTY = Buffer.alloc(0);

/**
 * Text of a value on the wire. Throws `TypeError` when it holds CR, LF or NUL: whoever passes such a value
 * would let a stranger write header fields, and that is a defect of ours, not an expected failure.
 */
export function toWire(value: string): string {
  if (!UNUSUAL.test(value)) return value;
  if (FORBIDDEN.test(value)) throw new TypeError('a SIP value must not hold CR, LF or NUL');
  return Buffer.from(value, 'utf8').toString('latin1');
}

function fieldLines(headers: HeaderFields): string {
  let lines = '';
  for (const [name, value] of headers) {
    if (!isToken(name)) throw new TypeError(`not a SIP header name: ${JSON.stringify(name)}`);
    lines += `${name}: ${toWire(value)}\r\n`;
  }
  return lines;
}

export function isToken(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (!is(text.charCodeAt(i), TOKEN)) return false;
  return text !== '';
}

export interface RequestText {
  readonly method: string;
  readonly uri: string;
  /** Everything but Content-Length, which the writer adds. */
  readonly headers: HeaderFields;
  readonly body?: Uint8Array;
}

/** Bytes of a request. Throws `TypeError` on values that cannot stand in a message (see `toWire`). */
export function writeRequest({ method, uri, headers, body }: RequestText): Buffer {
  const target = toWire(uri);
  if (!isToken(method)) throw new TypeError(`not a SIP method: ${JSON.stringify(method)}`);
  if (target === '' || target.includes(' ')) throw new TypeError('a Request-URI holds no space');
  return assemble(`${method} ${target} SIP/2.0\r\n${fieldLines(headers)}`, body);
}

export interface ResponseText {
  readonly status: number;
  readonly reason: string;
  readonly headers: HeaderFields;
  readonly body?: Uint8Array;
}

/** Bytes of a response; `responseTo` is the usual way to make one. Throws `TypeError` like `writeRequest`. */
export function writeResponse({ status, reason, headers, body }: ResponseText): Buffer {
  return finishResponse(statusLine(status, reason), headers, body);
}

export function statusLine(status: number, reason: string): string {
  if (!Number.isInteger(status) || status < 100 || status > 699)
    throw new TypeError(`no SIP status: ${status}`);
  return `SIP/2.0 ${status} ${toWire(reason)}\r\n`;
}

/** `head` is wire text that ends in CRLF: a status line and fields copied from the request. */
export const finishResponse = (head: string, headers: HeaderFields | undefined, body?: Uint8Array): Buffer =>
  assemble(headers === undefined ? head : head + fieldLines(headers), body);

function assemble(head: string, body: Uint8Array = EMPTY): Buffer {
  const text = `${head}Content-Length: ${body.length}\r\n\r\n`;
  const bytes = room(text.length + body.length);
  bytes.write(text, 0, 'latin1');
  if (body.length > 0) bytes.set(body, text.length);
  return bytes;
}

/*
 * Messages written one after the other share a slab. Responses are kept for half a minute; cut from Node's own
 * pool, each would hold whatever large and short-lived buffers the rest of the process put beside it.
 */
const SLAB = 16_384;
let slab: Buffer = EMPTY;
let used = 0;

function room(length: number): Buffer {
  if (length > SLAB / 4) return Buffer.allocUnsafeSlow(length);
  if (used + length > slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB);
    used = 0;
  }
  used += length;
  return slab.subarray(used - length, used);
}
