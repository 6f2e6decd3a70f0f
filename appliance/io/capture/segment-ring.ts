import { crc32 } from 'node:zlib';
import {
  blankRecord,
  type CapturedMessage,
  type CaptureQuery,
  isBlank,
  keyHash,
  messageOf,
  type RingState,
  recordAt,
  roomFor,
  type StoredRecord,
  writeRecord,
} from '../../capture/index.ts';
import { headBytes, headOf, openSegments, SEGMENT_HEAD, type Segment } from './segment.ts';

/** The messages of one second of many calls are one write: each write wakes two threads. */
const BUFFER_BYTES = 256 * 1024;
/** A disk that is slower than this loses messages, not the memory of the host. */
const MOST_QUEUED_BYTES = 4 * 1024 * 1024;

interface Write {
  readonly segment: Segment;
  readonly at: number;
  readonly buffer: Buffer<ArrayBuffer>;
  readonly length: number;
}

/**
 * A ring of segments on the disk. Records gather in memory and are written without a sync: what a power cut takes is the last
 * seconds of a capture, and the journal waits for none of it.
 */
export class SegmentRing {
  readonly #segments: readonly Segment[];
  readonly #size: number;
  #current: Segment | undefined;
  /** Where the buffer begins in the current segment. */
  #at = 0;
  #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  /** One that was written, to be used again: new memory is paid for page by page. */
  #spare: Buffer<ArrayBuffer> | undefined;
  #used = 0;
  readonly #queue: Write[] = [];
  #queuedBytes = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;

  /** @param bytes of all segments together */
  constructor(folder: string, name: string, bytes: number, count: number) {
    this.#size = Math.floor(bytes / count);
    this.#segments = openSegments(folder, name, count, this.#size);
  }

