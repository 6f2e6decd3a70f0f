import type { InvitePlan } from '../../sip/dialog/index.ts';
import type { SipResponse } from '../../sip/message/index.ts';
import type { LegMedia } from './leg-media.ts';
import type { SipLegPlan } from './sip-leg-face.ts';

interface Refused {
  readonly status: number;
  readonly final: SipResponse | undefined;
}

/** The same INVITE with what its refusal asked for, but its CSeq; undefined: it has failed. */
export const planAgain = (
  plan: InvitePlan,
  refused: Refused,
  answerChallenge: SipLegPlan['answerChallenge'],
  media: Pick<LegMedia, 'offerPlain' | 'offer'>,
): InvitePlan | undefined => proved(plan, refused, answerChallenge) ?? plainer(plan, refused, media);

/** A challenge is answered once (RFC 3261 22.2): a second one says that the password is wrong. */
function proved(
  plan: InvitePlan,
  { status, final }: Refused,
  answerChallenge: SipLegPlan['answerChallenge'],
): InvitePlan | undefined {
  if ((status !== 401 && status !== 407) || final === undefined || plan.cseq > 1) return undefined;
  const field = answerChallenge?.(final, plan.target);
  return field && { ...plan, headers: [...(plan.headers ?? []), field] };
}

/** Over WebSocket we offer WebRTC first; whoever refuses it may be a telephone of the ordinary kind. */
const plainer = (
  plan: InvitePlan,
  { status }: Refused,
  media: Pick<LegMedia, 'offerPlain' | 'offer'>,
): InvitePlan | undefined =>
  status === 488 && media.offerPlain() ? { ...plan, sdp: media.offer() } : undefined;
