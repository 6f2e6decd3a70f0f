import { type Invitation, invitation, responseFacts } from '../../../sip/dialog/index.ts';
import type { OnOutcome, Outgoing, SipEndpoint } from '../../../sip/endpoint/index.ts';
import type { NextHop } from './next-hop.ts';

interface LateForkParts {
  readonly endpoint: Pick<SipEndpoint, 'request' | 'sendAck'>;
  readonly hop: (outgoing: Outgoing, send: (hop: NextHop) => void) => void;
}

/**
 * Ends forks that answer an INVITE of ours after its leg was forgotten: each is acknowledged and ended (RFC 3261 13.2.2.4),
 * or the person who took the call would hear silence for half a minute. It lasts as long as the transaction, 64 x T1.
 */
export function lateForks(last: Invitation, { endpoint, hop }: LateForkParts): OnOutcome {
  let state = bare(last);
  return (outcome, nowMs) => {
    if (outcome.kind !== 'response') return;
    const done = invitation.step(state, {
      kind: 'response',
      response: responseFacts(outcome.response),
      atMs: nowMs,
    });
    state = done.state;
    for (const invitationEffect of done.effects) {
      const effect = invitationEffect.kind === 'leg' ? invitationEffect.effect : invitationEffect;
      if (effect.kind === 'acknowledge')
        hop(effect.outgoing, ({ flow }) => endpoint.sendAck(effect.outgoing, flow, nowMs));
      else if (effect.kind === 'request')
        hop(effect.outgoing, ({ flow }) => endpoint.request(effect.outgoing, flow, nowMs, () => undefined));
    }
  };
}

/** Neither what was described nor the dialogs of before. */
function bare({ plan, ...last }: Invitation): Invitation {
  const { headers: _, beside: __, optional: ___, sdp, ...names } = plan;
  return { ...last, legs: new Map(), plan: { ...names, ...(sdp && { sdp: NOTHING }) } };
}

const NOTHING = new Uint8Array(0);
