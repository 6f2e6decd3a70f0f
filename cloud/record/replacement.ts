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
}

/**
 * Whether a record that comes takes the place of the stored one. The numbers of one host tell which is later; after a
 * take-over they tell nothing, and the record of the host that continued the session counts.
 */
export function replaces(next: Version, stored: Version): boolean {
  if (stored.seq === ERASED_SEQ) return false;
  const [runs, ran] = [next.result === 'running', stored.result === 'running'];
  if (runs !== ran) return ran;
  if (next.uid === stored.uid) return next.seq > stored.seq;
  if (runs) return next.restarts > stored.restarts;
  return stored.result === 'interrupted' && next.result !== 'interrupted';
}
