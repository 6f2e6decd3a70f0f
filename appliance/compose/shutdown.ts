import { setTimeout as pause } from 'node:timers/promises';
import type { ApplianceEngine } from '../engine/engine.ts';
import { callsLeft, endOrdinaryCalls } from '../site/host/site-call.ts';

/** Chosen: systemd waits longer, and a person who presses Ctrl-C does not. */
const LONGEST_MS = 8_000;
/** For the answers to our BYEs: a telephone that does not answer has heard it or is unreachable. */
const HANG_UP_MS = 2_000;
const LOOK_MS = 25;

/**
 * The graceful stop: nothing new is taken, so that devices try their next receiver at once, and alarms in progress end
 * first, within 8 s. Then the program hangs up on people who still talk: silence would tell them nothing. Rows that are not
 * delivered by then are on the disk. The call of an alarm that goes on is left as it is: its device would take a BYE for the
 * end of its alarm, and without us it finds out.
 */
export async function alarmsEnd(runtime: ApplianceEngine): Promise<void> {
  runtime.cordon.admittance = 'closed';
  await within(LONGEST_MS, () => !inProgress(runtime));
  await peopleEnd(runtime);
}

/**
 * Puts the work of this host into its outbox, to the last call: it comes back without an identity, and has no other time to
 * report it.
 */
export async function reportFinalState(runtime: ApplianceEngine): Promise<void> {
  await peopleEnd(runtime);
  await runtime.usage.tellAll();
}

async function peopleEnd({ calls }: ApplianceEngine): Promise<void> {
  endOrdinaryCalls(calls);
  await within(HANG_UP_MS, () => callsLeft(calls).ordinary === 0);
}

async function within(longestMs: number, over: () => boolean): Promise<void> {
  const endMs = performance.now() + longestMs;
  while (!over() && performance.now() < endMs) await pause(LOOK_MS);
}

/** An alarm that a device or an application still waits for. */
export function inProgress(runtime: ApplianceEngine): boolean {
  if (callsLeft(runtime.calls).alarm > 0) return true;
  for (const { session } of runtime.alarmDesk.running) {
    if (session.callbackOut || session.pending.length > 0) return true;
  }
  return false;
}
