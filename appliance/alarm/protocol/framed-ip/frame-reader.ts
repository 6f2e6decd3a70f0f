import { CR, decodeFrame, type Frame, HEAD, LF, QUOTE } from './frame.ts';

/** Chosen: the length field of three digits ends at 4095; frames with a wrong length may be a little longer. */
export const MAX_FRAME_BYTES = 8192;

/** The findings of the reader in the stream; `bytes`: how many were broken. Broken frames get no answer: the sender repeats. */
export type FrameOutcome =
  | { readonly kind: 'frame'; readonly frame: Frame }
  | {
      readonly kind: 'broken';
      readonly why: 'head' | 'crc' | 'tooLong' | 'unfinished';
      readonly bytes: number;
    };

/** Starts of a frame that are tried inside one that is broken. */
const RESUME_TRIES = 4;

/**
 * Cuts a byte stream into frames; one for each connection. CR ends a frame only behind the first quote, since a CRC
 * of two raw bytes may hold any value. Bytes between frames are skipped; they are a frame without its LF when a quote
 * stands in its place and the CRC is right. Never holds more than one frame.
 */
export class FrameReader {
  readonly #bytes: Uint8Array;
  /** Bytes behind LF; -1 = waiting for LF. */
  #length = -1;
  #inBody = false;
  /** Interop: no LF was there; the bytes are a frame when a quote stands where the token begins. */
  #isAssumed = false;
  /** Line feeds since the last outcome that began no frame. */
  #noHead = 0;

  constructor(maxBytes: number = MAX_FRAME_BYTES) {
    this.#bytes = new Uint8Array(maxBytes);
  }

  /** Whether a frame has begun and not ended: a connection that stays so may be closed. */
  get unfinished(): boolean {
    return this.#length >= 0 && (this.#inBody || !this.#isAssumed);
  }

  push(chunk: Uint8Array): FrameOutcome[] {
    const found: FrameOutcome[] = [];
    for (const byte of chunk) this.#take(byte, found);
    this.#noteNoHead(found);
    return found;
  }

  /** The stream has ended. Interop: a frame without its CR is one when CRC and length are right. */
  end(): FrameOutcome[] {
    const ended: FrameOutcome[] = [];
    const bytes = this.#length;
    if (bytes >= 0) this.#end(ended);
    return ended.map((one): FrameOutcome => {
      const isUnfinished = one.kind === 'frame' ? !one.frame.lengthOk : one.why === 'crc';
      return isUnfinished ? { kind: 'broken', why: 'unfinished', bytes } : one;
    });
  }

  #take(byte: number, found: FrameOutcome[]): void {
    if (byte === LF && !this.#inBody && (this.#length < 0 || this.#isAssumed)) {
      this.#begin(false);
    } else if (this.#length < 0 && byte === CR) {
      return;
    } else if (this.#inBody && byte === CR) {
      this.#end(found);
    } else if (this.#length === this.#bytes.length) {
      this.#noteNoHead(found);
      found.push({ kind: 'broken', why: 'tooLong', bytes: this.#length });
      this.#length = -1;
      if (byte === LF) this.#begin(false);
    } else {
      if (this.#length < 0) this.#begin(true);
      this.#bytes[this.#length++] = byte;
      if (!this.#inBody && this.#length > HEAD.binary) this.#lookForBody();
    }
  }

  #begin(isAssumed: boolean): void {
    this.#length = 0;
    this.#inBody = false;
    this.#isAssumed = isAssumed;
  }

  /** Enough bytes and no quote: this LF began no frame, the next one may. Bytes beyond the length are old ones. */
  #lookForBody(): void {
    const bytes = this.#bytes;
    while (this.#length > HEAD.binary) {
      this.#inBody = bytes[HEAD.binary] === QUOTE || (this.#length > HEAD.hex && bytes[HEAD.hex] === QUOTE);
      if (this.#inBody || this.#length <= HEAD.hex) return;
      let next = 0;
      if (!this.#isAssumed) {
        while (next < this.#length && !this.#mayBegin(next)) next++;
        this.#noHead++;
      }
      for (let i = next + 1; i < this.#length; i++) bytes[i - next - 1] = bytes[i] ?? 0;
      this.#length -= next + 1;
    }
  }

  /** The third byte behind LF is a digit in both forms: a run of line feeds is skipped at once. */
  #mayBegin(at: number): boolean {
    return this.#bytes[at] === LF && (at + 3 >= this.#length || this.#bytes[at + 3] !== LF);
  }

  /** One entry for a run of line feeds that began no frame, however long it is. */
  #noteNoHead(found: FrameOutcome[]): void {
    if (this.#noHead > 0) found.push({ kind: 'broken', why: 'head', bytes: this.#noHead });
    this.#noHead = 0;
  }

  #end(found: FrameOutcome[]): void {
    this.#noteNoHead(found);
    const held = this.#bytes.subarray(0, this.#length);
    this.#length = -1;
    const whole = decodeFrame(held);
    // One of 65,536 wrong texts has the right CRC: two frames without a CR between them are known by their lengths, too.
    const inner = whole.ok && whole.value.lengthOk ? NO_FRAMES : framesWithin(held);
    if (whole.ok && !(inner.isFirst && inner.frames[0]?.lengthOk)) {
      found.push({ kind: 'frame', frame: whole.value });
      return;
    }
    if (!inner.isFirst) found.push({ kind: 'broken', why: 'crc', bytes: held.length });
    for (const frame of inner.frames) found.push({ kind: 'frame', frame });
  }
}

const NO_FRAMES = { frames: [], isFirst: false } as const;

/**
 * Interop: a torn frame, or one without its CR, does not cost the whole one behind it, and itself only when its CRC is
 * wrong. `isFirst`: the bytes begin with a frame.
 */
function framesWithin(held: Uint8Array): { readonly frames: readonly Frame[]; readonly isFirst: boolean } {
  const frames: Frame[] = [];
  let isFirst = false;
  let start = 0;
  for (let end = held.indexOf(LF); end !== -1; end = held.indexOf(LF, end + 1)) {
    const piece = decodeFrame(held.subarray(start, end));
    if (piece.ok) frames.push(piece.value);
    isFirst ||= piece.ok && start === 0;
    start = end + 1;
  }
  const last = lastFrame(held, start);
  if (last !== undefined) frames.push(last);
  return { frames, isFirst };
}

/** The frame that ends with the bytes; LF may also stand inside it. */
function lastFrame(held: Uint8Array, from: number): Frame | undefined {
  let start = from;
  for (let tries = 0; tries < RESUME_TRIES && start > 0; tries++) {
    const inner = decodeFrame(held.subarray(start));
    if (inner.ok) return inner.value;
    start = start < 2 ? 0 : held.lastIndexOf(LF, start - 2) + 1;
  }
  return undefined;
}

/** The frames of one datagram: usually one. */
export function readDatagram(datagram: Uint8Array, maxBytes: number = MAX_FRAME_BYTES): FrameOutcome[] {
  const reader = new FrameReader(maxBytes);
  return [...reader.push(datagram), ...reader.end()];
}
