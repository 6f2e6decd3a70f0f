import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Chosen: nice levels by which a thread is put behind. It gets a sixth of the core for which another one competes. */
const BEHIND = 7;
const LOWEST = 19;

/**
 * Puts the calling thread behind the other threads of its process. Linux schedules each thread as a task of its own, and
 * `/proc/thread-self` names that of the caller (proc(5)).
 *
 * @returns the nice level of the thread from now on; `undefined` on a system without such tasks, where nothing changes
 */
export function putThreadBehind(): number | undefined {
  let task: number;
  try {
    task = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return undefined;
  }
  const level = Math.min(getPriority(task) + BEHIND, LOWEST);
  setPriority(task, level);
  return level;
}
