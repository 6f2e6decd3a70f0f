import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time in ms that the scheduler has accounted to processes and their descendants: every thread of each
 * (`/proc/<pid>/task/<tid>/schedstat`, first figure, ns). A thread that ended takes its time with it.
 */
export function processorMs(...pids: readonly number[]): number {
  let ns = 0;
  for (const member of pids.flatMap(family)) {
    for (const thread of readdirSync(`/proc/${member}/task`)) {
      const [onCore = '0'] = readFileSync(`/proc/${member}/task/${thread}/schedstat`, 'utf8').split(' ');
      ns += Number(onCore);
    }
  }
  return ns / 1e6;
}

/** The process and everything it started: a server with worker processes counts as one. */
function family(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const parent = parentOf(name);
    if (parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
  }
  const found = [pid];
  for (const each of found) found.push(...(children.get(each) ?? []));
  return found;
}

function parentOf(pid: string): number | undefined {
  try {
    // The name stands in brackets and may hold anything; state and parent follow it.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  } catch {
    return undefined;
  }
}
