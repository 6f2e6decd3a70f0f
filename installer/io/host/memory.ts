import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Chosen: by then what was answered first is answered. */
const AFTER_MS = 5_000;

/**
 * Gives back what only the start needed, some 10 MB: V8 would wait until it has use for it. Holds up the main thread once, for
 * 40 to 60 ms, less than a tone or a retransmission waits.
 */
export async function settleMemory(): Promise<void> {
  await pause(AFTER_MS, undefined, { ref: false });
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
