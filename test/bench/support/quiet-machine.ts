import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Beyond this share of the machine a figure does not count. */
const MOST_FOREIGN = 0.02;
/** `USER_HZ` of Linux: ticks of /proc in a second. */
const TICKS_PER_S = 100;
/** The process that all threads of the kernel come from. */
const KERNEL = 2;
/** The process that takes over those whose parent has ended. */
const FIRST = 1;

/** The time of others while a benchmark ran, as shares of all cores. */
export interface Disturbance {
  /** Processes that the benchmark did not start. */
  readonly foreign: number;
  /** Taken by the host of this virtual machine. */
  readonly steal: number;
}

interface Sample {
  readonly atMs: number;
  readonly processes: readonly Process[];
  readonly stealTicks: number;
}

/** Looks at the machine until `end`: processes of this machine that do not descend from ours, and steal. */
export function watchMachine(): { readonly end: () => Disturbance } {
  const before = sample();
  return {
    end() {
      const after = sample();
      const ticks = ((after.atMs - before.atMs) / 1_000) * TICKS_PER_S * availableParallelism();
      return {
        foreign: ticksBetween(before.processes, after.processes, process.pid) / ticks,
        steal: (after.stealTicks - before.stealTicks) / ticks,
      };
    },
  };
}

export const isDisturbed = ({ foreign, steal }: Disturbance): boolean =>
  foreign > MOST_FOREIGN || steal > MOST_FOREIGN;

const percent = (share: number): string => `${(100 * Math.max(0, share)).toFixed(1)} %`;

export const disturbanceText = ({ foreign, steal }: Disturbance): string =>
  `others had ${percent(foreign)} of the machine, steal ${percent(steal)}`;

/** A process as /proc/PID/stat shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /**
   * Its own time and, but for the first process, that of the children it has waited for: what a process has used stays counted when it
   * ends.
   */
  readonly ticks: number;
}

/**
 * Ticks of all processes that do not descend from `self`. The kernel's own threads do not count: they write and send for those who
 * asked them to, and here that is the benchmark.
 */
function foreignTicks(all: readonly Process[], self: number): number {
  const own = new Set([self]);
  // A list has children before their parents, too: it is read until nothing new is found.
  for (let known = 0; known !== own.size; ) {
    known = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all
    .filter(({ pid, parent }) => !own.has(pid) && pid !== KERNEL && parent !== KERNEL)
    .reduce((sum, { ticks }) => sum + ticks, 0);
}

/**
 * Foreign ticks between two samples. A process whose parent had ended is taken over by the first process: a browser that the benchmark has
 * closed leaves many. Its whole time is counted there when it ends, whoever began it, and is left out.
 */
export function ticksBetween(before: readonly Process[], after: readonly Process[], self: number): number {
  const there = new Set(after.map(({ pid }) => pid));
  const lasting = before.filter(({ pid, parent }) => parent !== FIRST || there.has(pid));
  return foreignTicks(after, self) - foreignTicks(lasting, self);
}

function sample(): Sample {
  const [, , , , , , , , steal = '0'] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(
    /\s+/,
  );
  return {
    atMs: performance.now(),
    processes: processes(),
    stealTicks: Number(steal),
  };
}

function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const text = readFileSync(`/proc/${name}/stat`, 'utf8');
        // The name stands in brackets and may hold anything (proc(5)).
        const [state, ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
        const [parent = 0, ...fields] = rest.map(Number);
        // Ended, and not yet waited for by the first process.
        if (state === 'Z' && parent === FIRST) return [];
        const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(9, 13);
        const pid = Number(name);
        const ofChildren = pid === FIRST ? 0 : childUser + childSystem;
        return [{ pid, parent, ticks: user + system + ofChildren }];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
