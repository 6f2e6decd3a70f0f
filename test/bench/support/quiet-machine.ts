import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Beyond this share of the machine a figure does not count. */
const MOST_FOREIGN = 0.02;
/** `USER_HZ` of Linux: ticks of /proc in a second. */
const TICKS_PER_S = 100;
/** The process that all threads of the kernel come from. */
const KERNEL = 2;

/** The time of others while a benchmark ran, as shares of all cores. */
export interface Disturbance {
  /** Processes that the benchmark did not start. */
  readonly foreign: number;
  /** Taken by the host of this virtual machine. */
  readonly steal: number;
}

interface Sample {
  readonly atMs: number;
  readonly foreignTicks: number;
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
        foreign: (after.foreignTicks - before.foreignTicks) / ticks,
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
  /** Its own time and that of the children it has waited for: what a process has used stays counted when it ends. */
  readonly ticks: number;
}

/**
 * Ticks of all processes that do not descend from `self`. The kernel's own threads do not count: they write and send for those who
 * asked them to, and here that is the benchmark.
 */
export function foreignTicks(all: readonly Process[], self: number): number {
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

function sample(): Sample {
  const [, , , , , , , , steal = '0'] = (readFileSync('/proc/stat', 'utf8').split('\n')[0] ?? '').split(
    /\s+/,
  );
  return {
    atMs: performance.now(),
    foreignTicks: foreignTicks(processes(), process.pid),
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
        const fields = text
          .slice(text.lastIndexOf(')') + 2)
          .split(' ')
          .map(Number);
        const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
        return [
          { pid: Number(name), parent: fields[1] ?? 0, ticks: user + system + childUser + childSystem },
        ];
      } catch {
        // It ended meanwhile.
        return [];
      }
    });
}
