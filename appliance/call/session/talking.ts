import type { CallEffect, CallInput, EndReason, HeldDirection } from './call-input.ts';
import { type CallSession, type CallStep, finish, ignore, isParty, otherOf, to } from './call-session.ts';
import { failed } from './dialling.ts';
import { failedWith, isCutOff, NORMAL, REASON_OF } from './reason.ts';

type Of<K extends CallInput['kind']> = Extract<CallInput, { readonly kind: K }>;

/** A leg is over by itself: its peer hung up or vanished. */
export function ended(state: CallSession, { leg, cause, reason = REASON_OF[cause] }: Of<'ended'>): CallStep {
  return partyLost(state, leg, reason, cause === 'remote' && !isCutOff(reason));
}

/** A leg has no audio any more: it is ended, and then as if it had left. */
export function broken(state: CallSession, { leg, status, text }: Of<'broken'>): CallStep {
  const rings = state.ringing.includes(leg);
  if (!rings && !isParty(state, leg)) return ignore(state, 'a leg that is no part of this call any more');
  const reason = failedWith(status, text);
  const step = rings
    ? failed(state, { kind: 'failed', leg, status, text, another: false })
    : partyLost(state, leg, reason, false);
  return { ...step, effects: [{ kind: 'end', leg, reason }, ...step.effects] };
}

function partyLost(state: CallSession, leg: string, reason: EndReason, hasHungUp: boolean): CallStep {
  if (!isParty(state, leg)) return ignore(state, 'a leg that is no part of this call any more');
  const { transfer, setting, party, peer } = state;
  if (transfer?.by === leg) {
    // It asked for another party to take over and hung up: the remaining party waits for that one.
    const stays = leg === party ? (peer ?? party) : party;
    return to(
      { ...state, phase: 'Seeking', party: stays, peer: undefined, transfer: undefined },
      { kind: 'stopTimer', timer: 'refer' },
    );
  }
  // Said as it was said to us: the other side learns why.
  if (leg === party || !setting.keepsCaller) return finish(state, reason, leg, reason !== NORMAL);
  const effects: CallEffect[] =
    transfer?.present === true ? [{ kind: 'referTold', leg: transfer.by, status: 487 }] : [];
  return to(
    { ...state, phase: 'Attended', peer: undefined, transfer: undefined, ringing: [], waiting: [] },
    ...effects,
    ...state.ringing.map((each): CallEffect => ({ kind: 'end', leg: each })),
    { kind: 'disconnect', leg: party },
    { kind: 'direct', leg: party, direction: 'sendrecv' },
    { kind: 'stopTimer', timer: 'ring' },
    { kind: 'stopTimer', timer: 'duration' },
    { kind: 'tell', progress: { kind: 'left', reason, hasHungUp } },
  );
}

/** The offer to one side, when the other one has said how it wants its audio. */
const FOR_OTHER: Readonly<Record<HeldDirection, HeldDirection>> = {
  sendrecv: 'sendrecv',
  // It holds and may play music: the other side only listens.
  recvonly: 'sendonly',
  // It only listens.
  sendonly: 'recvonly',
  inactive: 'inactive',
};

export function held(state: CallSession, { leg, direction }: Of<'held'>): CallStep {
  const other = isParty(state, leg) ? otherOf(state, leg) : undefined;
  return other === undefined
    ? ignore(state, 'nobody is on the other side')
    : to(state, { kind: 'direct', leg: other, direction: FOR_OTHER[direction] });
}

export function digit(state: CallSession, { leg, digit: sign, durationMs }: Of<'digit'>): CallStep {
  const other = isParty(state, leg) ? otherOf(state, leg) : undefined;
  return other === undefined
    ? ignore(state, 'nobody is on the other side')
    : to(state, { kind: 'digit', leg: other, digit: sign, durationMs });
}
