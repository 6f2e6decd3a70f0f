import type { JournalWrite } from '../../../delivery/outbox/index.ts';
import type { AttemptPlan, AttemptUser, ReceiverSpeech } from '../attempt/attempt.ts';
import type { Attempts } from '../attempt/attempts.ts';
import type { FormProfiles } from '../order/native-form.ts';
import type { ActiveSending, SendingInfo } from './active-sending.ts';
import type { ControllerTable } from './controller-table.ts';
import type { SendReport } from './send-report.ts';

/** Result of one event. */
export type SendingOutcome =
  | { readonly kind: 'sent'; readonly speech: ReceiverSpeech }
  | { readonly kind: 'failed'; readonly reason: string };

/** A session that is not on the disk yet. */
export interface PreparedSending {
  readonly facts: SendingInfo;
  /** Belong into one commit, with whatever asked for it. */
  readonly writes: readonly JournalWrite[];
  /** They are there: the event goes out. */
  begin(): void;
}

export interface SendingSessionsDependencies {
  readonly attempts: (turn: (work: () => void) => void) => Attempts;
  readonly report: SendReport;
  readonly profiles: FormProfiles;
  /** Whose numbers events of a scheme went out from. */
  readonly controllers: Pick<ControllerTable, 'sent'>;
  /** Four digits of DC-09. */
  readonly nextSequence: () => string;
  /** Speech of an event that was taken; who carries it tells `Talks`. */
  readonly talks: {
    begin(known: ActiveSending, plan: AttemptPlan, speech: ReceiverSpeech): void;
    command: AttemptUser['command'];
    lineOver: AttemptUser['lineOver'];
    passes: AttemptUser['passes'];
    /** A person speaks with the receiver of this session, or is to. */
    has(id: string): boolean;
  };
  /** The event cannot be said to its receiver: a person is called. */
  readonly callInstead: (known: ActiveSending, destination: string) => void;
  /** A sign of life of a receiver, or its silence. */
  readonly signOfLife: (plan: AttemptPlan, answered: boolean, reason: string) => void;
}
