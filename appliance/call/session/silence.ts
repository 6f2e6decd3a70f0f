import type { CallEffect, CallInput } from './call-input.ts';
import { type CallSession, type CallStep, finish, ignore, isParty, to } from './call-session.ts';
import { PEER_LOST, SILENT } from './reason.ts';
import { broken } from './talking.ts';

/*
 * A peer that sends no audio any more.
 *
 *   endsSilent, and no sign of life: the call ends at once.
 *   else        silent ── ask ──▶ no answer in 32 s (RFC 3261 17.1.2.2), or 481, of one that knows OPTIONS: `broken`, by whoever asks
 *                 ▲        │ answered
 *                 └─ 30 s ─┘   five minutes, and it was heard before: lost, whatever answers in its place
 *                 heard: all is well
 *
 * Signs of life are comfort noise as the last packet, and RTCP reports. They turn five minutes into an hour; while reports come,
 * the answer may stay out.
 *
 * An alarm is not ended by silence alone: its device may only listen, or be heard no more and hear still.
 */

type Of<K extends CallInput['kind']> = Extract<CallInput, { readonly kind: K }>;

/** Chosen: who is silent is asked so often; a device that died is known within 42 s, behind a B2BUA or deaf to OPTIONS in 5 min. */
const ASK_AGAIN_MS = 30_000;
const MOST_ASKED = 10;
/** Chosen: comfort noise and reports hold a call for an hour at most; a program may send them for a call that it has forgotten. */
const MOST_ASKED_ALIVE = 120;

/** Chosen: a party that sends nothing for 10 s has left; a SIP peer that only mutes goes on sending, one that holds says so. */
export function silent(state: CallSession, { leg, hadAudio, aliveBy }: Of<'silent'>): CallStep {
  if (!isParty(state, leg)) return ignore(state, 'a leg that is no part of this call any more');
  if (state.setting.endsSilent && aliveBy === undefined) return finish(state, SILENT);
  const others = state.silent.filter((one) => one.leg !== leg);
  const one = { leg, hadAudio, asked: 0, ...(aliveBy && { aliveBy }) };
  const step = asked({ ...state, silent: [...others, one] }, leg);
  // Others are asked when their time comes, however often this one falls silent.
  const isTimed = state.silent.length > 0;
  return isTimed ? { ...step, effects: step.effects.filter(({ kind }) => kind !== 'startTimer') } : step;
}

/** The peer did not answer the OPTIONS. */
export function unanswered(state: CallSession, { leg, isAble }: Of<'unanswered'>): CallStep {
  const one = state.silent.find((each) => each.leg === leg);
  if (one === undefined) return ignore(state, 'it is heard again');
  if (one.aliveBy === 'reports') return ignore(state, 'its reports still come');
  if (!isAble && !state.setting.endsSilent) return ignore(state, 'it may not know the question');
  const { cause: status, text } = PEER_LOST;
  return broken(state, { kind: 'broken', leg, status, text });
}

/** It sends again. */
export function onAudio(state: CallSession, { leg }: Of<'heard'>): CallStep {
  if (!state.silent.some((one) => one.leg === leg)) return ignore(state, 'it was never silent');
  const left = state.silent.filter((one) => one.leg !== leg);
  const stop: CallEffect[] = left.length === 0 ? [{ kind: 'stopTimer', timer: 'silence' }] : [];
  return to({ ...state, silent: left }, ...stop);
}

/** They were asked, and those who are here still have answered. */
export function stillSilent(state: CallSession): CallStep {
  const left = state.silent.filter(({ leg }) => isParty(state, leg));
  const { endsSilent } = state.setting;
  const lost = left.find(({ hadAudio, asked, aliveBy }) => {
    const most = aliveBy === undefined ? MOST_ASKED : MOST_ASKED_ALIVE;
    return (hadAudio || endsSilent) && asked >= most;
  });
  if (lost === undefined) return asked({ ...state, silent: left });
  if (endsSilent) return finish(state, SILENT);
  const { leg } = lost;
  const { cause: status, text } = SILENT;
  const step = broken(
    { ...state, silent: left.filter((one) => one !== lost) },
    { kind: 'broken', leg, status, text },
  );
  if (step.state.phase === 'Ended' || step.state.silent.length === 0) return step;
  const next = asked(step.state);
  return to(next.state, ...step.effects, ...next.effects);
}

/** Asks this one, or all who are silent; and looks again. */
function asked(state: CallSession, only?: string): CallStep {
  if (state.silent.length === 0) return ignore(state, 'everybody is heard');
  const now = state.silent.filter(({ leg }) => only === undefined || leg === only);
  return to(
    {
      ...state,
      silent: state.silent.map((one) => (now.includes(one) ? { ...one, asked: one.asked + 1 } : one)),
    },
    ...now.map(({ leg }): CallEffect => ({ kind: 'ask', leg })),
    { kind: 'startTimer', timer: 'silence', ms: ASK_AGAIN_MS },
  );
}
