import type { CallEffect, CallInput } from './call-input.ts';
import { type CallSession, type CallStep, finish, ignore, isParty, to } from './call-session.ts';
import { SILENT } from './reason.ts';
import { broken } from './talking.ts';

/*
 * A peer that sends no audio any more.
 *
 *   endsSilent: the call ends at once.
 *   else        silent ── ask ──▶ no answer in 32 s (RFC 3261 17.1.2.2), or 481, of one that knows OPTIONS: `broken`, by whoever asks
 *                 ▲        │ answered
 *                 └─ 30 s ─┘   five minutes, and it was heard before: gone, whatever answers in its place
 *                 heard: all is well
 *
 * An alarm is not ended by silence alone: its device may only listen, or be heard no more and hear still.
 */

type Of<K extends CallInput['kind']> = Extract<CallInput, { readonly kind: K }>;

/** Chosen: who is silent is asked so often; a device that died is known within 42 s, behind a B2BUA or deaf to OPTIONS in 5 min. */
const ASK_AGAIN_MS = 30_000;
const MOST_ASKED = 10;

/** Chosen: who sends nothing for 10 s is gone; a SIP peer that only mutes goes on sending, one that holds says so. */
export function silent(state: CallSession, { leg, wasHeard }: Of<'silent'>): CallStep {
  if (!isParty(state, leg)) return ignore(state, 'a leg that is no part of this call any more');
  if (state.setting.endsSilent) return finish(state, SILENT);
  const others = state.silent.filter((one) => one.leg !== leg);
  return asked({ ...state, silent: [...others, { leg, wasHeard, asked: 0 }] }, leg);
}

/** It sends again. */
export function heard(state: CallSession, { leg }: Of<'heard'>): CallStep {
  if (!state.silent.some((one) => one.leg === leg)) return ignore(state, 'it was never silent');
  const left = state.silent.filter((one) => one.leg !== leg);
  const stop: CallEffect[] = left.length === 0 ? [{ kind: 'stopTimer', timer: 'silence' }] : [];
  return to({ ...state, silent: left }, ...stop);
}

/** They were asked, and those who are here still have answered. */
export function stillSilent(state: CallSession): CallStep {
  const left = state.silent.filter(({ leg }) => isParty(state, leg));
  const gone = left.find((one) => one.wasHeard && one.asked >= MOST_ASKED);
  if (gone === undefined) return asked({ ...state, silent: left });
  const { leg } = gone;
  const { cause: status, text } = SILENT;
  const step = broken(
    { ...state, silent: left.filter((one) => one !== gone) },
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
