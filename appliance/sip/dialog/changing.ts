import { BROKEN_BODY, invited } from './called.ts';
import { retargeted } from './dialog.ts';
import type { RequestFacts, ResponseFacts } from './dialog-info.ts';
import { exchange } from './offer-answer.ts';
import {
  acknowledge,
  busy,
  changeHeaders,
  prack,
  refreshed,
  respond,
  sendBye,
  sendRequest,
  tooBrief,
  withSdp,
} from './outgoing.ts';
import {
  andThen,
  type InputOf,
  ignore,
  type Server,
  type Session,
  type SessionChange,
  type SessionStep,
  to,
} from './session.ts';
import { isLonger, isTooBrief, MOST_TRIES, timerAnswer, timerOf } from './session-timer.ts';

/*
 * Changes of a running session, one at a time in each direction.
 *
 *   change ─ change ─(nothing else open)─┬─ with an offer ─ compose ─ offer ─▶ re-INVITE, UPDATE ─┬─ 2xx ─▶ agreed
 *              ^                       └─ without ─────────────────────────▶ re-INVITE, UPDATE ─┤
 *              └──────────────── timer retry ◀── 491 (glare), 422 (asks for longer),            │
 *                                                    500 and 503 that say when, no connection ◀─┤
 *                                                    nothing changes ◀── other 300-699 ◀────────┤
 *                                                    BYE ◀── 481, 408, no answer ◀──────────────┘
 */

/** Starts the change that waits, when no other exchange is in the way (14.1, RFC 3311 5.1). */
export function pursue(state: Session): SessionStep {
  const { change } = state;
  if (change === undefined || state.held || state.composing !== undefined || !isClear(state))
    return to(state);
  const by = change.by === 'UPDATE' && state.phase === 'Confirmed' && !updates(state) ? 'INVITE' : change.by;
  const early = state.phase === 'EarlyIn' || state.phase === 'EarlyOut';
  if (early && (by === 'INVITE' || !state.exchanged)) return to(state);
  const now: Session = { ...state, change: undefined };
  if (change.offer || (by === 'INVITE' && change.by === 'UPDATE'))
    return to({ ...now, composing: { by, offer: true } }, { kind: 'compose' });
  return sendChange(now, { by, offer: false });
}

const updates = ({ peerAllows }: Session): boolean => peerAllows.includes('UPDATE');

function isClear(state: Session): boolean {
  const early = state.phase === 'EarlyIn' || state.phase === 'EarlyOut';
  return (
    state.exchange.state === 'Stable' &&
    state.updating === undefined &&
    state.pendingOffer === undefined &&
    state.unacknowledged === undefined &&
    state.byeWanted === undefined &&
    (early || (state.inviting === undefined && state.pendingInvite === undefined))
  );
}

/** The offer asked for. When something came in between, the change waits again. */
export function offer(state: Session, { sdp }: InputOf<'offer'>): SessionStep {
  const { composing } = state;
  if (composing === undefined) return ignore(state, 'no offer was asked for');
  const now: Session = { ...state, composing: undefined };
  return isClear(state) ? sendChange(now, composing, sdp) : to({ ...now, change: state.change ?? composing });
}

function sendChange(state: Session, change: SessionChange, sdp?: Uint8Array): SessionStep {
  const open = sdp === undefined ? state.exchange : exchange(state.exchange, 'send offer', change.by);
  const sent = sendRequest(state, change.by, withSdp(changeHeaders(state), sdp));
  const cseq = sent.state.dialog.localSeq;
  const under =
    change.by === 'UPDATE'
      ? { updating: { cseq, change } }
      : { inviting: { cseq, asked: sdp === undefined, change }, rseqHeard: undefined };
  return { ...sent, state: { ...sent.state, ...under, exchange: open ?? state.exchange } };
}

