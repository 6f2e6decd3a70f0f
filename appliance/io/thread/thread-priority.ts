import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Chosen: nice levels by which a thread is put ahead. It gets nine tenths of the core for which another one competes. */
const AHEAD = 10;
const HIGHEST = -20;

/**
 * Puts the calling thread ahead of the other threads of its process. Linux schedules each thread as a task of its own, and
 * `/proc/thread-self` names that of the caller (proc(5)). It needs the right to do so: `LimitNICE` of the unit, or root.
 *
 * @returns the nice level of the thread from now on; `undefined` without that right or without such tasks, where nothing changes
 */
export function putThreadAhead(): number | undefined {
  try {
    const task = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    const level = Math.max(getPriority(task) - AHEAD, HIGHEST);
    setPriority(task, level);
    return level;
  } catch {
    return undefined;
  }
}
