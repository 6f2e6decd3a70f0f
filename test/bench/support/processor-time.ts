import { readdirSync, readFileSync } from 'node:fs';

/** A tick of proc(5), the same on each Linux of today. */
const TICK_NS = 1e7;

/**
 * Processor time in ms that the scheduler has accounted to processes and their descendants: every thread of each
 * (`/proc/<pid>/task/<tid>/schedstat`, first figure, ns), and descendants that ended, in ticks of 10 ms: a database ends its
 * helpers all the time. A thread that ended takes its time with it.
 */
export function processorMs(...pids: readonly number[]): number {
  let ns = 0;
  for (const member of pids.flatMap(family)) {
    try {
      ns += endedOf(member);
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

/** Time of descendants that ended and were waited for, ns (`cutime` and `cstime` of proc(5)). */
function endedOf(pid: number): number {
  const [, , , , , , , , , , , , , user, system] = statOf(pid);
  return TICK_NS * (Number(user) + Number(system));
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

/** The fields from `state` on: the name before them stands in brackets and may hold anything. */
function statOf(pid: number | string): string[] {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(statOf(pid)[1]);
  } catch {
    return undefined;
  }
}
