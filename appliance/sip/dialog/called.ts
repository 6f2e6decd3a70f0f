import type { Answer, HeaderFields } from '../message/index.ts';
import { retargeted, serverDialog } from './dialog.ts';
import type { RequestFacts } from './dialog-info.ts';
import { exchange } from './offer-answer.ts';
import { dropPending, ended, refreshed, respond, SUPPORTED, sendBye, withSdp } from './outgoing.ts';
import {
  andThen,
  type InputOf,
  ignore,
  newSession,
  type PendingInvite,
  type Server,
  type Session,
  type SessionSettings,
  type SessionStep,
  to,
} from './session.ts';
import { isTooBrief, timerAnswer } from './session-timer.ts';

/*
 * We are called: from the INVITE to its ACK. A re-INVITE goes the same way from `accept` on.
 *
 *   INVITE ─▶ offered | asked ─┬─ progress ─▶ 1xx ─┬─ unreliable: sent once
 *                              │                   └─ reliable: timer 1xx repeats it until PRACK; 64 x T1: 504
 *                              ├─ refuse, cancelled ─▶ 300-699, 487 ─▶ Ended
 *                              └─ accept ─▶ (waits for PRACK) ─▶ 2xx, timer 2xx repeats it until ACK; 64 x T1: BYE
 */

/** The first INVITE of a call. `refusal`: answer it with this, no session begins. */
export function openIncoming(
  request: RequestFacts,
  server: Server,
  localTag: string,
  settings: SessionSettings,
): SessionStep | { readonly refusal: Answer } {
  const dialog = serverDialog(request, localTag);
  if (dialog === undefined) return { refusal: { status: 400, reason: 'Missing Contact', toTag: localTag } };
  if (request.broken) return { refusal: { ...BROKEN_BODY, toTag: localTag } };
  if (isTooBrief(request, settings.timer))
    return {
      refusal: { status: 422, headers: [['Min-SE', String(settings.timer.minSeS)]], toTag: localTag },
    };
  const state = { ...newSession('EarlyIn', dialog, settings), peerAllows: request.allow ?? [] };
  return invited(state, request, server);
}

/** Taken for an INVITE without an offer, it would be answered with ours (RFC 5621 3, RFC 3261 21.4.1). */
export const BROKEN_BODY: Answer = { status: 400, reason: 'Bad multipart body' };

/** An INVITE, the first or a later one, that may go on. */
export function invited(state: Session, request: RequestFacts, server: Server): SessionStep {
  const pendingInvite: PendingInvite = { server, request, asked: request.sdp === undefined };
  const { sdp } = request;
  if (sdp === undefined) return to({ ...state, pendingInvite }, { kind: 'asked' });
  const next = exchange(state.exchange, 'receive offer', 'INVITE') ?? state.exchange;
  return to({ ...state, pendingInvite, exchange: next }, { kind: 'offered', by: 'INVITE', sdp });
}

const responseHeaders = ({ settings }: Session): HeaderFields => [
  ['Contact', settings.contact],
  ['Allow', settings.allow.join(', ')],
  ['Supported', SUPPORTED],
];

export function progress(state: Session, input: InputOf<'progress'>): SessionStep {
  const { pendingInvite } = state;
  if (pendingInvite === undefined) return ignore(state, 'no INVITE waits for an answer');
  const { request, server } = pendingInvite;
  const headers = [...responseHeaders(state), ...(input.headers ?? [])];
  const demanded = request.require.includes('100rel');
  const possible = state.settings.reliableProvisional && request.supported.includes('100rel');
  if (!demanded && !possible) {
    // A description is a first look at our answer; the 2xx says it again. An offer must not go unreliably (13.2.1).
    const content = withSdp(headers, pendingInvite.asked ? undefined : input.sdp);
    return to(state, respond(state, server, { status: input.status, ...content }));
  }
  // RFC 3262 3: one at a time.
  if (state.provisional !== undefined || state.waiting.length > 0)
    return to({ ...state, waiting: [...state.waiting, input] });
  const described = input.sdp === undefined ? undefined : describe(state, pendingInvite, '1xx');
  const rseq = state.rseqSent + 1;
  const reliable: HeaderFields = [...headers, ['Require', '100rel'], ['RSeq', String(rseq)]];
  const content = withSdp(reliable, described === undefined ? undefined : input.sdp);
  const answer: Answer = { status: input.status, ...content };
  const { t1Ms } = state.settings;
  const provisional = { rseq, server, answer, waitMs: t1Ms, giveUpAtMs: input.atMs + 64 * t1Ms };
  return to({ ...(described ?? state), provisional, rseqSent: rseq }, respond(state, server, answer), {
    kind: 'start',
    timer: '1xx',
    ms: t1Ms,
  });
}

