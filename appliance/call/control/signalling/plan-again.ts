import { isStale } from '../../../sip/auth/index.ts';
import type { InvitePlan } from '../../../sip/dialog/index.ts';
import type { HeaderFields, SipResponse } from '../../../sip/message/index.ts';
import type { LegMedia } from '../leg-media/leg-media.ts';
import type { AnswerChallenge } from './signalling-port.ts';

interface Refused {
  readonly status: number;
  readonly final: SipResponse | undefined;
}

/** Chosen: so many INVITEs of one call, whatever a server still finds too old. */
const MOST_INVITES = 6;

/** The same INVITE with what its refusal asked for, but its CSeq; undefined: it has failed. */
export const planAgain = (
  plan: InvitePlan,
  refused: Refused,
  answerChallenge: AnswerChallenge | undefined,
  media: Pick<LegMedia, 'offerPlain' | 'offer'>,
): InvitePlan | undefined =>
  proved(plan, refused, answerChallenge) ?? bare(plan, refused) ?? plainer(plan, refused, media);

/** Refusals that the parts beside our offer may have caused (RFC 3261 21.4.13, 21.4.26, 21.6.4). */
const REFUSES_PARTS: ReadonlySet<number> = new Set([415, 488, 606]);

/**
 * The same without what may be left out, once. No response at all counts as such a refusal: the parts make the INVITE longer than
 * one packet, and a firewall on the way may drop fragments of datagrams.
 */
function bare(plan: InvitePlan, { status, final }: Refused): InvitePlan | undefined {
  const { optional, responseWithinMs: _, ...rest } = plan;
  if (optional === undefined) return undefined;
  const isUnanswered = status === 408 && final === undefined;
  return isUnanswered || REFUSES_PARTS.has(status) ? rest : undefined;
}

function proved(
  plan: InvitePlan,
  { final }: Refused,
  answerChallenge: AnswerChallenge | undefined,
): InvitePlan | undefined {
  if (final === undefined || plan.cseq >= MOST_INVITES) return undefined;
  const { target: uri, headers = [] } = plan;
  const field = credentialsFor(final, { method: 'INVITE', uri, headers }, answerChallenge);
  return field && { ...plan, headers: [...headers.filter(([name]) => name !== field[0]), field] };
}

/**
 * The field that answers the challenge of a request of ours; undefined: it was none, or cannot be answered. A proxy and
 * the callee behind it may ask one after the other (RFC 3261 22.3). Each is answered once (22.2): a second time says that
 * the password is wrong, unless only the nonce was too old.
 */
export function credentialsFor(
  response: SipResponse,
  asked: { readonly method: string; readonly uri: string; readonly headers: HeaderFields },
  answerChallenge: AnswerChallenge | undefined,
): readonly [string, string] | undefined {
  const { status } = response;
  if (status !== 401 && status !== 407) return undefined;
  const field = answerChallenge?.(response, asked.uri, asked.method);
  const before = asked.headers.some(([name]) => name === field?.[0]);
  return before && !isStale(response) ? undefined : field;
}

/** Over WebSocket we offer WebRTC first; whoever refuses it may be a telephone of the ordinary kind. */
const plainer = (
  plan: InvitePlan,
  { status }: Refused,
  media: Pick<LegMedia, 'offerPlain' | 'offer'>,
): InvitePlan | undefined =>
  status === 488 && media.offerPlain() ? { ...plan, sdp: media.offer() } : undefined;
