import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time in ms that the scheduler has accounted to processes and their descendants: every thread of each
 * (`/proc/<pid>/task/<tid>/schedstat`, first figure, ns). A thread or descendant that ended takes its time with it.
 */
export function processorMs(...pids: readonly number[]): number {
  let ns = 0;
  for (const member of pids.flatMap(family)) {
    try {
      for (const thread of readdirSync(`/proc/${member}/task`)) ns += timeOf(member, thread);
    } catch (cause) {
      // A worker of a database ends between two looks; the process that was asked for must be there.
      if (pids.includes(member)) throw cause;
    }
  }
  return ns / 1e6;
}

function timeOf(pid: number, thread: string): number {
  const [onCore = '0'] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ');
  return Number(onCore);
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
