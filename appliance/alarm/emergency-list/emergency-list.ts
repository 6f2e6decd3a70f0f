import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { EmergencyProgress } from '#shared/contract/callback/index.ts';
import type { CallEntry, CallPlan } from './call-plan.ts';

/** The states of a list; the README draws them. */
export type ListPhase = 'calling' | 'pausing' | 'talking' | 'handingBack' | 'queued' | 'ended';

/**
 * `handled`: a person has cleared the alarm. `unanswered`: no person accepted. `stopped`: the alarm ended without the list,
 * by the application or by its device.
 */
export type ListResult = 'handled' | 'unanswered' | 'stopped';

/** `step` of a call to a person of the alarm queue, who stands in no step of the plan. */
export const QUEUE_STEP = -1;

/** One call to one entry. */
export interface Attempt {
  /** Counted from 1 over all rounds. */
  readonly id: number;
  /** From 0; `QUEUE_STEP` for a person of the alarm queue. */
  readonly step: number;
  readonly entry: number;
  readonly phase: 'ringing' | 'asking' | 'accepting' | 'accepted';
  /** When it has rung long enough, or its window to accept ends, monotonic ms. */
  readonly dueAt: number;
  /** Windows to accept that have ended; the next step need not wait for it from the first on. */
  readonly windows: number;
  /** Taken by the answer alone, without a key: evidence of a machine takes it back. */
  readonly isByAnswer: boolean;
  /** Keys that are not complete yet. */
  readonly keys: string;
  readonly wrongPins: number;
  /** Its call waits until another call of the tenant ends, and its ring time has not begun. Absent: it does not. */
  readonly isWaiting?: true;
}

/** The people of one alarm, from the decision to the end. Plain JSON: it is stored with its session. */
export interface EmergencyList {
  readonly version: 1;
  readonly plan: CallPlan;
  /** The hang-up of the person who has accepted clears the alarm. */
  readonly hangUpClears: boolean;
  readonly phase: ListPhase;
  /** From 0. */
  readonly round: number;
  /** The step that began last, from 0. */
  readonly step: number;
  readonly attempts: readonly Attempt[];
  /** The device is in its call: an answer alone can take the alarm. Absent: it is not. */
  readonly isDeviceHere?: boolean;
  /** The control plane takes what no person of the list has accepted; false: it cannot be reached. Absent: there is none. */
  readonly alarmQueue?: boolean;
  /** The list has ended without an accept, and the alarm waits in the alarm queue. Absent: it does not. */
  readonly isQueued?: true;
  /** The person who has taken the alarm from the queue. */
  readonly fromQueue?: CallEntry;
  /** Entries, as `step.entry`, whose answer alone has not led to help: they accept by the key from then on. */
  readonly keyOnly?: readonly string[];
  /** Wrong PINs of entries, by `step.entry`, over all calls of the alarm. */
  readonly wrongPins?: Readonly<Record<string, number>>;
  /** Attempts that were made. */
  readonly made: number;
  /** End of the pause, or of the time to clear after a hang-up; monotonic ms. */
  readonly dueAt: number;
  /** No call begins from here on; monotonic ms. */
  readonly endsAt: number;
  readonly result: ListResult | null;
}

/** Evidence about the party that has answered. `ended`: the line itself is over (SIT, fax, busy, a beep). */
export type AnswerEvidence = 'human' | 'machine' | 'ended';

/** Everything that can happen to a list. `at`: monotonic ms. */
export type ListInput =
  | { readonly type: 'answered'; readonly at: number; readonly attempt: number }
  /** It was not reached: busy, refused, no route. */
  | { readonly type: 'failed'; readonly at: number; readonly attempt: number; readonly reason: string }
  /** Its call waits: all calls that the tenant may have at once are in use. */
  | { readonly type: 'waits'; readonly at: number; readonly attempt: number }
  /** The call that has waited begins. */
  | { readonly type: 'begins'; readonly at: number; readonly attempt: number }
  | { readonly type: 'key'; readonly at: number; readonly attempt: number; readonly key: string }
  | {
      readonly type: 'evidence';
      readonly at: number;
      readonly attempt: number;
      readonly evidence: AnswerEvidence;
    }
  /** The accept was written, or could not be. */
  | {
      readonly type: 'committed';
      readonly at: number;
      readonly attempt: number;
      readonly isStored: boolean;
    }
  /** The call to a callee is over. `isLost`: neither side has hung up. */
  | {
      readonly type: 'legEnded';
      readonly at: number;
      readonly attempt: number;
      readonly isLost: boolean;
      readonly reason: string;
    }
  /** The device has left its call, or its call is here. */
  | { readonly type: 'device'; readonly at: number; readonly isHere: boolean }
  /** A person has taken the alarm from the alarm queue, and is called instead of the one before. */
  | { readonly type: 'taken'; readonly at: number; readonly entry: CallEntry }
  /** That person has given it back. */
  | { readonly type: 'givenBack'; readonly at: number; readonly reason: string }
  /** The alarm is over without the list. */
  | { readonly type: 'stop'; readonly at: number; readonly reason: string }
  | { readonly type: 'timer'; readonly at: number }
  /** First input after a restart: no leg is there any more. `ageMs`: since the alarm began, by the wall clock. */
  | { readonly type: 'recovered'; readonly at: number; readonly ageMs: number };

/** Sentences for a callee. `announce` and `how` say nothing about whom the alarm is of. */
export type Sentence =
  | 'announce'
  | 'how'
  | 'wrongKey'
  | 'taken'
  | 'facts'
  | 'keys'
  | 'wrongPin'
  | 'noDoor'
  | 'deviceGone'
  | 'over';

/** The steps that the record, the trace and the callback emergencyProgress report. */
export type ProgressStep = EmergencyProgress['step'];

/** Effects of a list. The composition performs them in their order. */
export type ListEffect =
  | { readonly type: 'dial'; readonly attempt: number; readonly entry: CallEntry }
  /** CANCEL or BYE. Nothing comes back. */
  | { readonly type: 'hangUp'; readonly attempt: number; readonly reason: string }
  /** `isLast`: the call is hung up behind it, and nothing comes back. */
  | {
      readonly type: 'say';
      readonly attempt: number;
      readonly sentence: Sentence;
      readonly language: string | undefined;
      readonly isLast: boolean;
    }
  /** Write the list; answer with `committed`. */
  | { readonly type: 'commit'; readonly attempt: number }
  /** Device and callee hear each other from now on, whenever the device is there. */
  | { readonly type: 'join'; readonly attempt: number }
  /** They do so no more; the device hears the calm prompt again. */
  | { readonly type: 'part'; readonly attempt: number }
  | { readonly type: 'command'; readonly command: DeviceCommand }
  | {
      readonly type: 'progress';
      readonly step: ProgressStep;
      readonly round: number;
      readonly attempt?: number;
      readonly destination?: string;
      readonly reason?: string;
    }
  /** The alarm waits in the alarm queue from now on, or again. */
  | { readonly type: 'queued'; readonly reason: string }
  /** One timer; starting it again replaces it. */
  | { readonly type: 'wake'; readonly ms: number }
  | { readonly type: 'sleep' }
  /** Last effect of a list. */
  | { readonly type: 'ended'; readonly result: ListResult };

export interface ListStep {
  readonly state: EmergencyList;
  readonly effects: readonly ListEffect[];
}
