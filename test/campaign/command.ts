import { spawnSync } from 'node:child_process';
import { NotPossible } from './campaign.ts';

/** Runs a program of the system and gives its stdout; what it complains of becomes one sentence. */
export function command(program: string, ...words: readonly string[]): string {
  const run = spawnSync(program, words, { encoding: 'utf8' });
  if (run.status === 0) return run.stdout;
  const why = run.error?.message ?? (run.stderr.trim() || `exit ${run.status ?? run.signal}`);
  throw new NotPossible(`${[program, ...words].join(' ')}: ${why}`);
}

/** Loop images and network namespaces belong to root. */
export function needRoot(forWhat: string): void {
  if (process.getuid?.() === 0) return;
  throw new NotPossible(`${forWhat} needs root; run it with sudo`);
}

/** In front of a program: it lives in a namespace of its own, which ends with it. */
export const ownNamespace = (of: 'network' | 'mounts'): readonly [string, string] => [
  'unshare',
  of === 'network' ? '--net' : '--mount',
];
