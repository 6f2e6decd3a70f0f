import { execFile } from 'node:child_process';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'last-good-time';
const TIME_LIMIT_MS = 3_000;

/** Epoch ms that this machine is known to have reached; undefined on its first start. */
export function readLastGood(folder: string): number | undefined {
  try {
    const ms = Number(readFileSync(join(folder, FILE), 'utf8').trim());
    return Number.isSafeInteger(ms) && ms > 0 ? ms : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Goes back only for a clock that has a source: what was kept then was the future, and each start would set the clock to it. A disk that
 * cannot be written keeps the older time, which is no worse than none.
 */
export function keepLastGood(folder: string, wallMs: number, synchronised: boolean | undefined): void {
  if (synchronised !== true && wallMs <= (readLastGood(folder) ?? 0)) return;
  const file = join(folder, FILE);
  try {
    writeFileSync(`${file}.new`, `${Math.floor(wallMs)}\n`, { mode: 0o600 });
    renameSync(`${file}.new`, file);
  } catch {
    // Said by the conditions of the disk.
  }
}

/** Sets the clock of the machine (CAP_SYS_TIME); false when we may not. */
export function setClock(wallMs: number): Promise<boolean> {
  const at = new Date(wallMs).toISOString();
  return new Promise((resolve) => {
    execFile('date', ['--utc', '--set', at], { timeout: TIME_LIMIT_MS }, (error) => resolve(error === null));
  });
}
