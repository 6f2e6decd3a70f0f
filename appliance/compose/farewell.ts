import { setTimeout as pause } from 'node:timers/promises';
import type { Runtime } from '../runtime/runtime.ts';
import { callsLeft } from '../runtime/site-call.ts';

/** Chosen: systemd waits longer, and a person who presses Ctrl-C does not. */
const LONGEST_MS = 8_000;
const LOOK_MS = 25;

/**
 * The graceful stop: nothing new is taken, so that devices try their next receiver at once, and alarms in progress end
 * first, within 8 s. What is not delivered by then is on the disk.
 */
export async function alarmsEnd(runtime: Runtime): Promise<void> {
  runtime.cordon.admittance = 'closed';
  const endMs = performance.now() + LONGEST_MS;
  while (inProgress(runtime) && performance.now() < endMs) await pause(LOOK_MS);
}

function inProgress(runtime: Runtime): boolean {
  if (callsLeft(runtime.calls).alarm > 0) return true;
  for (const { session } of runtime.alarmDesk.running) {
    if (session.callbackOut || session.pending.length > 0) return true;
  }
  return false;
}
