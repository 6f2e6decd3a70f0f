import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Chosen: nice levels by which a thread is put ahead. It gets nine tenths of the core for which another one competes. */
const AHEAD = 10;
const [HIGHEST, LOWEST] = [-20, 19];
/** Name that V8's threads have in `/proc` (proc(5), `comm`). */
const V8_THREAD = 'V8Worker';

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

/**
 * Puts the threads that compile and collect behind the thread that they do it for: four of them, which begin together when code is new,
 * leave it a fifth of a core that they share. `Chosen:` as many levels behind as the audio is ahead; they get the core while the others
 * wait. It needs no right.
 *
 * @returns how many threads are behind from now on; 0 where the system names none
 */
export function putV8ThreadsBehind(): number {
  let behind = 0;
  try {
    // Counted from the calling thread: a second start in one process puts them no further back.
    const level = Math.min(getPriority() + AHEAD, LOWEST);
    for (const task of readdirSync('/proc/self/task')) {
      if (readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim() !== V8_THREAD) continue;
      setPriority(Number(task), level);
      behind++;
    }
  } catch {
    // A system without such tasks schedules its threads as it likes.
  }
  return behind;
}
