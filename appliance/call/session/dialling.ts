import type { CallEffect, CallInput, EndReason, LegName, Unreached } from './call-input.ts';
import { andThen, type CallSession, type CallStep, finish, ignore, to } from './call-session.ts';
import { betterFailure, statusForCaller } from './final-status.ts';
import { ELSEWHERE, failedWith, TRANSFERRED } from './reason.ts';

type Of<K extends CallInput['kind']> = Extract<CallInput, { readonly kind: K }>;

/*
 * Calling others for a party, whatever its phase: legs of a group ring together, the first answer wins.
 *
 *   dial ─▶ group 1 ─┬─ all failed, another may be tried ─▶ group 2 …
 *                    ├─ one names others (3xx): they ring in its place, then those it likes less, then group 2
 *                    ├─ all failed: the best failure is reported (16.7)
 *                    ├─ timer ring: as if all had failed with 408; of a group that never rang the next one is tried
 *                    └─ answered: the others are ended, the two are connected
 */

const NO_DESTINATION: Unreached = { status: 404, text: 'the destination leads to no target' };

/** Begins with the first group; whatever rang before is ended. */
export function dial(
  state: CallSession,
  { groups, unreached = NO_DESTINATION }: Omit<Of<'dial'>, 'kind'>,
): CallStep {
  const [first, ...waiting] = groups.filter((group) => group.length > 0);
  const before: CallSession = { ...state, failure: undefined, another: false, owed: 0, waiting };
  const quiet = state.ringing.map((leg): CallEffect => ({ kind: 'end', leg }));
  if (first === undefined)
    return andThen(to({ ...before, ringing: [] }, ...quiet), (now) => gaveUp(now, unreached));
  return andThen(to(before, ...quiet), (now) => ring(now, first));
}

/**
 * A host may take an INVITE, say 100 and die, which timer B no longer sees (RFC 3261 17.1.1.2). Chosen: while others are left
 * it is given as long as one that says nothing at all, 64 x T1; the last one gets its whole time.
 */
const SPEECHLESS_MS = 32_000;

const ring = (state: CallSession, group: readonly LegName[], more: readonly LegName[] = []): CallStep => {
  const { ringMs } = state.setting;
  // A redirection comes from one callee: others of its group may ring.
  const rang = more.length > 0;
  const ms = rang || state.waiting.length === 0 ? ringMs : Math.min(ringMs, SPEECHLESS_MS);
  return to(
    { ...state, ringing: [...more, ...group], rang },
    { kind: 'startTimer', timer: 'ring', ms },
    ...group.map((leg): CallEffect => ({ kind: 'dial', leg })),
  );
};

/** Takes a 1xx of a callee. A callee may ring for long, however many groups wait behind it. */
export function progressed(state: CallSession, input: Of<'progressed'>): CallStep {
  if (!state.ringing.includes(input.leg)) return ignore(state, 'a 1xx of a leg that no longer rings');
  const { rang, waiting, setting } = state;
  if (rang || waiting.length === 0 || input.status === 100) return passProgress(state, input);
  const { state: now, effects } = passProgress({ ...state, rang: true }, input);
  return to(now, ...effects, { kind: 'startTimer', timer: 'ring', ms: setting.ringMs });
}

/** Sends the caller each new status. The caller hears the early audio of one callee only, the first. */
function passProgress(state: CallSession, { leg, status, early }: Of<'progressed'>): CallStep {
  if (state.transfer !== undefined) {
    return state.transfer.present
      ? to(state, { kind: 'referTold', leg: state.transfer.by, status })
      : ignore(state, 'whoever asked for the transfer has left');
  }
  if (state.phase === 'Placing') {
    if (status === state.sentStatus || status === 100)
      return ignore(state, 'the same status was reported before');
    return to({ ...state, sentStatus: status }, { kind: 'tell', progress: { kind: 'ringing', leg, status } });
  }
  const { party } = state;
  const hears = early && state.early === undefined;
  const joined: CallEffect[] = hears ? [{ kind: 'connect', a: party, b: leg }] : [];
  const now: CallSession = hears ? { ...state, early: leg } : state;
  if (state.phase !== 'Dialling')
    return hears ? to(now, ...joined) : ignore(state, 'the caller has its answer');
  // A 183 without audio says no more than that the call is being worked on (RFC 3261 21.1.5).
  const says = hears || (state.early === undefined && status !== state.sentStatus && status !== 100);
  if (!says) return ignore(state, 'the caller has this status already');
  return to({ ...now, sentStatus: status }, ...joined, { kind: 'ring', leg: party, status, early: hears });
}

