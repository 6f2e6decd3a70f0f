import { createHook } from 'node:async_hooks';
import { writeFileSync } from 'node:fs';

/** Resources of a program, as it knows them. */
export interface Reading {
  readonly timers: number;
  readonly handles: number;
  readonly heapBytes: number;
}

/**
 * Words for Node that load this file before a program: it then writes once a second what it holds into `file`, as `Reading`.
 * `leaks`: it also keeps a timer and memory each time, so that the campaign can be seen to turn red.
 */
export const metered = (file: string, leaks = false): readonly string[] => [
  '--import',
  `${import.meta.url}?${new URLSearchParams({ file, ...(leaks && { leaks: 'yes' }) })}`,
];

const asked = new URL(import.meta.url).searchParams;
const file = asked.get('file');
if (file !== null) {
  const kept: unknown[] = [];
  const timers = new Set<number>();
  createHook({
    init: (id, kind) => void (kind === 'Timeout' && timers.add(id)),
    destroy: (id) => void timers.delete(id),
  }).enable();
  const read = (): void => {
    if (asked.has('leaks')) kept.push(Buffer.alloc(1 << 20, 1), setInterval(() => undefined, 1e9).unref());
    const reading: Reading = {
      timers: timers.size,
      handles: process.getActiveResourcesInfo().length,
      heapBytes: process.memoryUsage().heapUsed,
    };
    writeFileSync(file, JSON.stringify(reading));
  };
  setInterval(read, 1_000).unref();
}
