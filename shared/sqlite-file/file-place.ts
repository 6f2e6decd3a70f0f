/** The functions of `node:fs` that look at files and move them. */
export interface FileCalls {
  readonly statSync: (
    path: string,
    options: { readonly throwIfNoEntry: false },
  ) => { readonly dev: number; readonly ino: number } | undefined;
  readonly existsSync: (path: string) => boolean;
  readonly renameSync: (from: string, to: string) => void;
  readonly rmSync: (path: string, options: { readonly force: true }) => void;
  readonly openSync: (path: string, flags: 'r' | 'r+') => number;
  readonly fsyncSync: (handle: number) => void;
  readonly closeSync: (handle: number) => void;
}

/** A database, its log and the index of the log: without one of them the next start reads fewer rows. */
const SUFFIXES = ['', '-wal', '-shm'];
const NONE = 'none';
const UNKNOWN = 'unknown';

/**
 * The path of a database and the files that this process has open there. Rows that were committed are on the disk only while the path
 * leads to them: a file that is removed, moved or replaced under a running program takes commits until that program ends, and loses
 * them then. Each store therefore compares after its commits and each second, and puts a copy of the open file in the place:
 *
 *     hold ── commit ── hasLeft? ── no ──▶ confirmed
 *                          └ yes ─▶ copy of the open file to fresh ─▶ connections closed ─▶ putInPlace ─▶ opened ─▶ hold, confirmed
 *
 * Nothing here opens the database's own files: a file that a process closes loses the locks of SQLite.
 */
export class FilePlace {
  readonly file: string;
  /** The copy is written to this path before it takes the place. */
  readonly fresh: string;
  readonly #calls: FileCalls;
  #held: readonly string[] = [];

  constructor(file: string, calls: FileCalls) {
    this.file = file;
    this.fresh = `${file}.salvage`;
    this.#calls = calls;
  }

  /** Notes the files that lie there; to be called while every connection is open and has written. */
  hold(): void {
    this.#held = this.#files();
  }

  /** Finds a file removed, or another in its place. A path that cannot be looked at is no proof of either. */
  hasLeft(): boolean {
    return this.#files().some((found, at) => found !== UNKNOWN && found !== this.#held[at]);
  }

  /** Removes the rest of an earlier copy. */
  clearFresh(): void {
    removed(this.#calls, this.fresh);
  }

  /**
   * Syncs the copy and moves it to the path. Every connection must be closed by then: one that closes later takes the log of the new
   * file away. A crash on the way is ended by `finishSwap` at the next start.
   *
   * @param aside the path for a file that stands in the place
   */
  putInPlace(aside: string): void {
    synced(this.#calls, this.fresh, 'r+');
    this.#calls.renameSync(this.fresh, `${this.file}.salvaged`);
    synced(this.#calls, folderOf(this.file), 'r');
    finishSwap(this.file, aside, this.#calls);
  }

  #files(): readonly string[] {
    return SUFFIXES.map((suffix) => {
      try {
        const found = this.#calls.statSync(this.file + suffix, { throwIfNoEntry: false });
        return found === undefined ? NONE : `${found.dev}:${found.ino}`;
      } catch {
        return UNKNOWN;
      }
    });
  }
}

/** The words of every store about a file that was removed or replaced. */
export const removedFault = (file: string): string =>
  `${file} or its log was removed or replaced under the running program`;

/** The error of a commit whose file has left and cannot be restored. */
export const notRestored = (file: string, cause: unknown): Error =>
  new Error(
    `${file} was removed or replaced under the running program and cannot be restored: ${String(cause)}. Make the folder writable and free space on its disk`,
  );

/** Ends a swap that a crash has cut; false: there was none. */
export function finishSwap(file: string, aside: string, calls: FileCalls): boolean {
  const whole = `${file}.salvaged`;
  if (!calls.existsSync(whole)) return false;
  for (const suffix of SUFFIXES.toReversed())
    if (calls.existsSync(file + suffix)) calls.renameSync(file + suffix, aside + suffix);
  calls.renameSync(whole, file);
  removed(calls, whole);
  synced(calls, folderOf(file), 'r');
  return true;
}

function removed(calls: FileCalls, file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) calls.rmSync(file + suffix, { force: true });
}

function synced(calls: FileCalls, path: string, flags: 'r' | 'r+'): void {
  const handle = calls.openSync(path, flags);
  calls.fsyncSync(handle);
  calls.closeSync(handle);
}

const folderOf = (file: string): string => file.slice(0, file.lastIndexOf('/') + 1) || '.';
