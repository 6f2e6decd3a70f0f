import { randomBytes } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { bad, doubtful, good, type Outcome } from './record.ts';

const WRITES = 20;
const SLOW_MS = 100;
const LEAST_FREE_MB = 100;

/** How long the folder of the journal takes to make 4 KiB safe. */
export async function diskProbe(folder: string): Promise<Outcome> {
  const path = join(folder, `.self-test-${randomBytes(6).toString('hex')}`);
  try {
    const file = await open(path, 'wx', 0o600);
    const times: number[] = [];
    try {
      const page = randomBytes(4_096);
      for (let round = 0; round < WRITES; round++) {
        const begun = performance.now();
        await file.write(page);
        await file.datasync();
        times.push(performance.now() - begun);
      }
    } finally {
      await file.close();
    }
    times.sort((a, b) => a - b);
    const [half, worst] = [times[WRITES / 2] ?? 0, times[Math.floor(WRITES * 0.99)] ?? 0];
    const found = `half ${half.toFixed(1)} ms, p99 ${worst.toFixed(1)} ms`;
    return worst > SLOW_MS ? doubtful('fsync.slow', found) : good(found);
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    return bad(code === 'ENOENT' ? 'fsync.missing' : 'fsync.failed', message);
  } finally {
    await rm(path, { force: true });
  }
}

export function memoryProbe(): Outcome {
  const free = Math.round(freemem() / 1_048_576);
  return free < LEAST_FREE_MB ? bad('memory.low', `only ${free} MB free`) : good(`${free} MB free`);
}
