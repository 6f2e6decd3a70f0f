import type { CallEffect, EndReason, LegName, LifeSign, Unreached } from './call-input.ts';
import type { CallPurpose } from './call-purpose.ts';

/**
 * `Arrived`: the caller waits and no callee was called yet. `Dialling`: callees ring. `Attended`: the caller has its
 * answer and speaks with us alone. `Seeking`: the same, and callees ring for it. `Talking`: two parties. `Placing`: a
 * call of our own: callees ring, and none has answered yet.
 */
export type CallPhase = 'Placing' | 'Arrived' | 'Dialling' | 'Attended' | 'Seeking' | 'Talking' | 'Ended';

export interface CallSetting {
  readonly purpose: CallPurpose;
  /** How long a group of callees may ring, ms. */
  readonly ringMs: number;
  /** How long two parties may talk, ms. */
  readonly durationMs: number;
  /** The caller stays when its peer leaves or is not reached: a receiver or a program of ours speaks with it. */
  readonly keepsCaller: boolean;
  /** Does a call end when a peer sends no audio and gives no other sign of life? Else the peer is asked whether it is there. */
  readonly endsSilent: boolean;
}

/** RFC 3261 16.6: timer C is longer than three minutes. Chosen: 180 s, since endpoints give up at 185 s. */
const CALL_SETTING: CallSetting = Object.freeze({
  purpose: 'ordinary',
  ringMs: 180_000,
  durationMs: 24 * 3_600_000,
  keepsCaller: false,
  endsSilent: true,
});

/** A transfer under way: `by` asked for it and may have left meanwhile. */
export interface Transfer {
  readonly by: LegName;
  readonly present: boolean;
}

/** A party that sends no audio. */
export interface Silence {
  readonly leg: LegName;
  /** It sent some before. */
  readonly hadAudio: boolean;
  /** So often it was asked whether it is there. */
  readonly asked: number;
  readonly aliveBy?: LifeSign;
}

export interface CallSession {
  readonly phase: CallPhase;
  readonly setting: CallSetting;
  /** The party that others are dialled for: the caller, or who is left after a transfer; '' while placing. */
  readonly party: LegName;
  readonly peer: LegName | undefined;
  /** Dialled legs without a final answer. */
  readonly ringing: readonly LegName[];
  /** One of them has sent more than a 100 (Trying). */
  readonly rang: boolean;
  /** Groups that are tried when the ringing one has failed. */
  readonly waiting: readonly (readonly LegName[])[];
  /** So many of `waiting` were named by who redirected us: they are tried whatever the failure before them. */
  readonly owed: number;
  /** Best of the failures so far (RFC 3261 16.7); undefined: none. */
  readonly failure: Unreached | undefined;
  readonly another: boolean;
  /** Whose early audio the caller hears. */
  readonly early: LegName | undefined;
  /** Last provisional status sent to the caller; 0: none. */
  readonly sentStatus: number;
  readonly transfer: Transfer | undefined;
  readonly silent: readonly Silence[];
}

export interface CallStep {
  readonly state: CallSession;
  readonly effects: readonly CallEffect[];
  /** Why nothing happened, where nothing happened. */
  readonly ignored?: string;
}

/** A call as its INVITE has made it. */
export const initial = (caller: LegName, setting: Partial<CallSetting> = {}): CallSession => ({
  phase: 'Arrived',
  setting: { ...CALL_SETTING, ...setting },
  party: caller,
  peer: undefined,
  ringing: [],
  rang: false,
  waiting: [],
  owed: 0,
  failure: undefined,
  another: false,
  early: undefined,
  sentStatus: 0,
  transfer: undefined,
  silent: [],
});

/** A call of our own: whoever answers is its party. */
export const placing = (setting: Partial<CallSetting> = {}): CallSession => ({
  ...initial(NO_LEG, setting),
  phase: 'Placing',
});

const NO_LEG: LegName = '';

export const to = (state: CallSession, ...effects: readonly CallEffect[]): CallStep => ({ state, effects });
export const ignore = (state: CallSession, ignored: string): CallStep => ({ state, effects: [], ignored });

/** First `step`, then what `next` makes of its state. */
export function andThen(step: CallStep, next: (state: CallSession) => CallStep): CallStep {
  const after = next(step.state);
  return { state: after.state, effects: [...step.effects, ...after.effects] };
}

/** Is the leg one of the two who talk, or the caller? */
export const isParty = (state: CallSession, leg: LegName): boolean =>
  leg === state.party || leg === state.peer;

export const otherOf = (state: CallSession, leg: LegName): LegName | undefined =>
  leg === state.party ? state.peer : state.party;

const quiet = (leg: LegName, reason: EndReason | undefined): CallEffect =>
  reason === undefined ? { kind: 'end', leg } : { kind: 'end', leg, reason };

/**
 * Ends every remaining leg and reports a failure to a transfer under way.
 *
 * @param departed a leg that left by itself: it needs no end
 */
export function finish(state: CallSession, reason: EndReason, departed?: LegName, say = true): CallStep {
  const { party, peer, ringing, transfer } = state;
  const legs = [party, ...(peer === undefined ? [] : [peer]), ...ringing].filter(
    (leg) => leg !== departed && leg !== NO_LEG,
  );
  const effects: CallEffect[] =
    transfer?.present === true && transfer.by !== departed
      ? [{ kind: 'referTold', leg: transfer.by, status: 487 }]
      : [];
  return to(
    {
      ...state,
      phase: 'Ended',
      peer: undefined,
      ringing: [],
      waiting: [],
      early: undefined,
      transfer: undefined,
      silent: [],
    },
    ...effects,
    ...legs.map((leg) => quiet(leg, say ? reason : undefined)),
    { kind: 'stopTimer', timer: 'ring' },
    { kind: 'stopTimer', timer: 'duration' },
    { kind: 'stopTimer', timer: 'refer' },
    ...(state.silent.length > 0 ? [{ kind: 'stopTimer', timer: 'silence' } as const] : []),
    { kind: 'tell', progress: { kind: 'over', reason } },
  );
}
