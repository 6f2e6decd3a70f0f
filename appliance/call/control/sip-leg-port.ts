import type { Media } from '../../media/control/index.ts';
import type { InvitePlan, SessionNews, SessionSettings } from '../../sip/dialog/index.ts';
import type { Flow } from '../../sip/endpoint/index.ts';
import type { SipRequest, SipResponse } from '../../sip/message/index.ts';
import type { EndReason, HeldDirection, LegEndCause, LegName } from '../session/index.ts';
import type { LegMediaDependencies, LegMediaPlan, LegPolicy } from './leg-media.ts';
import type { AnswerChallenge, SignallingDependencies } from './signalling-port.ts';
import type { SipLeg } from './sip-leg.ts';

/** Of a leg: `waiting` for its media, `inviting` until there is a final answer. */
export type LegState = 'new' | 'waiting' | 'inviting' | 'up' | 'over';

/** What every leg needs of the book that keeps them. */
export interface SipLegDependencies extends SignallingDependencies, LegMediaDependencies {
  readonly media: Media;
  /** Host or name of ours in Warning fields. */
  readonly agent: string;
  /** The leg is of no further use but to repeat itself for a while. */
  readonly retire: (leg: LegName) => void;
}

/** What a leg tells of its peer. */
export interface SipLegUser {
  /** The leg's audio is ready; of a call that came in, and its offer suits us. */
  ready(leg: SipLeg): void;
  progressed(leg: SipLeg, status: number, early: boolean): void;
  answered(leg: SipLeg): void;
  /** No session came of it. Of an outgoing leg; an incoming one was refused already. */
  failed(leg: SipLeg, status: number, response: SipResponse | undefined): void;
  acknowledged(leg: SipLeg): void;
  ended(leg: SipLeg, cause: LegEndCause, reason: EndReason | undefined): void;
  held(leg: SipLeg, direction: HeldDirection, by: 'reInvite' | 'update'): void;
  /** A request that is not the dialog's own business: INFO, REFER, NOTIFY, OPTIONS. Answer it by `respond`. */
  delivered(leg: SipLeg, request: SipRequest, server: number): void;
  /** Outcome of `send`: a status, 408 when nobody answered, 503 when it could not be sent. */
  replied(leg: SipLeg, id: string, status: number): void;
  broken(leg: SipLeg, status: number, text: string): void;
  /** Something could not be brought to the peer; nothing follows from it but that somebody may want to know. */
  stranded(leg: SipLeg, text: string): void;
}

export interface SipLegPlan {
  readonly name: LegName;
  readonly flow: Flow;
  readonly policy: LegPolicy;
  /** Our address in descriptions. */
  readonly address: string;
  readonly settings: SessionSettings;
  /** The peer is where its Contact says (a trunk, an address); a device is where it was found. */
  readonly follows?: boolean;
  readonly near?: LegName;
  /** Answers a challenge of the callee: the header field; undefined: there is no password. */
  readonly answerChallenge?: AnswerChallenge | undefined;
}

/** What the way of its SIP says about the audio of a leg. */
export const mediaPlanOf = ({ name, flow, policy, address, near }: SipLegPlan): LegMediaPlan => ({
  leg: name,
  policy,
  address,
  sipSource: flow.remoteAddress,
  secureSignalling: flow.transport === 'TLS' || flow.transport === 'WSS',
  offersWebRtc: flow.transport === 'WS' || flow.transport === 'WSS',
  ...(near !== undefined && { near }),
});

/** Of an INVITE of ours, everything but the offer. */
export type CallPlan = Omit<InvitePlan, 'sdp'>;

/** Message that carried an offer. */
export type Carrier = Extract<SessionNews, { readonly kind: 'offered' }>['by'];

/** Whoever else sees to the descriptions of a leg. False, undefined: the leg is to do it itself. */
export interface DescriptionUser {
  readonly offered: (by: Carrier, sdp: Uint8Array) => boolean;
  readonly asked: () => boolean;
  readonly compose: () => Uint8Array | undefined;
  readonly agreed: (sdp: Uint8Array) => boolean;
  readonly unchanged: (status: number) => boolean;
}
