import type { Outgoing } from '../endpoint/index.ts';
import type { HeaderFields } from '../message/index.ts';
import type { WrittenPart } from '../sdp/index.ts';
import { openOutgoing } from './calling.ts';
import type { ResponseFacts } from './dialog-info.ts';
import { step } from './machine.ts';
import { dropPending, SUPPORTED, withBeside } from './outgoing.ts';
import type { Session, SessionEffect, SessionInput, SessionSettings } from './session.ts';
import { isLonger, MOST_TRIES, timerRequest } from './session-timer.ts';

/*
 * An INVITE of ours and the dialogs its forks make (RFC 3261 13.2, 9.1; RFC 4028 7.3).
 *
 *                     INVITE
 *                       |          422: INVITE again with a longer interval
 *                       V          +---+
 *                  +---------+ <---+   |
 *                  | Calling | --------+      1xx: a dialog for each To tag
 *                  +---------+ -------------------------> +------------+
 *                    |  |  |  cancel: CANCEL    cancel    | Proceeding |
 *                    |  |  +-------> +------------+ <---- +------------+
 *                    |  |            | Cancelling |         |    |
 *                    |  |  300-699,  +------------+         |    | 2xx: its dialog has won, the others are notified
 *                    |  |  timeout       |  2xx: ACK, BYE   |    V
 *                    |  +----------------|------------------|-> +----------+ 2xx of another dialog: ACK, BYE
 *                    |                   |                  |   | Answered | 2xx again: ACK again
 *                    V                   V                  V   +----------+
 *                  +---------------------------------------------+  | the session has ended; another 2xx: ACK, BYE
 *                  |                    Ended                    | <+
 *                  +---------------------------------------------+
 *
 * Chosen: 2xx and CANCEL crossed: the user who cancelled does not want to talk, so the dialog is acknowledged and ended.
 */
export type InvitationPhase = 'Calling' | 'Proceeding' | 'Cancelling' | 'Answered' | 'Ended';

export interface InvitePlan {
  /** Request-URI. */
  readonly target: string;
  /** `<uri>` of From and To, without tags. */
  readonly localAddress: string;
  readonly remoteAddress: string;
  readonly localTag: string;
  readonly callId: string;
  /** 1, or one more than that of the INVITE which was challenged. */
  readonly cseq: number;
  /** Min-SE of a 422 to an INVITE before this one, seconds. */
  readonly minSe?: number;
  /** Route values of an outbound proxy. */
  readonly routes?: readonly string[];
  /** Our offer; without it the peer offers (late offer). */
  readonly sdp?: Uint8Array;
  /** Said beside our offer, as the metadata of a recording session. */
  readonly beside?: WrittenPart;
  readonly headers?: HeaderFields;
  /** More fields and parts beside our offer, which the peer may refuse: the INVITE then goes again without them. */
  readonly optional?: { readonly headers: HeaderFields; readonly parts: readonly WrittenPart[] };
  /** So long its peer may take for a first response, ms; absent: as timer B says. */
  readonly responseWithinMs?: number;
}

export interface Invitation {
  readonly phase: InvitationPhase;
  readonly plan: InvitePlan;
  readonly settings: SessionSettings;
  readonly cseq: number;
  readonly minSe: number;
  /** Sessions by To tag. */
  readonly legs: ReadonlyMap<string, Session>;
  readonly winner: string | undefined;
}

export type InvitationInput = { readonly atMs: number } & (
  | { readonly kind: 'response'; readonly response: ResponseFacts }
  | { readonly kind: 'failed'; readonly cause: 'timeout' | 'transport' }
  | { readonly kind: 'cancel' }
  /** For the session of one dialog: what came for it, or what its user wants. */
  | { readonly kind: 'leg'; readonly tag: string; readonly input: SessionInput }
  /** 64 x T1 after the first 2xx: no other dialog can come any more (13.2.2.4). */
  | { readonly kind: 'forksOver' }
);
export type InvitationInputKind = InvitationInput['kind'];
type InvitationInputOf<K extends InvitationInputKind> = Extract<InvitationInput, { readonly kind: K }>;

