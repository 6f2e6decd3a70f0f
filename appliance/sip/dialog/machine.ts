import {
  accept,
  acked,
  cancelled,
  pracked,
  progress,
  refuse,
  repeatFinal,
  repeatProvisional,
} from './called.ts';
import { inviteAccepted, inviteProgressed } from './calling.ts';
import {
  answer,
  changeRefused,
  decline,
  offer,
  pursue,
  reinvited,
  updateAccepted,
  updated,
} from './changing.ts';
import { inOrder, repeated } from './dialog.ts';
import {
  busy,
  changeHeaders,
  credentialsIn,
  dropPending,
  ended,
  respond,
  sendBye,
  sendRequest,
} from './outgoing.ts';
import {
  andThen,
  type InputOf,
  ignore,
  type Phase,
  type Session,
  type SessionInput,
  type SessionStep,
  type SessionTimer,
  to,
} from './session.ts';
import { refreshMs } from './session-timer.ts';

/*
 * One dialog and the session in it (RFC 3261 12 to 15).
 *
 *        INVITE came                          first response to our INVITE with this tag
 *            |                                                |
 *            V         BYE, CANCEL, refuse                    V        300-699, another one won
 *       +---------+ ------------------+                 +----------+ ------------------+
 *       | EarlyIn |                   |                 | EarlyOut |                   |
 *       +---------+                   |                 +----------+                   |
 *            | accept: 2xx            |                       | 2xx: ACK               |
 *            V                        |                       V                        |
 *       +-------------------------------------------------------------+                |
 *       |                          Confirmed                          |                |
 *       +-------------------------------------------------------------+                |
 *            | end (after the ACK), expiry,     |             | BYE: 200               |
 *            | no ACK, peer lost: BYE           |             |                        |
 *            V                                  |             |                        |
 *       +--------+  any outcome of the BYE      V             V                        V
 *       | Ending | ------------------------> +---------------------------------------------+
 *       +--------+                           |                    Ended                    |
 *                                            +---------------------------------------------+
 *
 * The fields of `Session` hold the open exchanges within a phase (an offer, an INVITE, an ACK); called.ts, calling.ts
 * and changing.ts draw how each comes and goes. Ended sessions still repeat ACKs, so keep them for 64 x T1.
 */
type Kind = SessionInput['kind'];
type Row<K extends Kind> = (state: Session, input: InputOf<K>) => SessionStep;
type Rows = { readonly [K in Kind]: Row<K> };

const not =
  (reason: string) =>
  (state: Session): SessionStep =>
    ignore(state, reason);

const ANSWERED = 'the INVITE was answered';
const NO_INVITE = 'nobody invited us here';
const OVER = 'the session is over';
const NOT_YET = 'not before the session is confirmed';

const EARLY_IN: Rows = {
  progress,
  accept,
  refuse: (state, { status, headers }) => refuse(state, status, headers),
  answer,
  decline,
  change: changed,
  offer,
  send: generic,
  // A caller is refused, not hung up on: BYE is not for the callee yet (15).
  end: (state, { headers }) => refuse(state, 480, headers),
  request: ordered((state, { request, server }) => {
    if (request.method === 'PRACK') return pracked(state, request, server);
    if (request.method === 'UPDATE') return updated(state, request, server);
    if (request.method === 'BYE') return over(state, server);
    // 14.2: a second INVITE before the first is answered.
    if (request.method === 'INVITE') return to(state, busy(state, server, request.cseq));
    return to(state, { kind: 'delivered', request, server });
  }),
  ack: not('there is nothing yet to acknowledge'),
  cancelled,
  response: answered,
  failed,
  again,
  timer: timed,
};

const EARLY_OUT: Rows = {
  progress: not(NO_INVITE),
  accept: not(NO_INVITE),
  refuse: not(NO_INVITE),
  answer,
  decline,
  change: changed,
  offer,
  send: generic,
  end: not('the invitation ends its early dialogs by CANCEL'),
  request: ordered((state, { request, server }) => {
    if (request.method === 'UPDATE') return updated(state, request, server);
    // 14.2: our INVITE is under way. 15: a callee does not end an early dialog by BYE. PRACK: we sent no 1xx.
    if (request.method === 'INVITE') return to(state, respond(state, server, { status: 491 }));
    if (request.method === 'BYE' || request.method === 'PRACK')
      return to(state, respond(state, server, { status: 481 }));
    return to(state, { kind: 'delivered', request, server });
  }),
  ack: not(NO_INVITE),
  cancelled: not(NO_INVITE),
  response: answered,
  failed,
  again,
  timer: timed,
};