/** 300 to 699 to our re-INVITE or UPDATE, or nothing at all (`status` 408). */
export function changeRefused(state: Session, by: SessionChange['by'], response: Refusal): SessionStep {
  const mine = by === 'INVITE' ? state.inviting : state.updating;
  if (mine === undefined || mine.cseq !== response.cseq) return ignore(state, 'it was answered before');
  const { status } = response;
  const open = state.exchange;
  const mineOpen = open.state === 'OfferSent' || (by === 'INVITE' && open.by === '1xx');
  const closed: Session = {
    ...state,
    ...(by === 'INVITE' ? { prackDue: undefined } : {}),
    ...(by === 'INVITE'
      ? { inviting: undefined, rseqReceived: undefined, preview: undefined }
      : { updating: undefined }),
    exchange: mineOpen ? { state: 'Stable', by } : open,
  };
  // 12.2.1.2: the peer knows nothing of the dialog, or is unreachable. An early dialog ends with its INVITE.
  if ((status === 481 || status === 408) && state.phase === 'Confirmed') return sendBye(closed, 'lost');
  const again = state.change ?? mine.change;
  if (status === 491 && again !== undefined) {
    // 14.1: whoever made the Call-ID waits 2.1 to 4 s, the other one up to 2 s.
    const [ms, spreadMs] = state.dialog.ownsCallId ? [2_100, 1_900] : [0, 2_000];
    return to({ ...closed, change: again, held: true }, { kind: 'start', timer: 'retry', ms, spreadMs });
  }
  const tries = state.tries + 1;
  const { minSe = 0, retryAfter } = response;
  if (tries <= MOST_TRIES) {
    // RFC 4028 7.3. A peer that asks for more than it did before is believed, one that asks for less is not.
    if (status === 422 && isLonger(minSe, Math.max(state.minSe, state.timer?.seconds ?? 0)))
      return to({ ...closed, tries, minSe, ...(again === undefined ? {} : { change: again }) });
    // 14.2, RFC 3311 5.2: it is busy with a change of its own. Without another try who was held would stay so, in silence.
    if (again !== undefined && retryAfter !== undefined && isSoon(status, retryAfter))
      return to(
        { ...closed, tries, change: again, held: true },
        { kind: 'start', timer: 'retry', ms: Math.max(1, retryAfter) * 1_000 },
      );
  }
  if (by === 'UPDATE' && (status === 405 || status === 501)) {
    // Interop: an Allow that said too much; the re-INVITE says the same.
    const peerAllows = state.peerAllows.filter((method) => method !== 'UPDATE');
    return to({ ...closed, peerAllows, change: again });
  }
  return to({ ...closed, tries: 0 }, { kind: 'unchanged', status });
}

export type Refusal = Pick<ResponseFacts, 'status' | 'cseq' | 'minSe' | 'retryAfter'>;

/** 14.2 speaks of ten seconds at most; whoever says more means something else than a change under way. */
const isSoon = (status: number, retryAfter: number): boolean =>
  (status === 500 || status === 503) && retryAfter <= 10;

export function updateAccepted(state: Session, response: ResponseFacts): SessionStep {
  if (state.updating?.cseq !== response.cseq) return ignore(state, 'it was answered before');
  const { sdp } = response;
  const now: Session = {
    ...state,
    updating: undefined,
    tries: 0,
    dialog: retargeted(state.dialog, response),
  };
  const alive = refreshed(now, state.timer && timerOf(response, state.settings.timer));
  if (state.exchange.state !== 'OfferSent' || state.exchange.by !== 'UPDATE') return alive;
  const next = exchange(state.exchange, sdp === undefined ? 'fail' : 'receive answer') ?? state.exchange;
  return andThen(alive, (each) =>
    sdp === undefined
      ? to({ ...each, exchange: next }, { kind: 'unchanged', status: 0 })
      : to({ ...each, exchange: next }, { kind: 'agreed', sdp }),
  );
}

