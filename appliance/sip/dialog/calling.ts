import type { HeaderFields } from '../message/index.ts';
import { clientDialog, confirmedBy, retargeted } from './dialog.ts';
import type { ResponseFacts } from './dialog-info.ts';
import { exchange } from './offer-answer.ts';
import { acknowledge, credentialsIn, prack, refreshed } from './outgoing.ts';
import {
  andThen,
  ignore,
  newSession,
  type Session,
  type SessionSettings,
  type SessionStep,
  to,
} from './session.ts';
import { timerOf } from './session-timer.ts';

/*
 * Our INVITE, seen from one dialog: the first one in EarlyOut, a re-INVITE in Confirmed.
 *
 *   1xx            progressed; a reliable one gets PRACK, at once or, when it brought an offer, with our answer
 *   2xx            ACK, at once or, when it brought an offer, with our answer; the same 2xx again: the same ACK
 *   300 to 699     EarlyOut: the invitation ends this dialog; Confirmed: nothing changes, glare waits and repeats
 */

/** Dialog made by the first response to this INVITE with a To tag of its own. */
export function openOutgoing(
  response: ResponseFacts,
  {
    target,
    sdp,
    headers = [],
  }: { readonly target: string; readonly sdp?: Uint8Array; readonly headers?: HeaderFields },
  settings: SessionSettings,
): Session {
  const state = newSession('EarlyOut', clientDialog(response, target), settings);
  const asked = sdp === undefined;
  return {
    ...state,
    credentials: credentialsIn(headers),
    inviting: { cseq: response.cseq, asked },
    exchange: { state: asked ? 'Stable' : 'OfferSent', by: 'INVITE' },
  };
}

export function inviteProgressed(state: Session, response: ResponseFacts): SessionStep {
  const { inviting } = state;
  if (inviting?.cseq !== response.cseq) return ignore(state, 'a 1xx behind the final response');
  const now: Session = {
    ...state,
    dialog: retargeted(state.dialog, response),
    peerAllows: response.allow ?? state.peerAllows,
  };
  if (response.rseq === undefined || !response.require.includes('100rel')) {
    const preview = response.sdp ?? state.preview;
    return to({ ...now, preview }, progressed(response, state.exchange.state === 'OfferSent'));
  }
  // RFC 3262 4: in order and once each; PRACK of a repeated one is already on its way.
  const { rseq, cseq, sdp } = response;
  if (state.rseqReceived !== undefined && rseq !== state.rseqReceived + 1)
    return ignore(state, 'a reliable 1xx again, or one ahead of its turn');
  const received: Session = { ...now, rseqReceived: rseq };
  const ref = { rseq, cseq };
  if (sdp === undefined)
    return andThen(to(received, progressed(response, false)), (each) => prack(each, ref));
  if (inviting.asked) {
    const next = exchange(state.exchange, 'receive offer', '1xx') ?? state.exchange;
    const asked: Session = {
      ...received,
      exchange: next,
      inviting: { ...inviting, asked: false },
      prackDue: ref,
    };
    return to(asked, progressed(response, false), { kind: 'offered', by: '1xx', sdp });
  }
  const next = state.exchange.by === 'INVITE' ? exchange(state.exchange, 'receive answer') : undefined;
  if (next === undefined) {
    const said = state.prackSaid?.rseq === rseq ? state.prackSaid.sdp : undefined;
    return andThen(to(received, progressed(response, false)), (each) => prack(each, ref, said));
  }
  const answered: Session = { ...received, exchange: next, exchanged: true, preview: undefined };
  return andThen(to(answered, progressed(response, false), { kind: 'agreed', sdp }), (each) =>
    prack(each, ref),
  );
}

const progressed = ({ status, sdp }: ResponseFacts, show: boolean) =>
  ({ kind: 'progressed', status, ...(show && sdp !== undefined ? { sdp } : {}) }) as const;

/** 13.2.2.4, 14.1. */
export function inviteAccepted(state: Session, response: ResponseFacts): SessionStep {
  const { inviting, lastAck } = state;
  const { cseq } = response;
  if (inviting?.cseq !== cseq) {
    if (lastAck?.cseq === cseq) return to(state, { kind: 'acknowledge', outgoing: lastAck.outgoing });
    return ignore(state, 'a repeated 2xx whose ACK waits for our answer');
  }
  const first = state.phase === 'EarlyOut';
  const dialog = first ? confirmedBy(state.dialog, response) : retargeted(state.dialog, response);
  const confirmed: Session = {
    ...state,
    phase: 'Confirmed',
    dialog,
    inviting: undefined,
    rseqReceived: undefined,
    preview: undefined,
    tries: 0,
    peerAllows: response.allow ?? state.peerAllows,
  };
  const begun = andThen(to(confirmed, ...(first ? [{ kind: 'confirmed' } as const] : [])), (now) =>
    refreshed(now, timerOf(response, state.settings.timer)),
  );
  return andThen(begun, (now) => settle(now, cseq, response.sdp ?? state.preview, inviting.asked));
}

/** The meaning of the description in the 2xx depends on the open exchange. */
function settle(state: Session, cseq: number, sdp: Uint8Array | undefined, asked: boolean): SessionStep {
  const open = state.exchange;
  if (open.state === 'OfferSent' && open.by === 'INVITE') {
    const next = exchange(open, sdp === undefined ? 'fail' : 'receive answer') ?? open;
    // The ACK goes first: whoever cannot use the answer hangs up at once, and a BYE may not overtake it (13.2.2.4, 15.1.1).
    return andThen(acknowledge({ ...state, exchange: next }, cseq), (now) =>
      sdp === undefined
        ? to(now, { kind: 'unchanged', status: 0 })
        : to({ ...now, exchanged: true }, { kind: 'agreed', sdp }),
    );
  }
  const next = asked && sdp !== undefined ? exchange(open, 'receive offer', '2xx') : undefined;
  if (next !== undefined && sdp !== undefined)
    return to({ ...state, exchange: next, ackDue: cseq }, { kind: 'offered', by: '2xx', sdp });
  // Interop: a description that we did not ask for repeats an answer given in a 1xx, and means nothing.
  const acked = acknowledge(state, cseq);
  return asked ? andThen(acked, (now) => to(now, { kind: 'unchanged', status: 0 })) : acked;
}
