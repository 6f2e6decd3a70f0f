import type { RecordResult } from '#shared/contract/session-record/index.ts';
import { ERASED_SEQ } from '../store/index.ts';

/** As much of a record as decides which of two stays. */
export interface Version {
  /** The host that wrote it. */
  readonly uid: string;
  /** Its number in the record store of that host. */
  readonly seq: number;
  readonly result: RecordResult;
  /** Restarts of a host in the middle of the session. */
  readonly restarts: number;
  /** End of the session by the clock of the host, epoch ms; unknown: the largest number. */
  readonly ended: number;
}

/** Fate of a record that comes: it takes the place of the stored one, is kept beside it as a further end, or is dropped. */
export type Fate = 'replaces' | 'furtherEnd' | 'dropped';

/**
 * The numbers of one host tell which of its records is later; after a take-over they tell nothing, and the record of the host
 * that continued the session counts. Two hosts may both end it: the one that was taken over comes back and carries on. One end
 * counts, whichever comes first, and the other is a step of the trace.
 *
 * `Chosen:` of two ends that of the host that continued the session counts, then the earlier one; an end `interrupted` says only
 * that its host does not know, and counts last.
 */
export function fateOf(next: Version, stored: Version): Fate {
  if (stored.seq === ERASED_SEQ) return 'dropped';
  const [runs, ran] = [next.result === 'running', stored.result === 'running'];
  if (next.uid === stored.uid) {
    if (runs !== ran) return ran ? 'replaces' : 'dropped';
    return next.seq > stored.seq ? 'replaces' : 'dropped';
  }
  if (runs) return ran && next.restarts > stored.restarts ? 'replaces' : 'dropped';
  if (ran) return 'replaces';
  return isPreferred(next, stored) ? 'replaces' : 'furtherEnd';
}

function isPreferred(next: Version, stored: Version): boolean {
  const [lost, other] = [next.result === 'interrupted', stored.result === 'interrupted'];
  if (lost !== other) return other;
  if (next.restarts !== stored.restarts) return next.restarts > stored.restarts;
  return next.ended < stored.ended;
}
