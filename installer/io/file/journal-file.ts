import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JournalEntry, type JournalState, readJournal } from '../../plan/index.ts';

/** The journal of plans: a file of JSON lines, each synced before what it announces is done. */
export class JournalFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Undefined: it is there and cannot be understood. */
  read(): JournalState | undefined {
    try {
      return readJournal(readFileSync(this.#path, 'utf8'));
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { kind: 'empty' };
      throw cause;
    }
  }

  /** The first line of a plan begins a new file in place of the old one; every other line is added. */
  note(entry: JournalEntry): void {
    const begins = 'plan' in entry;
    if (begins) mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    const path = begins ? `${this.#path}.part` : this.#path;
    const file = openSync(path, begins ? 'w' : 'a', 0o600);
    try {
      writeSync(file, `${JSON.stringify(entry)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    if (!begins) return;
    renameSync(path, this.#path);
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}
