import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'boots';

/** The kept notes of the boots of this machine; undefined: nothing, or nothing that can be read. */
export function readBootNotes(folder: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, FILE), 'utf8'));
  } catch {
    return undefined;
  }
}

/** A disk that cannot be written keeps the older ones: times of this boot are then estimated, and nothing else is lost. */
export function keepBootNotes(folder: string, notes: unknown): void {
  const file = join(folder, FILE);
  try {
    writeFileSync(`${file}.new`, `${JSON.stringify(notes)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // Said by the conditions of the disk.
  }
}
