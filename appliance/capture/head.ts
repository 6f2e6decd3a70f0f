import { latin1 } from './mask.ts';

/** The parts of a SIP message that decide whether and where it is stored. */
export interface SipHead {
  /** 0: a request. */
  readonly status: number;
  /** That of the request; a response has it in its CSeq. */
  readonly method: string;
  /** '' where there is none. */
  readonly callId: string;
}

const [LF, CR, SPACE, TAB, COLON] = [10, 13, 32, 9, 58];
const [LETTER_C, LETTER_I] = [0x63, 0x69];
const LOWER = 0x20;
/** A head longer than this is cut off: a stranger must not buy time with one endless line. */
const LONGEST_HEAD = 16 * 1024;
const LONGEST_CALL_ID = 512;

/**
 * Reads the first line, Call-ID and CSeq, by a walk over the bytes that ends with the last of them. It is no parser: whatever it
 * cannot read is empty, and the message is stored nevertheless.
 */
export function sipHead(bytes: Uint8Array): SipHead {
  const end = Math.min(bytes.length, LONGEST_HEAD);
  const status = statusOf(bytes);
  let method = status === 0 ? wordAt(bytes, 0, end) : '';
  let callId = '';
  let line = lineEnd(bytes, 0, end) + 1;
  while (line < end && (callId === '' || method === '')) {
    const next = lineEnd(bytes, line, end);
    if (bytes[line] === CR || bytes[line] === LF) break;
    const first = (bytes[line] ?? 0) | LOWER;
    if (first === LETTER_C || first === LETTER_I) {
      if (callId === '' && isNamed(bytes, line, next, CALL_ID)) callId = fieldValue(bytes, line, next);
      else if (method === '' && isNamed(bytes, line, next, CSEQ))
        method = lastWord(fieldValue(bytes, line, next));
    }
    line = next + 1;
  }
  return { status, method, callId };
}

/** First byte of the body; the length of the message where its head does not end. */
export function bodyAt(bytes: Uint8Array): number {
  const end = Math.min(bytes.length, LONGEST_HEAD);
  let line = lineEnd(bytes, 0, end) + 1;
  while (line < end) {
    const next = lineEnd(bytes, line, end);
    if (bytes[line] === CR || bytes[line] === LF) return next + 1;
    line = next + 1;
  }
  return bytes.length;
}

const namesOf = (...names: readonly string[]): readonly Uint8Array[] =>
  names.map((name) => Buffer.from(name));
const CALL_ID = namesOf('call-id', 'i');
const CSEQ = namesOf('cseq');

/** Whether a header line bears one of these names, in lower case here. */
function isNamed(bytes: Uint8Array, from: number, to: number, names: readonly Uint8Array[]): boolean {
  for (const name of names) {
    let at = from;
    let i = 0;
    while (i < name.length && at < to && lower(bytes[at] ?? 0) === name[i]) {
      at++;
      i++;
    }
    if (i < name.length) continue;
    while (bytes[at] === SPACE || bytes[at] === TAB) at++;
    if (bytes[at] === COLON) return true;
  }
  return false;
}

const lower = (byte: number): number => (byte >= 65 && byte <= 90 ? byte | LOWER : byte);

/** Position of the LF that ends the line, or the end of the text. */
export function lineEnd(bytes: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && bytes[at] !== LF) at++;
  return at;
}

/** `SIP/2.0 200`: 200; a request: 0. */
function statusOf(bytes: Uint8Array): number {
  // "SIP/" in capitals: a method of that name has no slash.
  if (bytes[0] !== 0x53 || bytes[1] !== 0x49 || bytes[2] !== 0x50 || bytes[3] !== 0x2f) return 0;
  const status = digitAt(bytes, 8) * 100 + digitAt(bytes, 9) * 10 + digitAt(bytes, 10);
  return status >= 100 && status <= 699 ? status : 699;
}

const digitAt = (bytes: Uint8Array, at: number): number => (bytes[at] ?? 0) - 48;

function wordAt(bytes: Uint8Array, from: number, end: number): string {
  let at = from;
  while (at < end && at < from + 32 && (bytes[at] ?? 0) > SPACE) at++;
  return text(bytes, from, at);
}

function fieldValue(bytes: Uint8Array, from: number, to: number): string {
  let at = from;
  while (at < to && bytes[at] !== COLON) at++;
  return text(bytes, at + 1, Math.min(to, at + 1 + LONGEST_CALL_ID)).trim();
}

const lastWord = (value: string): string => value.slice(value.lastIndexOf(' ') + 1);

const text = (bytes: Uint8Array, from: number, to: number): string => latin1(bytes, from, Math.max(from, to));
