import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  statSync,
  unlinkSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { recordAt, recordLength, type StoredRecord } from '../../capture/index.ts';

/*
 * Head of a segment:  0 "CRLNCAP1"  8 serial u32  12 size u32  16 begin f64 (epoch ms)  24 zero; records from 32 on
 */
const MAGIC = 'CRLNCAP1';
export const SEGMENT_HEAD = 32;
const PIECE = Buffer.alloc(256 * 1024);
/** Pieces of one write: each write wakes two threads. */
const MOST_PIECES = 32;
/** Read at once: some 400 messages, a walk of less than a millisecond. */
const READ_BYTES = 256 * 1024;

/** Records that lie one behind the other. Their places are those in `bytes`, which are true until the next piece is asked for. */
export interface SegmentPiece {
  readonly bytes: Buffer;
  /** Where `bytes` begins in the file. */
  readonly at: number;
  readonly records: readonly StoredRecord[];
}

/** Epoch ms of the oldest and of the newest message. */
interface Times {
  fromMs: number;
  toMs: number;
}

/** One file of a ring. It is filled with zeros once and written over from then on, so that it never grows. */
export class Segment {
  readonly file: string;
  readonly size: number;
  /** Counts the uses of all segments of a ring; 0: this one was never used. */
  serial = 0;
  /** Time of the first message of this use. */
  beganMs = 0;
  /** Times of all messages of this use; undefined: an earlier run wrote them, and they were not read since. */
  #times: Times | undefined;
  #handle: FileHandle | undefined;
  #isFilled = false;

  constructor(file: string, size: number) {
    this.file = file;
    this.size = size;
    if (!existsSync(file)) return;
    const head = readHead(file);
    // Another quota has another size: what lies in the file would be cut.
    if (head.size !== size || statSync(file).size > size) unlinkSync(file);
    else {
      this.serial = head.serial;
      this.beganMs = head.beganMs;
    }
  }

  /** Fills the file where it is short: blocks of a file that grows later would wait in each sync of the journal. */
  async fill(): Promise<void> {
    if (this.#isFilled) return;
    const handle = await this.#open();
    let { size } = await handle.stat();
    while (size < this.size) {
      const pieces: Buffer[] = [];
      for (let at = size; at < this.size && pieces.length < MOST_PIECES; at += PIECE.length)
        pieces.push(PIECE.subarray(0, Math.min(PIECE.length, this.size - at)));
      const { bytesWritten } = await handle.writev(pieces, size);
      size += bytesWritten;
    }
    this.#isFilled = true;
  }

  async write(bytes: Uint8Array, at: number): Promise<void> {
    await this.fill();
    await (await this.#open()).write(bytes, 0, bytes.length, at);
  }

  /** A new use begins with a message of this time. */
  begin(serial: number, atMs: number): void {
    this.serial = serial;
    this.beganMs = atMs;
    this.#times = { fromMs: atMs, toMs: atMs };
  }

  /** A message of this time is written. */
  holds(atMs: number): void {
    if (this.#times === undefined) return;
    if (atMs < this.#times.fromMs) this.#times.fromMs = atMs;
    if (atMs > this.#times.toMs) this.#times.toMs = atMs;
  }

  /** May it have a message of this time? The clock may have been set, so the time of its first message alone does not say it. */
  mayHave(fromMs: number, toMs: number): boolean {
    return this.#times === undefined || (this.#times.fromMs <= toMs && this.#times.toMs >= fromMs);
  }

  /** Every record of this use, piece by piece. The times of the messages are known when all of them were read. */
  async *pieces(): AsyncGenerator<SegmentPiece> {
    const handle = await open(this.file, 'r');
    const { serial } = this;
    const times: Times = { fromMs: Number.POSITIVE_INFINITY, toMs: Number.NEGATIVE_INFINITY };
    try {
      let room = Buffer.allocUnsafeSlow(Math.min(READ_BYTES, this.size));
      for (let at = SEGMENT_HEAD; at < this.size; ) {
        const { bytesRead } = await handle.read(room, 0, room.length, at);
        const bytes = room.subarray(0, bytesRead);
        const records = recordsIn(bytes, serial);
        const last = records.at(-1);
        if (last === undefined) {
          const length = recordLength(bytes, 0, serial) ?? 0;
          // The end, unless the record is longer than what is read at once.
          if (length <= room.length || at + length > this.size) break;
          room = Buffer.allocUnsafeSlow(length);
          continue;
        }
        for (const { atMs } of records) {
          times.fromMs = Math.min(times.fromMs, atMs);
          times.toMs = Math.max(times.toMs, atMs);
        }
        yield { bytes, at, records };
        at += last.at + last.length;
      }
      if (this.serial === serial) this.#times ??= times;
    } finally {
      await handle.close();
    }
  }

  async close(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #open(): Promise<FileHandle> {
    this.#handle ??= await open(this.file, existsSync(this.file) ? 'r+' : 'w+', 0o600);
    return this.#handle;
  }
}

function recordsIn(bytes: Buffer, serial: number): StoredRecord[] {
  const records: StoredRecord[] = [];
  for (let at = 0, record = recordAt(bytes, at, serial); record; record = recordAt(bytes, at, serial)) {
    records.push(record);
    at += record.length;
  }
  return records;
}

export function headBytes(serial: number, size: number, beganMs: number): Buffer {
  const head = Buffer.alloc(SEGMENT_HEAD);
  head.write(MAGIC);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(size, 12);
  head.writeDoubleLE(beganMs, 16);
  return head;
}

/** The head of a segment; a serial of 0: these bytes have none. */
function headOf(bytes: Buffer): {
  readonly serial: number;
  readonly size: number;
  readonly beganMs: number;
} {
  if (bytes.length < SEGMENT_HEAD || bytes.toString('latin1', 0, MAGIC.length) !== MAGIC)
    return { serial: 0, size: 0, beganMs: 0 };
  return { serial: bytes.readUInt32LE(8), size: bytes.readUInt32LE(12), beganMs: bytes.readDoubleLE(16) };
}

/** The segments of one ring, as they lie in the folder. Files of a ring of more segments are removed. */
export function openSegments(folder: string, name: string, count: number, size: number): readonly Segment[] {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const files = Array.from({ length: count }, (_, i) => `${name}-${String(i).padStart(2, '0')}.segment`);
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}-`) && !files.includes(file)) unlinkSync(join(folder, file));
  return files.map((file) => new Segment(join(folder, file), size));
}

function readHead(file: string): ReturnType<typeof headOf> {
  const bytes = Buffer.alloc(SEGMENT_HEAD);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, bytes, 0, SEGMENT_HEAD, 0);
  } finally {
    closeSync(descriptor);
  }
  return headOf(bytes);
}
