import type {
  EndCause,
  ResponseFacts,
  SessionEvent,
  SessionInput,
  SessionSettings,
  SessionTimer,
} from '../../../sip/dialog/index.ts';
import type { Flow, SipEndpoint } from '../../../sip/endpoint/index.ts';
import type { SipResponse } from '../../../sip/message/index.ts';
import type { LegName } from '../../session/index.ts';
import type { FindFlow } from './next-hop.ts';

/** A session input with the time left to whoever feeds it. */
export type Timeless = {
  [K in SessionInput['kind']]: Omit<Extract<SessionInput, { readonly kind: K }>, 'atMs'>;
}[SessionInput['kind']];

/** The field that answers a 401 or 407 to a request of ours; undefined: there is no password. `method`: INVITE. */
export type AnswerChallenge = (
  response: SipResponse,
  uri: string,
  method?: string,
) => readonly [string, string] | undefined;

/** Plan of one leg. `follows`: requests go where Contact and Record-Route say; else where the peer was found, as behind NAT. */
export interface SignallingPlan {
  readonly name: LegName;
  readonly flow: Flow;
  readonly settings: SessionSettings;
  readonly follows?: boolean;
  readonly answerChallenge?: AnswerChallenge | undefined;
}

/** The part of call control that the signalling of each leg needs. */
export interface SignallingDependencies {
  readonly endpoint: SipEndpoint;
  readonly nowMs: () => number;
  /** 0 to 1, for the back-off after glare. */
  readonly chance: () => number;
  /** Later work of this leg: one input at a time to completion. */
  readonly turn: (work: () => void) => void;
  readonly start: (leg: LegName, timer: string, ms: number) => void;
  readonly stop: (leg: LegName, timer: string) => void;
  /** Opens a flow to a host that the peer has named; without it the peer stays where it was found. */
  readonly find?: FindFlow;
  /** Other connections of the peer of this leg, the likeliest first: the one it had is closed. */
  readonly others?: (leg: LegName, gone: Flow, target: string) => readonly Flow[];
  /** Requests in this dialog are for this leg from now on; `tag` names the dialog to `requested`. */
  readonly file: (leg: LegName, key: string, tag: string) => void;
  /** Every dialog of this leg has ended, and nothing is repeated in it any more. */
  readonly settled: (leg: LegName) => void;
}

/**
 * An act of a peer that no part of the call waits for: it answers after we gave up, or never reports that it stopped ringing,
 * or it refuses a re-INVITE of ours (491 and 422 are settled without it).
 */
export interface Oddity {
  readonly kind: 'cancelFailed' | 'reinviteRefused';
  /** 408: no answer. */
  readonly status: number;
  readonly callId: string;
}

/** The events for a leg. `tag` names the dialog: '' of a call that came in, else the tag of the fork. */
export interface SignallingUser {
  onEvent(tag: string, event: SessionEvent): void;
  /** 1xx without a dialog. */
  rang(status: number): void;
  won(tag: string): void;
  failed(status: number, response: ResponseFacts | undefined): void;
  odd(oddity: Oddity): void;
  /** The peer has named a host for this dialog that leads nowhere. */
  astray(reason: string): void;
  /** A message had no way to the peer, and no outcome reports it. */
  stranded(reason: string): void;
}

/** Names the dialog of a call that came in. */
export const INCOMING = '';
/** Names of the timers of a call that came in. */
const OWN_TIMER: Readonly<Record<SessionTimer, string>> = {
  '1xx': '1xx ',
  '2xx': '2xx ',
  retry: 'retry ',
  refresh: 'refresh ',
  expiry: 'expiry ',
};
/** Name of a timer of a dialog. */
export const timerName = (timer: SessionTimer, tag: string): string =>
  tag === INCOMING ? OWN_TIMER[timer] : `${timer} ${tag}`;

/** Causes that a leg's user hears of; the others it has brought about itself. */
export const isReported = (cause: EndCause): cause is Exclude<EndCause, 'local' | 'refused' | 'notChosen'> =>
  cause !== 'local' && cause !== 'refused' && cause !== 'notChosen';
