import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/** Writes a file for root alone: whole or not at all, through no link, and there after a power cut. */
export function writeDurably(place: string, text: string): void {
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  const beside = `${place}.part`;
  // The rest of a command that was cut.
  rmSync(beside, { force: true });
  const file = openSync(beside, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, place);
  const folder = openSync(dirname(place), 'r');
  fsyncSync(folder);
  closeSync(folder);
}
