import { crc32 } from 'node:zlib';
import {
  blankRecord,
  type CapturedMessage,
  type CaptureQuery,
  isBlank,
  keyHash,
  messageOf,
  type RingState,
  roomFor,
  type StoredRecord,
  writeRecord,
} from '../../capture/index.ts';
import { headBytes, openSegments, SEGMENT_HEAD, type Segment, type SegmentPiece } from './segment.ts';

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
    let end = SEGMENT_HEAD;
    for await (const { at, records } of newest.pieces()) {
      const last = records.at(-1);
      if (last !== undefined) end = at + last.at + last.length;
    }
    this.#current = newest;
    this.#at = end;
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
    current.holds(message.atMs);
    return true;
  }

  /** Resolves when everything so far is in the file. */
  async flush(): Promise<void> {
    this.#seal(0);
    while (this.#writing !== undefined) await this.#writing;
  }

  /** The messages of the query piece by piece, oldest segment first. Segments of another time are not read. */
  async *find({
    keys,
    fromMs = 0,
    toMs = Number.POSITIVE_INFINITY,
  }: CaptureQuery): AsyncGenerator<readonly CapturedMessage[]> {
    await this.flush();
    const wanted = new Set(keys);
    const hashes = new Set(keys.map(keyHash));
    for (const segment of this.#inUse()) {
      if (!segment.mayHave(fromMs, toMs)) continue;
      for await (const { bytes, records } of readable(segment)) {
        const near = records.filter(
          ({ keyHash: hash, atMs }) => hashes.has(hash) && atMs >= fromMs && atMs <= toMs,
        );
        yield messagesOf(bytes, near).filter(({ key }) => wanted.has(key));
      }
    }
  }

  /** Every message piece by piece, oldest segment first. */
  async *all(): AsyncGenerator<readonly CapturedMessage[]> {
    await this.flush();
    for (const segment of this.#inUse())
      for await (const { bytes, records } of readable(segment)) yield messagesOf(bytes, records);
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
    return this.#blank((_, record) => record.atMs < beforeMs, beforeMs);
  }

  async #blank(
    matches: (bytes: Buffer, record: StoredRecord) => boolean,
    upToMs = Number.POSITIVE_INFINITY,
  ): Promise<number> {
    await this.flush();
    let blanked = 0;
    for (const segment of this.#inUse()) {
      if (!segment.mayHave(Number.NEGATIVE_INFINITY, upToMs)) continue;
      const { serial } = segment;
      for await (const { bytes, at, records } of readable(segment)) {
        for (const record of records) {
          // Meanwhile the ring may have come round to it.
          if (segment.serial !== serial) break;
          if (!matches(bytes, record) || isBlank(bytes, record)) continue;
          blankRecord(bytes, record, crc32);
          await segment.write(bytes.subarray(record.at, record.at + record.length), at + record.at);
          blanked++;
        }
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
    next.begin(last + 1, atMs);
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

const messagesOf = (bytes: Buffer, records: readonly StoredRecord[]): CapturedMessage[] =>
  records.flatMap((record) => messageOf(bytes, record, crc32) ?? []);

/** A file that cannot be read holds nothing; why writing failed is reported. */
async function* readable(segment: Segment): AsyncGenerator<SegmentPiece> {
  try {
    yield* segment.pieces();
  } catch {
    return;
  }
}