export type InvitationEffect =
  /** Send; responses come back as `response`, the two failures as `failed`. Replaces an INVITE before it. */
  | { readonly kind: 'invite'; readonly outgoing: Outgoing }
  /** CANCEL the INVITE. */
  | { readonly kind: 'cancel' }
  | { readonly kind: 'leg'; readonly tag: string; readonly effect: SessionEffect }
  /** Interop: a 1xx without a To tag makes no dialog; all it tells is that it rings. */
  | { readonly kind: 'progressed'; readonly status: number; readonly sdp?: Uint8Array }
  | { readonly kind: 'answered'; readonly tag: string }
  /** No session came of it. 408 and 503 stand for no answer and a broken transport. */
  | { readonly kind: 'failed'; readonly status: number; readonly response?: ResponseFacts }
  | { readonly kind: 'start'; readonly timer: 'forks'; readonly ms: number };

export interface InvitationStep {
  readonly state: Invitation;
  readonly effects: readonly InvitationEffect[];
  readonly ignored?: string;
}

/** Chosen: forks of a real proxy are under ten; each costs a session. */
const MOST_LEGS = 32;

const to = (state: Invitation, ...effects: readonly InvitationEffect[]): InvitationStep => ({
  state,
  effects,
});
const ignore = (state: Invitation, ignored: string): InvitationStep => ({ state, effects: [], ignored });

export function invite(plan: InvitePlan, settings: SessionSettings): InvitationStep {
  const state: Invitation = {
    phase: 'Calling',
    plan,
    settings,
    cseq: plan.cseq,
    minSe: plan.minSe ?? 0,
    legs: new Map(),
    winner: undefined,
  };
  return to(state, { kind: 'invite', outgoing: outgoingInvite(state) });
}

function outgoingInvite({ plan, settings, cseq, minSe }: Invitation): Outgoing {
  const optional = plan.sdp === undefined ? undefined : plan.optional;
  const headers: HeaderFields = [
    ...(plan.routes ?? []).map((route) => ['Route', route] as const),
    ['From', `${plan.localAddress};tag=${plan.localTag}`],
    ['To', plan.remoteAddress],
    ['Call-ID', plan.callId],
    ['CSeq', `${cseq} INVITE`],
    ['Contact', settings.contact],
    ['Allow', settings.allow.join(', ')],
    ['Supported', SUPPORTED],
    ...timerRequest(settings.timer, undefined, minSe),
    ...(plan.headers ?? []),
    ...(optional?.headers ?? []),
  ];
  const beside = [...(plan.beside === undefined ? [] : [plan.beside]), ...(optional?.parts ?? [])];
  const { headers: all = [], body } = withBeside(headers, plan.sdp, beside);
  const { responseWithinMs } = plan;
  return {
    method: 'INVITE',
    uri: plan.target,
    headers: all,
    ...(body === undefined ? {} : { body }),
    ...(responseWithinMs === undefined ? {} : { responseWithinMs }),
  };
}

type Row<K extends InvitationInputKind> = (
  state: Invitation,
  input: Extract<InvitationInput, { readonly kind: K }>,
) => InvitationStep;
type Rows = { readonly [K in InvitationInputKind]: Row<K> };

const cancelled: Row<'cancel'> = (state) => to({ ...state, phase: 'Cancelling' }, { kind: 'cancel' });
const unanswered: Row<'failed'> = (state, { cause }) => fruitless(state, cause === 'timeout' ? 408 : 503);

const WAITING: Rows = {
  response: responded,
  failed: unanswered,
  cancel: cancelled,
  leg: legStep,
  forksOver: (state) => ignore(state, 'no 2xx came yet'),
};