export function answered(state: CallSession, { leg }: Of<'answered'>): CallStep {
  // Two callees answered at once: the second one was not cancelled in time.
  if (!state.ringing.includes(leg)) return to(state, { kind: 'end', leg, reason: ELSEWHERE });
  const { party, peer, transfer, phase } = state;
  const losers = state.ringing.filter((other) => other !== leg);
  const talking: CallSession = {
    ...state,
    phase: 'Talking',
    ringing: [],
    waiting: [],
    early: undefined,
    transfer: undefined,
  };
  const settled: CallEffect[] = [
    { kind: 'stopTimer', timer: 'ring' },
    ...losers.map((other): CallEffect => ({ kind: 'end', leg: other, reason: ELSEWHERE })),
  ];
  if (phase === 'Placing')
    return to({ ...talking, phase: 'Attended', party: leg }, ...settled, {
      kind: 'tell',
      progress: { kind: 'attended' },
    });
  if (transfer !== undefined) {
    const stays = transfer.by === party ? (peer ?? party) : party;
    const abandonment: CallEffect[] = transfer.present
      ? [
          { kind: 'referTold', leg: transfer.by, status: 200 },
          { kind: 'end', leg: transfer.by, reason: TRANSFERRED },
        ]
      : [];
    return to(
      { ...talking, party: stays, peer: leg },
      ...settled,
      { kind: 'stopTimer', timer: 'refer' },
      { kind: 'direct', leg: stays, direction: 'sendrecv' },
      { kind: 'connect', a: stays, b: leg },
      ...abandonment,
      { kind: 'tell', progress: { kind: 'joined', leg } },
    );
  }
  const effects: CallEffect[] = phase === 'Dialling' ? [{ kind: 'accept', leg: party }] : [];
  return to(
    { ...talking, peer: leg },
    ...settled,
    { kind: 'connect', a: party, b: leg },
    ...effects,
    { kind: 'startTimer', timer: 'duration', ms: state.setting.durationMs },
    { kind: 'tell', progress: { kind: 'joined', leg } },
  );
}

export function failed(
  state: CallSession,
  { leg, status, text, another, elsewhere = [] }: Of<'failed'>,
): CallStep {
  if (!state.ringing.includes(leg)) return ignore(state, 'a leg that no longer rings');
  const ringing = state.ringing.filter((other) => other !== leg);
  const [first, ...later] = elsewhere.filter((group) => group.length > 0);
  if (first !== undefined) {
    // 16.7 step 4: who was followed is no failure. The others of its group ring on.
    const early = state.early === leg ? undefined : state.early;
    const waiting = [...later, ...state.waiting];
    return ring({ ...state, early, waiting, owed: state.owed + later.length }, first, ringing);
  }
  const failure = betterFailure(state.failure, { status, text });
  const now: CallSession = {
    ...state,
    ringing,
    failure,
    another: state.another || another,
    early: state.early === leg ? undefined : state.early,
  };
  // 16.7 step 5: a 6xx speaks for everybody.
  if (status >= 600) return gaveUp(now, { status, text });
  return ringing.length > 0 ? to(now) : nextGroup(now);
}

/** Timer C (16.8): whoever rings has rung long enough. */
export function rangLong(state: CallSession): CallStep {
  const { ringing, setting } = state;
  if (ringing.length === 0) return ignore(state, 'nobody rings');
  if (!state.rang && state.waiting.length > 0) {
    const failure = betterFailure(state.failure, noAnswerIn(Math.min(setting.ringMs, SPEECHLESS_MS)));
    const quiet = ringing.map((leg): CallEffect => ({ kind: 'overdue', leg }));
    return andThen(
      to({ ...state, ringing: [], early: undefined, failure, another: true }, ...quiet),
      nextGroup,
    );
  }
  return gaveUp(state, betterFailure(state.failure, noAnswerIn(setting.ringMs)));
}

const noAnswerIn = (ms: number): Unreached => ({ status: 408, text: `no answer in ${ms / 1_000} s` });

function nextGroup(state: CallSession): CallStep {
  const [next, ...waiting] = state.waiting;
  const { owed, another, failure = NO_DESTINATION } = state;
  if (next === undefined || (owed === 0 && !another)) return gaveUp(state, failure);
  // The failure of a whole host of a trunk is of no interest; among the callees that one peer named, the best counts.
  if (owed > 0) return ring({ ...state, waiting, owed: owed - 1 }, next);
  return ring({ ...state, waiting, another: false, failure: undefined }, next);
}

/** No callee could be reached: the consequence depends on the phase of the caller. */
function gaveUp(state: CallSession, { status, text }: Unreached): CallStep {
  const { party, ringing, transfer } = state;
  const now: CallSession = { ...state, ringing: [], waiting: [], early: undefined, transfer: undefined };
  const quiet: CallEffect[] = [
    { kind: 'stopTimer', timer: 'ring' },
    ...ringing.map((leg): CallEffect => ({ kind: 'end', leg })),
  ];
  const reason = failedWith(status, text);
  if (transfer?.present === true) {
    // The two go on talking.
    return to(
      now,
      ...quiet,
      { kind: 'stopTimer', timer: 'refer' },
      { kind: 'referTold', leg: transfer.by, status },
    );
  }
  if (state.phase === 'Placing')
    return to({ ...now, phase: 'Ended' }, ...quiet, { kind: 'tell', progress: { kind: 'over', reason } });
  if (state.phase === 'Dialling') {
    const shown = statusForCaller(status);
    if (state.setting.keepsCaller)
      return to({ ...now, phase: 'Arrived' }, ...quiet, left(failedWith(shown, text)));
    return to(
      { ...now, phase: 'Ended' },
      ...quiet,
      { kind: 'refuse', leg: party, status: shown },
      { kind: 'tell', progress: { kind: 'over', reason } },
    );
  }
  if (!state.setting.keepsCaller) return andThen(to(now, ...quiet), (each) => finish(each, reason));
  return to({ ...now, phase: 'Attended', peer: undefined }, ...quiet, left(reason));
}

const left = (reason: EndReason): CallEffect => ({
  kind: 'tell',
  progress: { kind: 'left', reason, hasHungUp: false },
});
