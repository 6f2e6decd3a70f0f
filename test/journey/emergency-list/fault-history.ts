/** A list after a fault in the middle of it, as its telephones and its trace show it. */
export interface FaultHistory {
  /** From the fault until a person is called or is on the line all along, ms; undefined: no person is. */
  readonly calledAfterMs: number | undefined;
  /** The device got its clear-down, or the session was over, before a person had cleared the alarm. */
  readonly isClearedByFault: boolean;
  /** End of the session once a person has cleared it; undefined: it goes on. */
  readonly outcome: unknown;
  /** Session ids that the application has heard of. */
  readonly sessions: readonly unknown[];
}

/** A pause of the lists of the matrix, the ring time of a call that was cut off, and 10 s to clear after a hang-up. */
const LONGEST_SILENCE_MS = 45_000;
const CLEARED: readonly unknown[] = ['handled', 'callCleared', 'cleared'];

/** The promises of a list, whatever happens in the middle of it: what is broken, one sentence each. */
export function judgeFault({ calledAfterMs, isClearedByFault, outcome, sessions }: FaultHistory): string[] {
  const faults: string[] = [];
  if (calledAfterMs === undefined) faults.push('no person was called again');
  else if (calledAfterMs > LONGEST_SILENCE_MS) faults.push(`no person was called for ${calledAfterMs} ms`);
  if (isClearedByFault)
    faults.push('the device was cleared, or the session ended, before a person cleared it');
  if (!CLEARED.includes(outcome))
    faults.push(`the session ended ${String(outcome)} behind a person who cleared it`);
  if (new Set(sessions).size !== 1)
    faults.push(`the application heard of ${new Set(sessions).size} sessions`);
  return faults;
}
