import type { Outgoing } from '../endpoint/index.ts';
import type { Answer, HeaderFields } from '../message/index.ts';
import type { Content, Dialog } from './dialog.ts';
import type { RequestFacts, ResponseFacts } from './dialog-info.ts';
import type { Carrier, Exchange } from './offer-answer.ts';
import type { AgreedTimer, TimerSettings } from './session-timer.ts';

/** `EarlyIn`: we are being called; `EarlyOut`: one of the dialogs our INVITE has made. */
export type Phase = 'EarlyIn' | 'EarlyOut' | 'Confirmed' | 'Ending' | 'Ended';

export interface SessionSettings {
  /** Value of Contact: `<sip:…>`. */
  readonly contact: string;
  /** Methods we take in a dialog: the Allow field. */
  readonly allow: readonly string[];
  readonly timer: TimerSettings;
  readonly t1Ms: number;
  readonly t2Ms: number;
  /** Send 1xx reliably where the peer can (RFC 3262). */
  readonly reliableProvisional: boolean;
}

/** Names a server transaction to the runtime. */
export type Server = number;

/** A request of ours that waits for its answer; the runtime hands it back with each outcome, unchanged. */
export interface RequestRef {
  readonly method: string;
  readonly cseq: number;
  /** The id of a request the user asked for by `send`. */
  readonly id?: string;
}

/** The change to make as soon as no other exchange is under way. */
export interface SessionChange {
  /** UPDATE needs no user on the other side, re-INVITE reaches every peer. */
  readonly by: 'INVITE' | 'UPDATE';
  /** false: an INVITE that asks the peer for an offer, an UPDATE that only refreshes. */
  readonly offer: boolean;
}

export type EndCause =
  /** We ended it. */
  | 'local'
  /** The peer sent BYE. */
  | 'remote'
  /** The caller sent CANCEL. */
  | 'cancelled'
  /** We refused the INVITE. */
  | 'refused'
  /** The peer did not acknowledge our 2xx, or our reliable 1xx. */
  | 'noAck'
  /** No refresh came in time (RFC 4028 10). */
  | 'expired'
  /** A request of ours got 481, 408 or nothing: the peer is lost. */
  | 'lost'
  /** The INVITE ended without this dialog: refused, cancelled, or another one won. */
  | 'notChosen';

export type SessionTimer =
  /** Our 2xx again. */
  | '2xx'
  /** Our reliable 1xx again. */
  | '1xx'
  /** After a glare. */
  | 'retry'
  | 'refresh'
  | 'expiry';

/** Every input carries its time: monotonic ms. */
export type SessionInput = { readonly atMs: number } & (
  | {
      readonly kind: 'progress';
      readonly status: number;
      readonly sdp?: Uint8Array;
      readonly headers?: HeaderFields;
    }
  /** 2xx to the open INVITE: `sdp` is our answer, or our offer when the INVITE came without one. */
  | { readonly kind: 'accept'; readonly sdp?: Uint8Array; readonly headers?: HeaderFields }
  /** 300 to 699 to the open INVITE. */
  | { readonly kind: 'refuse'; readonly status: number; readonly headers?: HeaderFields }
  /** Answer to an offer that came in anything but an INVITE. */
  | { readonly kind: 'answer'; readonly sdp: Uint8Array }
  /** 300 to 699 to the UPDATE or PRACK whose offer is open. */
  | { readonly kind: 'decline'; readonly status: number; readonly headers?: HeaderFields }
  | { readonly kind: 'change'; readonly change: SessionChange }
  /** The offer asked for by the effect `compose`. */
  | { readonly kind: 'offer'; readonly sdp: Uint8Array }
  /** INFO, REFER, NOTIFY, MESSAGE … */
  | { readonly kind: 'send'; readonly method: string; readonly id: string; readonly content: Content }
  | { readonly kind: 'end'; readonly headers?: HeaderFields }
  | { readonly kind: 'request'; readonly request: RequestFacts; readonly server: Server }
  | { readonly kind: 'ack'; readonly request: RequestFacts }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'response'; readonly ref: RequestRef; readonly response: ResponseFacts }
  /** No answer, or the transport broke (RFC 3261 8.1.3.1: 408, 503). Absent: no answer. */
  | { readonly kind: 'failed'; readonly ref: RequestRef; readonly cause?: 'timeout' | 'transport' }
  /**
   * The same request once more under the next number: it was challenged (22.2), and `credentials` answer that; or its
   * connection was closed, and the peer has another one.
   */
  | {
      readonly kind: 'again';
      readonly ref: RequestRef;
      readonly outgoing: Outgoing;
      readonly credentials: HeaderFields;
    }
  | { readonly kind: 'timer'; readonly timer: SessionTimer }
);
export type InputOf<K extends SessionInput['kind']> = Extract<SessionInput, { readonly kind: K }>;