const CONFIRMED: Rows = {
  progress,
  accept,
  refuse: (state, { status, headers }) => refuse(state, status, headers),
  answer,
  decline,
  change: changed,
  offer,
  send: generic,
  end: (state, { headers = [] }) =>
    // 15: the callee sends no BYE before it has the ACK of its 2xx.
    state.unacknowledged === undefined
      ? sendBye(state, 'local', headers)
      : to({ ...state, byeWanted: { cause: 'local', headers } }),
  request: ordered((state, { request, server }) => {
    if (request.method === 'INVITE') return reinvited(state, request, server);
    if (request.method === 'UPDATE') return updated(state, request, server);
    if (request.method === 'PRACK') return pracked(state, request, server);
    if (request.method === 'BYE') return over(state, server);
    return to(state, { kind: 'delivered', request, server });
  }),
  ack: (state, { request }) => acked(state, request),
  cancelled,
  response: answered,
  failed,
  again,
  timer: timed,
};

const ENDING: Rows = {
  progress: not(OVER),
  accept: not(OVER),
  refuse: not(OVER),
  answer: not(OVER),
  decline: not(OVER),
  change: not(OVER),
  offer: not(OVER),
  send: (state, { id }) => to(state, { kind: 'replied', id }),
  end: not('BYE is on its way'),
  // Two BYEs crossed: each is answered, ours may still get its answer.
  request: (state, { request, server }) =>
    to(state, respond(state, server, { status: request.method === 'BYE' ? 200 : 481 })),
  ack: not('the 2xx it belongs to is no longer repeated'),
  cancelled: not(ANSWERED),
  response: lateResponse,
  failed: (state, { ref }) =>
    ref.method === 'BYE' ? to({ ...state, phase: 'Ended' }) : replied(state, ref.id, 'it no longer matters'),
  again: (state, input) =>
    input.ref.method === 'BYE' ? again(state, input) : replied(state, input.ref.id, OVER),
  timer: not('a timer of a session that is over'),
};

const ENDED: Rows = {
  ...ENDING,
  end: not(OVER),
  again: (state, { ref }) => replied(state, ref.id, OVER),
  request: (state, { server }) => to(state, respond(state, server, { status: 481 })),
};

const TABLE: { readonly [P in Phase]: Rows } = {
  EarlyIn: EARLY_IN,
  EarlyOut: EARLY_OUT,
  Confirmed: CONFIRMED,
  Ending: ENDING,
  Ended: ENDED,
};

export const session = { table: TABLE, step };

/** One input to completion. Work that it releases (a queued response, a change) follows in the same step. */
export function step(state: Session, input: SessionInput): SessionStep {
  const row = TABLE[state.phase][input.kind] as Row<Kind>;
  const done = row(state, input);
  if (done.ignored !== undefined || done.state.phase === 'Ending' || done.state.phase === 'Ended')
    return done;
  return andThen(
    andThen(done, (now) => released(now, input.atMs)),
    pursue,
  );
}

/** Responses that waited for a PRACK or an answer, in their order; what must wait on queues up again. */
function released(state: Session, atMs: number): SessionStep {
  let done = to({ ...state, waiting: [] });
  for (const waiting of state.waiting)
    done = andThen(done, (now) =>
      waiting.kind === 'accept' ? accept(now, { ...waiting, atMs }) : progress(now, { ...waiting, atMs }),
    );
  return done;
}

/** 12.2.2: a request out of order is refused, the next one remembered. */
function ordered(row: Row<'request'>): Row<'request'> {
  return (state, input) => {
    const { request, server } = input;
    if (!inOrder(state.dialog, request)) return to(state, respond(state, server, { status: 500 }));
    return row({ ...state, dialog: { ...state.dialog, remoteSeq: request.cseq } }, input);
  };
}

/** BYE of the peer (15.1.2). */
function over(state: Session, server: number): SessionStep {
  const said = to(state, respond(state, server, { status: 200 }));
  return andThen(andThen(said, dropPending), (quiet) => ended(quiet, 'remote'));
}

function changed(state: Session, { change }: InputOf<'change'>): SessionStep {
  if (state.phase !== 'Confirmed' && change.by === 'INVITE') return ignore(state, NOT_YET);
  return to({ ...state, change });
}

function generic(state: Session, { method, content, id }: InputOf<'send'>): SessionStep {
  // RFC 3311 5.1: an UPDATE repeats our own fields for the dialog, whatever its other purpose.
  const ofUs = method === 'UPDATE' ? changeHeaders(state) : [];
  return sendRequest(state, method, { ...content, headers: [...ofUs, ...(content.headers ?? [])] }, id);
}

