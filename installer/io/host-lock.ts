import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

const LOCK = '/run/carillon-command.lock';

/** One command changes the host at a time. Undefined: another one is at it. The lock of a dead process is taken over. */
export function lockHost(): (() => void) | undefined {
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = openSync(LOCK, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => rmSync(LOCK, { force: true });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
      if (heldByLiving()) return undefined;
      rmSync(LOCK, { force: true });
    }
  }
  return undefined;
}

function heldByLiving(): boolean {
  try {
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0);
    return true;
  } catch {
    return false;
  }
}