export type SessionEffect =
  /** Send in a transaction of its own; outcomes come back as `response` and `failed`. */
  | { readonly kind: 'request'; readonly ref: RequestRef; readonly outgoing: Outgoing }
  | { readonly kind: 'acknowledge'; readonly outgoing: Outgoing }
  | { readonly kind: 'respond'; readonly server: Server; readonly answer: Answer }
  /** Send the 2xx of this INVITE again. */
  | { readonly kind: 'repeat'; readonly server: Server }
  /** `spreadMs`: a random multiple of 10 ms up to this is added. Starting a running timer starts it again. */
  | { readonly kind: 'start'; readonly timer: SessionTimer; readonly ms: number; readonly spreadMs?: number }
  | { readonly kind: 'stop'; readonly timer: SessionTimer }
  | SessionEvent;

/** The events for the user of a session. */
export type SessionEvent =
  /** 1xx of the peer; `sdp` is an answer already or a first look at it: early media. */
  | { readonly kind: 'progressed'; readonly status: number; readonly sdp?: Uint8Array }
  /** Answer it: by `accept` or `refuse` when it came by INVITE, else by `answer` or `decline`. */
  | { readonly kind: 'offered'; readonly by: Carrier; readonly sdp: Uint8Array }
  /** The peer asks for our offer by a re-INVITE without one: `accept` with it. */
  | { readonly kind: 'asked' }
  /** Give an offer by `offer`. */
  | { readonly kind: 'compose' }
  /** The peer's answer to our offer. */
  | { readonly kind: 'agreed'; readonly sdp: Uint8Array }
  /** An exchange came to nothing: what was agreed before goes on. `status` 0: no answer was given. */
  | { readonly kind: 'unchanged'; readonly status: number }
  | { readonly kind: 'confirmed' }
  /** The session's 2xx was acknowledged. */
  | { readonly kind: 'acknowledged' }
  /** A request that is not the session's own business: answer it through `server`. */
  | { readonly kind: 'delivered'; readonly request: RequestFacts; readonly server: Server }
  /** Outcome of `send`; undefined: no answer came, or (`unsent`) it never left. */
  | {
      readonly kind: 'replied';
      readonly id: string;
      readonly response?: ResponseFacts;
      readonly unsent?: true;
    }
  | { readonly kind: 'ended'; readonly cause: EndCause };

/** A request of the peer to which we owe a final response. */
export interface Pending {
  readonly server: Server;
  readonly request: RequestFacts;
}

/** The state of an INVITE: `asked` while it wants an offer and has none. */
export interface PendingInvite extends Pending {
  readonly asked: boolean;
}

/** Our INVITE without final response. `asked`: it came without an offer and none came back yet. */
export interface Inviting {
  readonly cseq: number;
  readonly asked: boolean;
  /** undefined: the first INVITE. */
  readonly change?: SessionChange;
}

/** Our 2xx on its way to an ACK. */
export interface Unacknowledged {
  readonly server: Server;
  readonly cseq: number;
  readonly waitMs: number;
  readonly giveUpAtMs: number;
}

/** Our latest reliable 1xx, until its PRACK came. */
export interface Provisional {
  readonly rseq: number;
  readonly server: Server;
  readonly answer: Answer;
  readonly waitMs: number;
  readonly giveUpAtMs: number;
}

