import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runSipp, type SippOutcome, type SippRun } from './sipp.ts';

const LISTENING_WITHIN_MS = 30_000;

/** Two SIPp at a time: the callee listens before the caller begins. Both have ended when it resolves. */
export async function runPair(
  callee: SippRun & { readonly fromPort: number },
  caller: SippRun,
): Promise<{ readonly callee: SippOutcome; readonly caller: SippOutcome }> {
  const listening = runSipp(callee);
  await untilListening(callee.transport, callee.fromPort);
  const [called, calling] = await Promise.all([listening, runSipp(caller)]);
  return { callee: called, caller: calling };
}

/** Polls the kernel's table: a program that only listens has no other sign. */
export async function untilListening(transport: 'udp' | 'tcp', port: number): Promise<void> {
  const mark = `:${port.toString(16).toUpperCase().padStart(4, '0')} 0000`;
  const deadline = performance.now() + LISTENING_WITHIN_MS;
  const isListening = () =>
    [transport, `${transport}6`].some((table) => readFileSync(`/proc/net/${table}`, 'utf8').includes(mark));
  while (!isListening()) {
    if (performance.now() > deadline) throw new Error(`nobody listens on ${transport} port ${port}`);
    await pause(20);
  }
}