const TABLE: { readonly [P in InvitationPhase]: Rows } = {
  Calling: WAITING,
  Proceeding: WAITING,
  Cancelling: {
    ...WAITING,
    cancel: (state) => ignore(state, 'CANCEL is on its way'),
    forksOver: (state) => to({ ...state, phase: 'Ended', legs: new Map() }),
  },
  Answered: {
    response: responded,
    failed: (state) => ignore(state, 'the INVITE was answered before its transport broke'),
    cancel: (state) => ignore(state, 'the call was answered: end its session'),
    leg: legStep,
    forksOver: (state) => to({ ...state, legs: only(state) }),
  },
  Ended: {
    response: lateFork,
    failed: (state) => ignore(state, 'the call is over'),
    cancel: (state) => ignore(state, 'the call is over'),
    leg: legStep,
    forksOver: (state) => to({ ...state, legs: new Map() }),
  },
};

export const invitation = {
  table: TABLE,
  step: (state: Invitation, input: InvitationInput): InvitationStep =>
    (TABLE[state.phase][input.kind] as Row<InvitationInputKind>)(state, input),
};

function only({ legs, winner }: Invitation): ReadonlyMap<string, Session> {
  const session = winner === undefined ? undefined : legs.get(winner);
  return winner === undefined || session === undefined ? new Map() : new Map([[winner, session]]);
}

function responded(state: Invitation, input: Extract<InvitationInput, { kind: 'response' }>): InvitationStep {
  const { response, atMs } = input;
  if (response.cseq !== state.cseq) return ignore(state, 'a response to an INVITE given up before');
  if (response.status < 200) return progressed(state, response, atMs);
  if (response.status < 300) return accepted(state, response, atMs);
  if (state.phase === 'Answered') return ignore(state, 'a fork refused behind the 2xx of another');
  const { minSe = 0 } = response;
  const often = state.cseq - state.plan.cseq >= MOST_TRIES;
  if (response.status === 422 && state.phase !== 'Cancelling' && isLonger(minSe, state.minSe) && !often) {
    const again: Invitation = { ...state, phase: 'Calling', cseq: state.cseq + 1, minSe, legs: new Map() };
    return to(again, { kind: 'invite', outgoing: outgoingInvite(again) });
  }
  return fruitless(state, response.status, response);
}

/** 13.2.2.4: one who answers when the call is over already is acknowledged and ended, too: a person waits there. */
function lateFork(state: Invitation, { response, atMs }: InvitationInputOf<'response'>): InvitationStep {
  const { status, cseq } = response;
  const answers = status >= 200 && status < 300 && cseq === state.cseq && state.winner !== undefined;
  return answers
    ? accepted(state, response, atMs)
    : ignore(state, 'the call is over; a 2xx nobody acknowledges ends by itself');
}

function progressed(state: Invitation, response: ResponseFacts, atMs: number): InvitationStep {
  if (state.phase === 'Answered') return ignore(state, 'a 1xx of a fork that came too late');
  const phase = state.phase === 'Calling' ? 'Proceeding' : state.phase;
  const now: Invitation = { ...state, phase };
  const { status, sdp } = response;
  if (status === 100) return to(now);
  if (response.toTag === '')
    return to(now, { kind: 'progressed', status, ...(sdp === undefined ? {} : { sdp }) });
  const leg = legOf(state, response);
  if (leg === undefined) return ignore(state, `over ${MOST_LEGS} forks`);
  return stepLeg(now, response.toTag, leg, inviteInput(response, atMs));
}

function accepted(state: Invitation, response: ResponseFacts, atMs: number): InvitationStep {
  const { toTag: tag } = response;
  const leg = legOf(state, response);
  if (leg === undefined) return ignore(state, `over ${MOST_LEGS} forks`);
  const input = inviteInput(response, atMs);
  if (state.winner === tag) return stepLeg(state, tag, leg, input);
  if (state.winner !== undefined || state.phase === 'Cancelling') return ended(state, tag, leg, input);
  const losers = given(state, (other) => other !== tag);
  const won: Invitation = { ...state, phase: 'Answered', winner: tag, legs: losers.legs };
  const answered = stepLeg(won, tag, leg, input);
  return to(answered.state, { kind: 'answered', tag }, ...answered.effects, ...losers.effects, {
    kind: 'start',
    timer: 'forks',
    ms: 64 * state.settings.t1Ms,
  });
}