/** Our description answers the INVITE, or is the offer it asked for; undefined when neither is open any more. */
function describe(state: Session, pendingInvite: PendingInvite, by: '1xx' | '2xx'): Session | undefined {
  if (pendingInvite.asked) {
    const next = exchange(state.exchange, 'send offer', by);
    const answered = { ...pendingInvite, asked: false };
    return next && { ...state, exchange: next, pendingInvite: answered };
  }
  if (state.exchange.by !== 'INVITE') return undefined;
  const next = exchange(state.exchange, 'send answer');
  return next && { ...state, exchange: next, exchanged: true };
}

/** RFC 3262 3: until PRACK comes; when it never does, the INVITE is rejected with 5xx. */
export function repeatProvisional(state: Session, atMs: number): SessionStep {
  const { provisional } = state;
  if (provisional === undefined) return ignore(state, 'the PRACK came');
  if (atMs < provisional.giveUpAtMs) {
    const waitMs = provisional.waitMs * 2;
    return to(
      { ...state, provisional: { ...provisional, waitMs } },
      respond(state, provisional.server, provisional.answer),
      { kind: 'start', timer: '1xx', ms: Math.min(waitMs, provisional.giveUpAtMs - atMs) },
    );
  }
  if (state.phase === 'EarlyIn') return andThen(dropPending(state, 504), (quiet) => ended(quiet, 'noAck'));
  return refuse({ ...state, provisional: undefined, waiting: [] }, 504);
}

/** PRACK of our reliable 1xx (RFC 3262 3 and 5). */
export function pracked(state: Session, request: RequestFacts, server: Server): SessionStep {
  const { provisional, pendingInvite } = state;
  const fits = provisional?.rseq === request.rack?.rseq && pendingInvite?.request.cseq === request.rack?.cseq;
  if (provisional === undefined || !fits) return to(state, respond(state, server, { status: 481 }));
  const quiet = to({ ...state, provisional: undefined }, { kind: 'stop', timer: '1xx' });
  return andThen(quiet, (now) => answeredBy(now, request, server));
}

function answeredBy(state: Session, request: RequestFacts, server: Server): SessionStep {
  const { sdp } = request;
  const done = respond(state, server, { status: 200 });
  const wanted = state.exchange.state === 'OfferSent' && state.exchange.by === '1xx';
  if (wanted) {
    const next = exchange(state.exchange, sdp === undefined ? 'fail' : 'receive answer') ?? state.exchange;
    if (sdp === undefined) return to({ ...state, exchange: next }, done, { kind: 'unchanged', status: 0 });
    return to({ ...state, exchange: next, exchanged: true }, done, { kind: 'agreed', sdp });
  }
  const offer = sdp === undefined ? undefined : exchange(state.exchange, 'receive offer', 'PRACK');
  if (sdp === undefined || offer === undefined) return to(state, done);
  const pendingOffer = { server, request };
  return to({ ...state, exchange: offer, pendingOffer }, { kind: 'offered', by: 'PRACK', sdp });
}

