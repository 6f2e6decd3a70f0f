import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ReplicaStore } from '../../replica/index.ts';

/** Counts the starts of the program with a configuration that was not judged yet, in a file of its own in `folder`. */
export function openTrial(folder: string): Pick<ReplicaStore, 'beginTrial' | 'endTrial'> {
  const file = join(folder, 'config-trial');
  return {
    beginTrial() {
      const lives = livesIn(file) + 1;
      writeFileSync(`${file}.new`, String(lives), { mode: 0o600, flush: true });
      renameSync(`${file}.new`, file);
      return lives;
    },
    endTrial: () => rmSync(file, { force: true }),
  };
}

function livesIn(file: string): number {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || 0;
  } catch {
    return 0;
  }
}