function answered(state: Session, input: InputOf<'response'>): SessionStep {
  const { ref, response } = input;
  const { status } = response;
  if (ref.method === 'INVITE') {
    if (status < 200) return inviteProgressed(state, response);
    if (status < 300) return inviteAccepted(state, response);
    return state.phase === 'EarlyOut'
      ? andThen(dropPending(state), (quiet) => ended(quiet, 'notChosen'))
      : changeRefused(state, 'INVITE', response);
  }
  if (status < 200) return ignore(state, 'only INVITE has provisional responses worth telling');
  if (ref.method === 'UPDATE')
    return status < 300 ? updateAccepted(state, response) : changeRefused(state, 'UPDATE', response);
  // Another request overtook our PRACK, which then was out of order: the repeated 1xx gets a new one.
  if (ref.method === 'PRACK' && status >= 300 && state.rseqReceived !== undefined)
    return to({ ...state, rseqReceived: state.rseqReceived - 1 });
  if (ref.id === undefined)
    return ignore(state, 'whether a PRACK was liked shows in what the peer does next');
  return to(state, { kind: 'replied', id: ref.id, response });
}

/** Chosen: a peer whose connection broke comes back in so many seconds, or at the next refresh. */
const RECONNECT_S = 5;

function failed(state: Session, { ref, cause }: InputOf<'failed'>): SessionStep {
  const unsent = cause === 'transport';
  // RFC 5057 5.1: no answer speaks of the dialog, a broken connection of nothing but itself.
  const refusal = unsent ? { status: 503, retryAfter: RECONNECT_S } : { status: 408 };
  if (ref.method === 'UPDATE' || (ref.method === 'INVITE' && state.phase === 'Confirmed'))
    return changeRefused(state, ref.method, { ...refusal, cseq: ref.cseq });
  if (ref.method === 'INVITE') return andThen(dropPending(state), (quiet) => ended(quiet, 'notChosen'));
  if (unsent && ref.id !== undefined) return to(state, { kind: 'replied', id: ref.id, unsent });
  return replied(state, ref.id, 'the peer will repeat its 1xx, or give the call up');
}

function again(state: Session, { ref, outgoing, credentials }: InputOf<'again'>): SessionStep {
  const { inviting, updating } = state;
  const change = ref.method === 'INVITE' ? inviting : ref.method === 'UPDATE' ? updating : undefined;
  // A request of `send` has an id, and is no change of the session.
  const isChange = ref.id === undefined && (ref.method === 'INVITE' || ref.method === 'UPDATE');
  if (isChange && change?.cseq !== ref.cseq) return ignore(state, 'nobody waits for its answer any more');
  const { dialog, outgoing: next } = repeated(state.dialog, outgoing, credentials);
  const cseq = dialog.localSeq;
  const now: Session = {
    ...state,
    dialog,
    ...(isChange && ref.method === 'INVITE' && inviting !== undefined
      ? { inviting: { ...inviting, cseq }, rseqReceived: undefined, credentials: credentialsIn(next.headers) }
      : {}),
    ...(isChange && ref.method === 'UPDATE' && updating !== undefined
      ? { updating: { ...updating, cseq } }
      : {}),
  };
  return to(now, { kind: 'request', ref: { ...ref, cseq }, outgoing: next });
}

const replied = (state: Session, id: string | undefined, reason: string): SessionStep =>
  id === undefined ? ignore(state, reason) : to(state, { kind: 'replied', id });

/** A 2xx that crossed our BYE is still acknowledged, or the peer would repeat it for half a minute. */
function lateResponse(state: Session, input: InputOf<'response'>): SessionStep {
  const { ref, response } = input;
  if (ref.method === 'BYE' && response.status >= 200) return to({ ...state, phase: 'Ended' });
  if (ref.method === 'INVITE' && response.status >= 200 && response.status < 300) {
    const { phase, inviting } = state;
    const unasked = inviting && { ...inviting, asked: false };
    const acknowledged = inviteAccepted({ ...state, inviting: unasked }, response);
    const effects = acknowledged.effects.filter(({ kind }) => kind === 'acknowledge');
    return { state: { ...acknowledged.state, phase }, effects };
  }
  return response.status < 200 ? ignore(state, OVER) : replied(state, ref.id, OVER);
}

function timed(state: Session, { timer, atMs }: InputOf<'timer'>): SessionStep {
  return TIMER[timer](state, atMs);
}

const TIMER: Readonly<Record<SessionTimer, (state: Session, atMs: number) => SessionStep>> = {
  '1xx': repeatProvisional,
  '2xx': repeatFinal,
  retry: (state) => to({ ...state, held: false }),
  // RFC 4028 7.4. Chosen: when a refresh comes to nothing, it is tried again after a quarter of the interval.
  refresh: (state) => {
    if (state.timer === undefined) return ignore(state, 'no session timer runs');
    const change = state.change ?? ({ by: 'UPDATE', offer: false } as const);
    return to({ ...state, change }, { kind: 'start', timer: 'refresh', ms: refreshMs(state.timer) / 2 });
  },
  expiry: (state) =>
    state.phase === 'Confirmed' ? sendBye(state, 'expired') : ignore(state, 'the call is not even answered'),
};