  /** Goes on where the last run ended. */
  async open(): Promise<void> {
    const newest = this.#inUse().at(-1);
    if (newest === undefined) return;
    const bytes = await newest.read();
    this.#current = newest;
    this.#at = SEGMENT_HEAD;
    for (
      let record = recordAt(bytes, this.#at, newest.serial);
      record;
      record = recordAt(bytes, this.#at, newest.serial)
    )
      this.#at += record.length;
  }

  /** Why nothing more is written; undefined: all is well. */
  get failure(): unknown {
    return this.#failure;
  }

  get state(): RingState {
    const [oldest] = this.#inUse();
    return { oldestMs: oldest?.beganMs, wrapped: oldest !== undefined && oldest.serial > 1 };
  }

  /** False: there is no room for it. */
  add(message: CapturedMessage): boolean {
    const room = roomFor(message);
    if (this.#failure !== undefined || SEGMENT_HEAD + room > this.#size) return false;
    if (this.#queuedBytes + this.#used + room > MOST_QUEUED_BYTES) return false;
    if (this.#current === undefined || this.#at + this.#used + room > this.#size) this.#rotate(message.atMs);
    const current = this.#current;
    if (current === undefined) return false;
    if (this.#used + room > this.#buffer.length) this.#seal(room);
    this.#used += writeRecord(this.#buffer, this.#used, current.serial, message, crc32);
    return true;
  }

  /** Resolves when everything so far is in the file. */
  async flush(): Promise<void> {
    this.#seal(0);
    while (this.#writing !== undefined) await this.#writing;
  }

  /** The messages of the query, oldest segment first. */
  async *find({ keys, fromMs, toMs }: CaptureQuery): AsyncGenerator<CapturedMessage> {
    await this.flush();
    const wanted = new Set(keys);
    const hashes = new Set(keys.map(keyHash));
    for (const segment of this.#inUse()) {
      if (toMs !== undefined && segment.beganMs > toMs + UNORDERED_MS) continue;
      const bytes = await segment.read().catch(() => NOTHING);
      for (const record of recordsOf(bytes)) {
        if (!hashes.has(record.keyHash)) continue;
        if (record.atMs < (fromMs ?? 0) || record.atMs > (toMs ?? Number.POSITIVE_INFINITY)) continue;
        const message = messageOf(bytes, record, crc32);
        if (message !== undefined && wanted.has(message.key)) yield message;
      }
    }
  }

  /** Every message, oldest segment first. */
  async *all(): AsyncGenerator<CapturedMessage> {
    await this.flush();
    for (const segment of this.#inUse()) {
      const bytes = await segment.read().catch(() => NOTHING);
      for (const record of recordsOf(bytes)) {
        const message = messageOf(bytes, record, crc32);
        if (message !== undefined) yield message;
      }
    }
  }

  /** Takes the content out of every message that this matches; how many there were. */
  erase(matches: (message: CapturedMessage) => boolean): Promise<number> {
    return this.#blank((bytes, record) => {
      const message = messageOf(bytes, record, crc32);
      return message !== undefined && matches(message);
    });
  }

  /** The same with every message from before this time. */
  expire(beforeMs: number): Promise<number> {
    return this.#blank((_, record) => record.atMs < beforeMs, beforeMs + UNORDERED_MS);
  }

  async #blank(
    matches: (bytes: Buffer, record: StoredRecord) => boolean,
    begunBeforeMs = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    await this.flush();
    let blanked = 0;
    for (const segment of this.#inUse()) {
      if (segment.beganMs > begunBeforeMs) continue;
      const { serial } = segment;
      const bytes = await segment.read().catch(() => NOTHING);
      for (const record of recordsOf(bytes)) {
        // Meanwhile the ring may have come round to it.
        if (segment.serial !== serial) break;
        if (!matches(bytes, record) || isBlank(bytes, record)) continue;
        blankRecord(bytes, record, crc32);
        await segment.write(bytes.subarray(record.at, record.at + record.length), record.at);
        blanked++;
      }
    }
    return blanked;
  }

  async close(): Promise<void> {
    await this.flush();
    for (const segment of this.#segments) await segment.close();
  }

  /** Segments with something in them, oldest first. */
  #inUse(): Segment[] {
    return this.#segments.filter(({ serial }) => serial > 0).sort((a, b) => a.serial - b.serial);
  }

  #rotate(atMs: number): void {
    this.#seal(0);
    const last = this.#current?.serial ?? 0;
    const next = this.#segments[last % this.#segments.length];
    if (next === undefined) return;
    next.serial = last + 1;
    next.beganMs = atMs;
    this.#current = next;
    this.#at = 0;
    this.#buffer.set(headBytes(next.serial, this.#size, atMs));
    this.#used = SEGMENT_HEAD;
  }

  /** Hands the buffer over to be written, and takes another with at least this room. */
  #seal(room: number): void {
    if (this.#used > 0 && this.#current !== undefined) {
      this.#queue.push({ segment: this.#current, at: this.#at, buffer: this.#buffer, length: this.#used });
      this.#queuedBytes += this.#used;
      this.#at += this.#used;
      this.#used = 0;
      this.#buffer = this.#freeBuffer(room);
      this.#writing ??= this.#write();
    } else if (room > this.#buffer.length) this.#buffer = Buffer.allocUnsafeSlow(room);
  }

  #freeBuffer(room: number): Buffer<ArrayBuffer> {
    const spare = this.#spare;
    if (spare === undefined || room > spare.length)
      return Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES, room));
    this.#spare = undefined;
    return spare;
  }

  async #write(): Promise<void> {
    try {
      for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
        await next.segment.write(next.buffer.subarray(0, next.length), next.at);
        this.#queuedBytes -= next.length;
        if (next.buffer.length === BUFFER_BYTES) this.#spare = next.buffer;
      }
    } catch (cause) {
      this.#failure = cause;
      this.#queue.length = 0;
    } finally {
      this.#writing = undefined;
    }
  }
}

/** A file that cannot be read holds nothing; why writing failed is reported. */
const NOTHING = Buffer.alloc(0);
/** Messages that wait for an answer are written later than those behind them. */
const UNORDERED_MS = 60_000;

function* recordsOf(bytes: Buffer) {
  const { serial } = headOf(bytes);
  let at = SEGMENT_HEAD;
  for (let record = recordAt(bytes, at, serial); record; record = recordAt(bytes, at, serial)) {
    at += record.length;
    yield record;
  }
}
