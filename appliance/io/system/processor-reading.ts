import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import type { ProcessorUse } from '../../site/index.ts';

/** Columns of the line `cpu` in /proc/stat (proc_stat(5)). */
const STEAL_COLUMN = 7;
const COLUMNS = 8;

/**
 * The use of the processor since the last call: by the host of a virtual machine (steal), and by this process. undefined:
 * unknown, as at the first call and where there is no /proc.
 */
export function openProcessorMeter(proc = '/proc'): () => Promise<ProcessorUse | undefined> {
  const cores = availableParallelism();
  let stat: { readonly total: number; readonly steal: number } | undefined;
  let own = process.cpuUsage();
  let atMs = performance.now();
  return async () => {
    const now = timesIn(await readFile(`${proc}/stat`, 'utf8').catch(() => ''));
    const before = stat;
    stat = now;
    const [nowMs, used] = [performance.now(), process.cpuUsage(own)];
    const spanMs = nowMs - atMs;
    atMs = nowMs;
    own = process.cpuUsage();
    if (before === undefined || now === undefined || now.total <= before.total || spanMs <= 0)
      return undefined;
    return {
      stolenPct: (100 * (now.steal - before.steal)) / (now.total - before.total),
      ownPct: (used.user + used.system) / 10 / spanMs / cores,
    };
  };
}

function timesIn(text: string): { readonly total: number; readonly steal: number } | undefined {
  // Guest times stand in user and nice already.
  const times = /^cpu +(.+)$/m.exec(text)?.[1]?.split(' ').slice(0, COLUMNS).map(Number) ?? [];
  const total = times.reduce((sum, each) => sum + each, 0);
  const steal = times[STEAL_COLUMN];
  return steal === undefined || !Number.isFinite(total) ? undefined : { total, steal };
}
