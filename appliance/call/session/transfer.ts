import type { CallEffect, CallInput } from './call-input.ts';
import {
  andThen,
  type CallSession,
  type CallStep,
  finish,
  ignore,
  isParty,
  otherOf,
  to,
} from './call-session.ts';
import { answered, dial } from './dialling.ts';
import { TRANSFERRED } from './reason.ts';

type Of<K extends CallInput['kind']> = Extract<CallInput, { readonly kind: K }>;

/** How long a transfer may take, ms; the subscription of RFC 3515 ends then. */
const TRANSFER_MS = 180_000;

/*
 * REFER of a party: the other one stays and is called for (RFC 5589 5, done by us as both their peer).
 *
 *   refer ─ 202 ─▶ target rings ─┬─ answered: NOTIFY 200, BYE to who asked, the two talk
 *                                ├─ failed: NOTIFY, everything as before; who asked has left: the call is over
 *                                └─ who asked hangs up: the other one waits for the target alone (Seeking)
 *   take: the target is in a call already, which gives its leg away (attended transfer)
 */
export function refer(state: CallSession, { leg, groups }: Of<'refer'>): CallStep {
  const refused = unfit(state, leg) ?? (groups.length === 0 ? 404 : undefined);
  if (refused !== undefined) return to(state, { kind: 'referAnswered', leg, status: refused });
  const now: CallSession = { ...state, transfer: { by: leg, present: true } };
  const accepted = to(
    now,
    { kind: 'referAnswered', leg, status: 202 },
    { kind: 'startTimer', timer: 'refer', ms: TRANSFER_MS },
  );
  return andThen(accepted, (each) => dial(each, { groups }));
}

export function take(state: CallSession, { leg, taken }: Of<'take'>): CallStep {
  const refused = unfit(state, leg);
  const stays = otherOf(state, leg);
  if (refused !== undefined || stays === undefined)
    return to(
      state,
      { kind: 'referAnswered', leg, status: refused ?? 481 },
      // The other call has released the leg: no other call would end it.
      { kind: 'end', leg: taken },
    );
  return to(
    { ...state, party: stays, peer: taken },
    { kind: 'referAnswered', leg, status: 202 },
    { kind: 'direct', leg: stays, direction: 'sendrecv' },
    { kind: 'direct', leg: taken, direction: 'sendrecv' },
    { kind: 'connect', a: stays, b: taken },
    { kind: 'referTold', leg, status: 200 },
    { kind: 'end', leg, reason: TRANSFERRED },
    { kind: 'tell', progress: { kind: 'joined', leg: taken } },
  );
}

/** Semi-attended: whom the asker calls still rings, and rings for the other party from now on. */
export function inherit(state: CallSession, { leg, ringing }: Of<'inherit'>): CallStep {
  const refused = unfit(state, leg);
  if (refused !== undefined)
    return to(
      state,
      { kind: 'referAnswered', leg, status: refused },
      ...ringing.map((each): CallEffect => ({ kind: 'end', leg: each })),
    );
  return to(
    {
      ...state,
      transfer: { by: leg, present: true },
      ringing,
      rang: true,
      waiting: [],
      failure: undefined,
      another: false,
      owed: 0,
    },
    { kind: 'referAnswered', leg, status: 202 },
    { kind: 'startTimer', timer: 'refer', ms: TRANSFER_MS },
    { kind: 'startTimer', timer: 'ring', ms: state.setting.ringMs },
    { kind: 'referTold', leg, status: 180 },
  );
}

/** The caller has no callee to wait for any more: its INVITE is over, and the ringing legs ring for another call. */
export function bequeath(state: CallSession): CallStep {
  const transferred = finish({ ...state, ringing: [] }, TRANSFERRED, state.party);
  const refusal = { kind: 'refuse', leg: state.party, status: 487, text: TRANSFERRED.text } as const;
  return to(transferred.state, { kind: 'disconnect', leg: state.party }, refusal, ...transferred.effects);
}

/**
 * RFC 3891 3. A leg that rings is replaced by the one that answers for it (pick-up); a leg that talks, by the one that takes
 * over. A party that a program of ours speaks with stays its party.
 */
export function replace(state: CallSession, { leg, replaced }: Of<'replace'>): CallStep {
  if (state.ringing.includes(replaced)) {
    const picked = to({ ...state, ringing: [...state.ringing, leg] }, { kind: 'accept', leg });
    return andThen(picked, (now) => answered(now, { kind: 'answered', leg }));
  }
  const { party, peer, transfer, setting } = state;
  if (peer === undefined || !isParty(state, replaced)) return notReplaced(state, leg, 481);
  if (transfer !== undefined) return notReplaced(state, leg, 491);
  if (setting.keepsCaller && replaced === party) return notReplaced(state, leg, 603);
  const now: CallSession = replaced === party ? { ...state, party: leg } : { ...state, peer: leg };
  const stays = replaced === party ? peer : party;
  return to(
    now,
    { kind: 'accept', leg },
    { kind: 'direct', leg: stays, direction: 'sendrecv' },
    { kind: 'connect', a: now.party, b: now.peer ?? leg },
    { kind: 'end', leg: replaced, reason: TRANSFERRED },
    { kind: 'tell', progress: { kind: 'joined', leg } },
  );
}

export const notReplaced = (state: CallSession, leg: string, status: number): CallStep =>
  to(state, { kind: 'refuse', leg, status });

/** Another call takes one of our parties; the rest is over. */
export function give(state: CallSession, { leg }: Of<'give'>): CallStep {
  return isParty(state, leg)
    ? finish(state, TRANSFERRED, leg)
    : ignore(state, 'a leg that is no part of this call any more');
}

/** Status that refuses a transfer now; undefined: it may begin. */
function unfit(state: CallSession, leg: string): number | undefined {
  if (state.phase !== 'Talking' || !isParty(state, leg)) return 481;
  return state.transfer === undefined ? undefined : 491;
}

export function transferLate(state: CallSession): CallStep {
  const { transfer, ringing } = state;
  if (transfer === undefined) return ignore(state, 'no transfer is under way');
  return to(
    { ...state, transfer: undefined, ringing: [], waiting: [] },
    ...ringing.map((leg): CallEffect => ({ kind: 'end', leg })),
    { kind: 'stopTimer', timer: 'ring' },
    { kind: 'referTold', leg: transfer.by, status: 408 },
  );
}