/** A 2xx too much: acknowledged and ended, and its user hears nothing of it. */
function ended(state: Invitation, tag: string, leg: Session, input: SessionInput): InvitationStep {
  const confirmed = step(leg, input);
  const goodbye = step(confirmed.state, { kind: 'end', atMs: input.atMs });
  const effects = [...confirmed.effects, ...goodbye.effects].filter(({ kind }) => WIRE.has(kind));
  const legs = new Map(state.legs).set(tag, goodbye.state);
  const legEffects: InvitationEffect[] = effects.map((effect) => ({ kind: 'leg', tag, effect }));
  if (state.winner !== undefined) return to({ ...state, legs }, ...legEffects);
  // Cancelling: the call fails as if the CANCEL had been in time.
  const cancelledLate: Invitation = { ...state, phase: 'Answered', winner: tag, legs };
  return to(
    cancelledLate,
    ...legEffects,
    { kind: 'failed', status: 487 },
    { kind: 'start', timer: 'forks', ms: 64 * state.settings.t1Ms },
  );
}

const WIRE: ReadonlySet<SessionEffect['kind']> = new Set(['request', 'acknowledge', 'respond', 'stop']);

const inviteInput = (response: ResponseFacts, atMs: number): SessionInput => ({
  kind: 'response',
  ref: { method: 'INVITE', cseq: response.cseq },
  response,
  atMs,
});

function legOf(state: Invitation, response: ResponseFacts): Session | undefined {
  const known = state.legs.get(response.toTag);
  if (known !== undefined || state.legs.size >= MOST_LEGS) return known;
  return openOutgoing(response, state.plan, state.settings);
}

function fruitless(state: Invitation, status: number, response?: ResponseFacts): InvitationStep {
  const { effects } = given(state, () => true);
  return to({ ...state, phase: 'Ended', legs: new Map() }, ...effects, {
    kind: 'failed',
    status,
    ...(response === undefined ? {} : { response }),
  });
}

/** Dialogs given up: their open requests are answered, their users are notified. A late 2xx still finds them. */
function given(
  state: Invitation,
  which: (tag: string) => boolean,
): Pick<Invitation, 'legs'> & InvitationEvents {
  const legs = new Map(state.legs);
  const effects: InvitationEffect[] = [];
  for (const [tag, leg] of state.legs) {
    if (!which(tag)) continue;
    const quiet = dropPending(leg);
    legs.set(tag, quiet.state);
    for (const effect of quiet.effects) effects.push({ kind: 'leg', tag, effect });
    effects.push({ kind: 'leg', tag, effect: { kind: 'ended', cause: 'notChosen' } });
  }
  return { legs, effects };
}

interface InvitationEvents {
  readonly effects: readonly InvitationEffect[];
}

function legStep(state: Invitation, input: Extract<InvitationInput, { kind: 'leg' }>): InvitationStep {
  const leg = state.legs.get(input.tag);
  return leg === undefined
    ? ignore(state, 'no dialog of this tag')
    : stepLeg(state, input.tag, leg, input.input);
}

function stepLeg(state: Invitation, tag: string, leg: Session, input: SessionInput): InvitationStep {
  const done = step(leg, input);
  const next: Invitation = { ...state, legs: new Map(state.legs).set(tag, done.state) };
  const over = tag === state.winner && done.state.phase === 'Ended';
  const effects = done.effects.map((effect): InvitationEffect => ({ kind: 'leg', tag, effect }));
  const phase = over ? 'Ended' : next.phase;
  return {
    ...to({ ...next, phase }, ...effects),
    ...(done.ignored === undefined ? {} : { ignored: done.ignored }),
  };
}
