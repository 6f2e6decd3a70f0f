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
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/*
 * Head of a segment:  0 "CRLNCAP1"  8 serial u32  12 size u32  16 begin f64 (epoch ms)  24 zero; records from 32 on
 */
const MAGIC = 'CRLNCAP1';
export const SEGMENT_HEAD = 32;
const PIECE = Buffer.alloc(256 * 1024);
/** Pieces of one write: each write wakes two threads. */
const MOST_PIECES = 32;

/** One file of a ring. It is filled with zeros once and written over from then on, so that it never grows. */
export class Segment {
  readonly file: string;
  readonly size: number;
  /** Counts the uses of all segments of a ring; 0: this one was never used. */
  serial = 0;
  /** Time of the first message of this use. */
  beganMs = 0;
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

  read(): Promise<Buffer> {
    return readFile(this.file);
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

export function headBytes(serial: number, size: number, beganMs: number): Buffer {
  const head = Buffer.alloc(SEGMENT_HEAD);
  head.write(MAGIC);
  head.writeUInt32LE(serial, 8);
  head.writeUInt32LE(size, 12);
  head.writeDoubleLE(beganMs, 16);
  return head;
}

/** The head of a segment; a serial of 0: these bytes have none. */
export function headOf(bytes: Buffer): {
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
