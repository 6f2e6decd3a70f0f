import { bodyLength, headerEnd } from './header-end.ts';

/** Why a stream cannot be read on. After a message boundary is lost nothing behind it can be trusted. */
export type FramingFault = 'notSip' | 'headerTooLarge' | 'bodyTooLarge' | 'contentLength';

export type Frame =
  /** One whole message, or, directly before a `fault`, its header section alone: the endpoint answers it. */
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** CRLF CRLF between messages: a keep-alive that wants CRLF back (RFC 5626 4.4.1). */
  | { readonly kind: 'ping' }
  | { readonly kind: 'fault'; readonly fault: FramingFault };

/**
 * Cuts a byte stream into SIP messages (RFC 3261 18.3).
 *
 *     between ──first byte──> line ──LF──> header ──blank line──> body ──Content-Length bytes──> between
 *        │ CRLF CRLF: ping       │ not SIP    │ too long             │ too long, no number
 *        └─ CRLF: nothing        └────────────┴───> fault <──────────┘
 *
 * No clock and no socket. A chunk that holds whole messages is cut in place without copying; only an unfinished
 * rest is copied, into a buffer that doubles, so a message in n pieces costs O(length) and not O(n × length).
 */
export class StreamFramer {
  readonly #headerBytes: number;
  readonly #bodyBytes: number;
  #state: 'between' | 'line' | 'header' | 'body' | 'fault' = 'between';
  #rest: Buffer = EMPTY;
  #length = 0;
  /** Bytes of the rest already searched for the end of the header section. */
  #searched = 0;
  /** In `body`: length of the whole message. */
  #wanted = 0;
  /** Line ends seen between messages. */
  #lineEnds = 0;

  constructor(limits: { readonly headerBytes: number; readonly bodyBytes: number }) {
    this.#headerBytes = limits.headerBytes;
    this.#bodyBytes = limits.bodyBytes;
  }

  /** True while a message has begun and not ended: its deadline runs. */
  get halfMessage(): boolean {
    return this.#length > 0;
  }

  /** The frames that the chunk completes, in order. After a `fault` everything further is ignored. */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    if (this.#state === 'fault') return frames;
    let bytes = this.#length === 0 ? chunk : this.#append(chunk);
    while (bytes.length > 0) {
      if (this.#state === 'between') bytes = this.#skipLineEnds(bytes, frames);
      if (this.#state === 'line') this.#checkLine(bytes, frames);
      if (this.#state === 'header') this.#findHeaderEnd(bytes, frames);
      if (this.#state !== 'body' || bytes.length < this.#wanted) break;
      frames.push({ kind: 'message', bytes: bytes.subarray(0, this.#wanted) });
      bytes = bytes.subarray(this.#wanted);
      this.#state = 'between';
    }
    this.#keep(bytes);
    return frames;
  }

  /** CR and LF between messages: RFC 3261 7.5 has them ignored, RFC 5626 4.4.1 has two pairs answered. */
  #skipLineEnds(bytes: Buffer, frames: Frame[]): Buffer {
    let i = 0;
    for (; bytes[i] === 13 || bytes[i] === 10; i++) {
      if (bytes[i] === 10) this.#lineEnds++;
      if (this.#lineEnds < 2) continue;
      frames.push({ kind: 'ping' });
      this.#lineEnds = 0;
    }
    if (i === bytes.length) return EMPTY;
    this.#state = 'line';
    this.#lineEnds = 0;
    this.#searched = 0;
    return i === 0 ? bytes : bytes.subarray(i);
  }

  #checkLine(bytes: Buffer, frames: Frame[]): void {
    const line = bytes.indexOf(10);
    if (!looksLikeSip(bytes, line)) this.#fail('notSip', frames);
    else if (line >= 0) this.#state = 'header';
  }

  #findHeaderEnd(bytes: Buffer, frames: Frame[]): void {
    const end = headerEnd(bytes, this.#searched);
    this.#searched = bytes.length;
    if ((end < 0 ? bytes.length : end) > this.#headerBytes) this.#fail('headerTooLarge', frames);
    else if (end > 0) this.#beginBody(bytes, end, frames);
  }

  #beginBody(bytes: Buffer, end: number, frames: Frame[]): void {
    const body = bodyLength(bytes.subarray(0, end));
    // Interop: RFC 3261 20.14 demands the field on streams; peers that never send a body leave it out.
    const length = body.kind === 'length' ? body.bytes : 0;
    if (body.kind !== 'invalid' && length <= this.#bodyBytes) {
      this.#wanted = end + length;
      this.#state = 'body';
      return;
    }
    // The sender gets its 400 or 413 from the header section; the beginning of the next message is unknown.
    frames.push({ kind: 'message', bytes: bytes.subarray(0, end) });
    this.#fail(body.kind === 'invalid' ? 'contentLength' : 'bodyTooLarge', frames);
  }

  #fail(fault: FramingFault, frames: Frame[]): void {
    frames.push({ kind: 'fault', fault });
    this.#state = 'fault';
  }

  #append(chunk: Buffer): Buffer {
    const length = this.#length + chunk.length;
    if (length > this.#rest.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, this.#rest.length * 2));
      this.#rest.copy(grown, 0, 0, this.#length);
      this.#rest = grown;
    }
    chunk.copy(this.#rest, this.#length);
    return this.#rest.subarray(0, length);
  }

  /** Frames already handed out may lie in the old buffer, so a rest behind one of them moves to a fresh one. */
  #keep(bytes: Buffer): void {
    this.#length = this.#state === 'fault' ? 0 : bytes.length;
    if (this.#length === 0) {
      this.#rest = EMPTY;
    } else if (bytes.buffer !== this.#rest.buffer || bytes.byteOffset !== this.#rest.byteOffset) {
      this.#rest = Buffer.allocUnsafeSlow(Math.max(bytes.length * 2, 1024));
      bytes.copy(this.#rest);
    }
  }
}

const EMPTY = Buffer.alloc(0);
const LINE_BYTES = 8 * 1024;

/**
 * A start-line names `SIP/` (RFC 3261 7.1, 7.2) and starts with a visible sign. Judged as soon as it can be, so
 * that a web browser or a TLS handshake on the wrong port is closed after one chunk. `line` is the position of LF.
 */
function looksLikeSip(bytes: Buffer, line: number): boolean {
  const first = bytes[0] ?? 0;
  if (first < 0x21 || first > 0x7e) return false;
  if (line < 0) return bytes.length <= LINE_BYTES;
  return bytes.toString('latin1', 0, Math.min(line, LINE_BYTES)).toUpperCase().includes('SIP/');
}