/** Re-INVITE of the peer (14.2). */
export function reinvited(state: Session, request: RequestFacts, server: Server): SessionStep {
  if (request.broken) return to(state, respond(state, server, BROKEN_BODY));
  if (state.inviting !== undefined || state.exchange.state === 'OfferSent')
    return to(state, respond(state, server, { status: 491 }));
  // Chosen: before the ACK too. Our 2xx comes again, its ACK overtakes the peer's next try (RFC 5407 3.1.4).
  if (state.unacknowledged !== undefined) return to(state, respond(state, server, { status: 491 }));
  if (state.pendingInvite !== undefined || state.exchange.state === 'OfferReceived')
    return to(state, busy(state, server, request.cseq));
  if (isTooBrief(request, state.settings.timer)) return to(state, tooBrief(state, server));
  return invited(state, request, server);
}

/** UPDATE of the peer (RFC 3311 5.2). */
export function updated(state: Session, request: RequestFacts, server: Server): SessionStep {
  const { sdp } = request;
  if (request.broken) return to(state, respond(state, server, BROKEN_BODY));
  if (sdp !== undefined && state.exchange.state === 'OfferSent')
    return to(state, respond(state, server, { status: 491 }));
  if (state.pendingOffer !== undefined || (sdp !== undefined && state.exchange.state !== 'Stable'))
    return to(state, busy(state, server, request.cseq));
  if (isTooBrief(request, state.settings.timer)) return to(state, tooBrief(state, server));
  if (sdp === undefined) return updateAnswered(state, request, server);
  const next = exchange(state.exchange, 'receive offer', 'UPDATE') ?? state.exchange;
  return to(
    { ...state, exchange: next, pendingOffer: { server, request } },
    { kind: 'offered', by: 'UPDATE', sdp },
  );
}

function updateAnswered(
  state: Session,
  request: RequestFacts,
  server: Server,
  sdp?: Uint8Array,
): SessionStep {
  // RFC 4028 concerns confirmed sessions; an early UPDATE leaves the timer to the 2xx of the INVITE.
  const confirmed = state.phase === 'Confirmed';
  const timer = confirmed ? timerAnswer(request, state.settings.timer) : undefined;
  const headers = [
    ['Contact', state.settings.contact] as const,
    ['Allow', state.settings.allow.join(', ')] as const,
    ...(timer?.headers ?? []),
  ];
  const said = respond(state, server, { status: 200, ...withSdp(headers, sdp) });
  const now = to({ ...state, dialog: retargeted(state.dialog, request) }, said);
  return andThen(now, (each) => refreshed(each, timer?.agreed));
}

/** Our answer to an offer that came in UPDATE, PRACK, a 2xx or a reliable 1xx. */
export function answer(state: Session, { sdp }: InputOf<'answer'>): SessionStep {
  const next = exchange(state.exchange, 'send answer');
  if (next === undefined || state.exchange.by === 'INVITE')
    return ignore(state, 'no such offer waits for an answer');
  const { pendingOffer, ackDue, prackDue } = state;
  const now: Session = {
    ...state,
    exchange: next,
    exchanged: true,
    pendingOffer: undefined,
    ackDue: undefined,
    prackDue: undefined,
  };
  if (prackDue !== undefined)
    return prack({ ...now, prackSaid: { rseq: prackDue.rseq, sdp } }, prackDue, sdp);
  if (ackDue !== undefined) return acknowledge(now, ackDue, sdp);
  if (pendingOffer === undefined) return ignore(state, 'no such offer waits for an answer');
  const { server, request } = pendingOffer;
  return request.method === 'UPDATE'
    ? updateAnswered(now, request, server, sdp)
    : to(now, respond(state, server, { status: 200, ...withSdp([], sdp) }));
}

/** An offer in UPDATE or PRACK is refused; the session stays as it was. */
export function decline(state: Session, { status, headers = [] }: InputOf<'decline'>): SessionStep {
  const { pendingOffer } = state;
  if (pendingOffer === undefined) return ignore(state, 'no offer waits that could be declined');
  const next = exchange(state.exchange, 'fail') ?? state.exchange;
  return to(
    { ...state, exchange: next, pendingOffer: undefined },
    respond(state, pendingOffer.server, { status, headers }),
  );
}
