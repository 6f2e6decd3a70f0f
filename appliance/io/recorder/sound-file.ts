import { type FileHandle, mkdir, open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Coder } from './coder.ts';

/** A recording that is not finished carries this behind its name. */
export const PART = '.part';
/** Chosen: the disk may be this far behind before the recording is given up: over two minutes of two channels. */
const MOST_PENDING_BYTES = 4 << 20;
const NOTHING = new Uint8Array(0);

/** The disk does not keep up. */
export class DiskSlow extends Error {}

/**
 * One file of a recording while it grows. Every write is followed by the head that fits it, so that whatever is there
 * when everything stops can be played.
 *
 * ```
 *   name.wav.part   head | audio …           append, head again       each second
 *                                            fsync                    every 5 s
 *   name.wav        head | audio             close, rename, fsync of the folder
 * ```
 */
export class SoundFile {
  readonly path: string;
  readonly #coder: Coder;
  readonly #handle: FileHandle;
  readonly #headBytes: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #bodyBytes = 0;
  #coderUsedUp = false;
  #finished = false;
  /** Writes follow one another. */
  #last: Promise<void> = Promise.resolve();

  private constructor(path: string, coder: Coder, handle: FileHandle, headBytes: number) {
    this.path = path;
    this.#coder = coder;
    this.#handle = handle;
    this.#headBytes = headBytes;
  }

  /** Makes the unfinished file, in folders that are made too. Rejects with the system's error, `EEXIST` among them. */
  static async create(path: string, coder: Coder): Promise<SoundFile> {
    await mkdir(dirname(path), { recursive: true, mode: 0o750 });
    const handle = await open(path + PART, 'wx+', 0o640);
    const head = coder.head(0, 0);
    const file = new SoundFile(path, coder, handle, head.length);
    await writeAll(handle, head, 0);
    return file;
  }

  /** One frame of each channel. @throws DiskSlow */
  push(channels: readonly Int16Array[]): void {
    this.#keep(this.#coder.encode(channels));
  }

  /** @param samples of each channel that were pushed so far; for players, see the head */
  flush(samples: number, sync: boolean): Promise<void> {
    // After a failure every further write fails too: a hole would shift all that follows.
    this.#last = this.#last.then(() => this.#write(samples, sync));
    return this.#last;
  }

  /** The finished file stands under its name, on the disk. */
  async complete(samples: number): Promise<void> {
    this.#keep(this.#lastBytes());
    await this.flush(samples, true);
    await this.#handle.close();
    await rename(this.path + PART, this.path);
    await syncFolder(dirname(this.path));
    this.#finished = true;
  }

  get finished(): boolean {
    return this.#finished;
  }

  /** Lets go of the unfinished file and leaves it as it is. */
  async release(): Promise<void> {
    this.#lastBytes();
    await this.#last.catch(() => undefined);
    await this.#handle.close();
  }

  /** Also gives the coder back. */
  #lastBytes(): Uint8Array {
    if (this.#coderUsedUp) return NOTHING;
    this.#coderUsedUp = true;
    return this.#coder.finish();
  }

  #keep(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.#pendingBytes > MOST_PENDING_BYTES) {
      throw new DiskSlow(`${this.#pendingBytes} bytes of ${this.path} wait for the disk`);
    }
    this.#pending.push(bytes.slice());
    this.#pendingBytes += bytes.length;
  }

  async #write(samples: number, sync: boolean): Promise<void> {
    const bytes = Buffer.concat(this.#pending);
    this.#pending = [];
    if (bytes.length > 0) {
      await writeAll(this.#handle, bytes, this.#headBytes + this.#bodyBytes);
      this.#bodyBytes += bytes.length;
      this.#pendingBytes -= bytes.length;
      await writeAll(this.#handle, this.#coder.head(samples, this.#bodyBytes), 0);
    }
    if (sync) await this.#handle.datasync();
  }
}

/** A full disk takes part of a write before it refuses the rest. */
export async function writeAll(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