export interface Session {
  readonly phase: Phase;
  readonly dialog: Dialog;
  readonly settings: SessionSettings;
  readonly exchange: Exchange;
  /** INVITE of the peer without our final response. */
  readonly pendingInvite: PendingInvite | undefined;
  /** UPDATE or PRACK of the peer whose offer waits for our answer. */
  readonly pendingOffer: Pending | undefined;
  readonly unacknowledged: Unacknowledged | undefined;
  readonly provisional: Provisional | undefined;
  readonly rseqSent: number;
  /** 1xx that wait for the PRACK of the one before, and the 2xx that waits for them all. */
  readonly waiting: readonly (InputOf<'progress'> | InputOf<'accept'>)[];
  readonly inviting: Inviting | undefined;
  /** Our UPDATE under way. */
  readonly updating: { readonly cseq: number; readonly change: SessionChange } | undefined;
  /** CSeq of an INVITE of ours whose 2xx brought an offer: the ACK waits for our answer. */
  readonly ackDue: number | undefined;
  readonly lastAck: { readonly cseq: number; readonly outgoing: Outgoing } | undefined;
  /** Last RSeq of the peer. */
  readonly rseqReceived: number | undefined;
  /** Description of an unreliable 1xx: what the 2xx will say again. */
  readonly preview: Uint8Array | undefined;
  /** The reliable 1xx whose offer we must answer in PRACK. */
  readonly prackDue: { readonly rseq: number; readonly cseq: number } | undefined;
  /** The answer our PRACK of this reliable 1xx carried. */
  readonly prackSaid: { readonly rseq: number; readonly sdp: Uint8Array } | undefined;
  readonly change: SessionChange | undefined;
  readonly composing: SessionChange | undefined;
  /** After a glare, or because the peer said so: the change waits for timer `retry`. */
  readonly held: boolean;
  /** So often in a row a change was put off or asked for otherwise. */
  readonly tries: number;
  /** Credentials of our last INVITE: its ACK carries them, too (22.1). */
  readonly credentials: HeaderFields;
  /** Has any offer been answered? Before that, UPDATE must not offer (RFC 3311 5.1). */
  readonly exchanged: boolean;
  /** BYE that waits for an ACK (RFC 3261 15). */
  readonly byeWanted: { readonly cause: EndCause; readonly headers: HeaderFields } | undefined;
  readonly timer: AgreedTimer | undefined;
  /** Largest Min-SE of a 422, seconds. */
  readonly minSe: number;
  readonly peerAllows: readonly string[];
}

export interface SessionStep {
  readonly state: Session;
  readonly effects: readonly SessionEffect[];
  /** Why nothing happened, where nothing happened. */
  readonly ignored?: string;
}

export const to = (state: Session, ...effects: readonly SessionEffect[]): SessionStep => ({ state, effects });
export const ignore = (state: Session, ignored: string): SessionStep => ({ state, effects: [], ignored });

/** First `step`, then what `next` makes of its state. */
export const andThen = (step: SessionStep, next: (state: Session) => SessionStep): SessionStep => {
  const after = next(step.state);
  return { state: after.state, effects: [...step.effects, ...after.effects] };
};

export const newSession = (phase: Phase, dialog: Dialog, settings: SessionSettings): Session => ({
  phase,
  dialog,
  settings,
  exchange: { state: 'Stable', by: 'INVITE' },
  pendingInvite: undefined,
  pendingOffer: undefined,
  unacknowledged: undefined,
  provisional: undefined,
  rseqSent: 0,
  waiting: [],
  inviting: undefined,
  updating: undefined,
  ackDue: undefined,
  lastAck: undefined,
  rseqReceived: undefined,
  preview: undefined,
  prackDue: undefined,
  prackSaid: undefined,
  change: undefined,
  composing: undefined,
  held: false,
  tries: 0,
  credentials: [],
  exchanged: false,
  byeWanted: undefined,
  timer: undefined,
  minSe: 0,
  peerAllows: [],
});
