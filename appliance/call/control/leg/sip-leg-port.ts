import type { Media } from '../../../media/control/index.ts';
import type { InvitePlan, SessionSettings } from '../../../sip/dialog/index.ts';
import type { Flow } from '../../../sip/endpoint/index.ts';
import type { LegName } from '../../session/index.ts';
import type { LegMediaDependencies, LegMediaPlan, LegPolicy } from '../leg-media/leg-media.ts';
import type { AnswerChallenge, SignallingDependencies } from '../signalling/signalling-port.ts';
import type { Carrier } from './offer-carrier.ts';

/** State of a leg: `waiting` for its media, `inviting` until there is a final answer. */
export type LegState = 'new' | 'waiting' | 'inviting' | 'up' | 'over';

/** The part of the leg table that every leg needs. */
export interface SipLegDependencies extends SignallingDependencies, LegMediaDependencies {
  readonly media: Media;
  /** Host or name of ours in Warning fields. */
  readonly agent: string;
  /** The leg is of no further use but to repeat itself for a while. */
  readonly retire: (leg: LegName) => void;
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

/** The audio settings of a leg by its signalling path. */
export const mediaPlanOf = ({ name, flow, policy, address, near }: SipLegPlan): LegMediaPlan => ({
  leg: name,
  policy,
  address,
  sipSource: flow.remoteAddress,
  secureSignalling: flow.transport === 'TLS' || flow.transport === 'WSS',
  offersWebRtc: flow.transport === 'WS' || flow.transport === 'WSS',
  ...(near !== undefined && { near }),
});

/** An INVITE of ours without its offer. */
export type CallPlan = Omit<InvitePlan, 'sdp'>;

/** Another owner of the descriptions of a leg. False, undefined: the leg is to do it itself. */
export interface DescriptionUser {
  readonly offered: (by: Carrier, sdp: Uint8Array) => boolean;
  readonly asked: () => boolean;
  readonly compose: () => Uint8Array | undefined;
  readonly agreed: (sdp: Uint8Array) => boolean;
  readonly unchanged: (status: number) => boolean;
}
