import type { Failure, Result } from '#shared/result.ts';
import type { AlarmDetails } from '../../delivery/callback/index.ts';
import type { JournalWrite, SessionRow } from '../../delivery/outbox/index.ts';

/** The receiver's decision for the device of a forwarded alarm, in the words of an application. */
export interface ForwardDecision {
  readonly action: 'drop' | 'callEmergencyCenter';
  /** The destination that the device is joined with; absent: the emergency destination. */
  readonly destination?: string;
}

/** A failure means that no receiver has taken the event; the device's fallback acts. */
export type ForwardOutcome = Result<ForwardDecision, Failure>;

/** An event of a device that goes on to a receiver. */
export interface Forward {
  /** Joins the commit that stores the event, so that an acknowledged event is sent even after a crash. */
  readonly writes: readonly JournalWrite[];
  readonly begin: () => void;
  /** Reports the receiver's decision once it is known. */
  readonly decided: (report: (outcome: ForwardOutcome) => void) => void;
  readonly targetProtocol: AlarmDetails['targetProtocol'];
}

/**
 * Time that a device may wait for its receiver's decision, ms. `Chosen:` either side of an analogue call hangs up after
 * 130 s.
 */
export const FORWARD_WAIT_MS = 120_000;

/** Rows of sending sessions and of controllers share the table of alarm sessions; their dedupe key begins with this. */
export const SENDING_KEY = 'sending ';

export const isSendingRow = ({ dedupeKey }: SessionRow): boolean =>
  dedupeKey?.startsWith(SENDING_KEY) ?? false;
