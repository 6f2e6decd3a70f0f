import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Chosen: by then what was answered first is answered. */
const AFTER_MS = 5_000;
/** Chosen: with ten thousand hosts tens of MB of garbage are there by then, which V8 would keep until its next collection. */
const AGAIN_MS = 300_000;

type Wait = (ms: number) => Promise<unknown>;
/** Holds up no process that ends. */
const unnoticed: Wait = (ms) => pause(ms, undefined, { ref: false });

/**
 * Gives back what only the start needed, some 10 MB: V8 would wait until it has use for it. Holds up the main thread once, for
 * 40 to 60 ms, less than a tone or a retransmission waits.
 */
export async function settleMemory(wait = unnoticed, collect = collectAll): Promise<void> {
  await wait(AFTER_MS);
  collect();
}

/**
 * The same, and again each five minutes. For the control plane: with ten thousand hosts it holds up the main thread for 300 ms, and
 * nothing in it is lost or late by that. Not more often: for a minute behind it a heartbeat costs a fifth more.
 */
export async function keepMemorySettled(wait = unnoticed, collect = collectAll): Promise<never> {
  await settleMemory(wait, collect);
  for (;;) {
    await wait(AGAIN_MS);
    collect();
  }
}

function collectAll(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as (how: object) => void;
  setFlagsFromString('--no-expose-gc');
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