export function accept(state: Session, input: InputOf<'accept'>): SessionStep {
  const { pendingInvite, exchange: open } = state;
  if (pendingInvite === undefined) return ignore(state, 'no INVITE waits for an answer');
  const owed = open.state === 'OfferReceived' && open.by === 'INVITE';
  // RFC 3262 3: a description under way in a 1xx must arrive before the 2xx. Chosen: so must every reliable 1xx.
  if (state.provisional !== undefined || state.waiting.length > 0 || (open.state !== 'Stable' && !owed))
    return to({ ...state, waiting: [...state.waiting, input] });
  if ((owed || pendingInvite.asked) && input.sdp === undefined)
    return ignore(state, 'this 2xx needs a description, and none was given');
  const described = describe(state, pendingInvite, '2xx');
  const { request, server } = pendingInvite;
  const { settings } = state;
  const timer = timerAnswer(request, settings.timer);
  const headers = [...responseHeaders(state), ...timer.headers, ...(input.headers ?? [])];
  const content = withSdp(headers, described === undefined ? undefined : input.sdp);
  const next: Session = {
    ...(described ?? state),
    phase: 'Confirmed',
    dialog: retargeted(state.dialog, request),
    pendingInvite: undefined,
    unacknowledged: {
      server,
      cseq: request.cseq,
      waitMs: settings.t1Ms,
      giveUpAtMs: input.atMs + 64 * settings.t1Ms,
    },
  };
  const answered = to(
    next,
    respond(state, server, { status: 200, ...content }),
    { kind: 'start', timer: '2xx', ms: settings.t1Ms },
    ...(state.phase === 'EarlyIn' ? [{ kind: 'confirmed' } as const] : []),
  );
  return andThen(answered, (now) => refreshed(now, timer.agreed));
}

export function refuse(state: Session, status: number, headers: HeaderFields = []): SessionStep {
  const { pendingInvite } = state;
  if (pendingInvite === undefined) return ignore(state, 'no INVITE waits for an answer');
  const said = respond(state, pendingInvite.server, { status, headers });
  if (state.phase === 'EarlyIn') {
    const rest = dropPending({ ...state, pendingInvite: undefined });
    return andThen({ ...rest, effects: [said, ...rest.effects] }, (quiet) => ended(quiet, 'refused'));
  }
  const mine = state.exchange.by === 'INVITE' || state.exchange.by === '1xx';
  const next = mine ? (exchange(state.exchange, 'fail') ?? state.exchange) : state.exchange;
  const refused: Session = {
    ...state,
    pendingInvite: undefined,
    provisional: undefined,
    waiting: [],
    exchange: next,
  };
  return to(refused, said, { kind: 'stop', timer: '1xx' });
}

/** CANCEL found the INVITE unanswered (9.2). */
export function cancelled(state: Session): SessionStep {
  if (state.pendingInvite === undefined)
    return ignore(state, 'the INVITE was answered: the CANCEL came too late');
  if (state.phase === 'EarlyIn') return andThen(dropPending(state), (quiet) => ended(quiet, 'cancelled'));
  return andThen(refuse(state, 487), (now) => to(now, { kind: 'unchanged', status: 487 }));
}

/** 13.3.1.4: the 2xx is repeated on every transport, because a proxy may change from TCP to UDP on the way. */
export function repeatFinal(state: Session, atMs: number): SessionStep {
  const { unacknowledged, settings } = state;
  if (unacknowledged === undefined) return ignore(state, 'the ACK came');
  if (atMs >= unacknowledged.giveUpAtMs)
    return sendBye({ ...state, unacknowledged: undefined }, state.byeWanted?.cause ?? 'noAck');
  const waitMs = Math.min(unacknowledged.waitMs * 2, settings.t2Ms);
  return to(
    { ...state, unacknowledged: { ...unacknowledged, waitMs } },
    { kind: 'repeat', server: unacknowledged.server },
    { kind: 'start', timer: '2xx', ms: Math.min(waitMs, unacknowledged.giveUpAtMs - atMs) },
  );
}

export function acked(state: Session, { cseq, sdp }: RequestFacts): SessionStep {
  if (state.unacknowledged?.cseq !== cseq)
    return ignore(state, 'a late or repeated ACK: its 2xx is acknowledged');
  const now: Session = { ...state, unacknowledged: undefined };
  const settled = andThen(
    to(now, { kind: 'stop', timer: '2xx' }, { kind: 'acknowledged' }),
    (each): SessionStep => {
      if (each.exchange.state !== 'OfferSent' || each.exchange.by !== '2xx') return to(each);
      const next = exchange(each.exchange, sdp === undefined ? 'fail' : 'receive answer') ?? each.exchange;
      return sdp === undefined
        ? to({ ...each, exchange: next }, { kind: 'unchanged', status: 0 })
        : to({ ...each, exchange: next, exchanged: true }, { kind: 'agreed', sdp });
    },
  );
  return andThen(settled, (each) =>
    each.byeWanted === undefined ? to(each) : sendBye(each, each.byeWanted.cause, each.byeWanted.headers),
  );
}
