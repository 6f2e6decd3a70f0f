import { AFTER_RESTART_MS, type CallPlan, HAND_BACK_MS } from './call-plan.ts';
import type { EmergencyList, ListInput, ListStep } from './emergency-list.ts';
import { type Draft, drop, finish, note, partOf, replace, say, started, wantsKey } from './list-draft.ts';
import { command } from './person-keys.ts';
import { callTaker, giveBack, queueUp } from './queued.ts';
import { again, beginCall, onwards, waitForCall } from './rounds.ts';
import { accept, accepted, ask, evidence, hearsDevice, refuse } from './taking.ts';

/* The people who are called for one alarm. The README draws the states; every input has an answer in each of them. */

/** Begins with the first step, at once. */
export function begin(plan: CallPlan, hangUpClears: boolean, at: number, isDeviceHere: boolean): ListStep {
  const list: EmergencyList = {
    version: 1,
    plan,
    hangUpClears,
    phase: 'calling',
    round: 0,
    step: 0,
    attempts: [],
    isDeviceHere,
    made: 0,
    dueAt: at,
    endsAt: at + plan.longestMs,
    result: null,
  };
  return settled(started(list), at, (draft) => again(draft, at, 0));
}

/** An alarm without a list that no person has answered: it waits for a person of the alarm queue at once. */
export function beginQueued(reason: string, at: number, isDeviceHere: boolean): ListStep {
  const plan: CallPlan = { steps: [], rounds: 1, pauseMs: 0, longestMs: 0 };
  const empty: EmergencyList = {
    ...{ version: 1, plan, hangUpClears: false, phase: 'calling', round: 0, step: 0, attempts: [] },
    ...{ isDeviceHere, alarmQueue: true, made: 0, dueAt: at, endsAt: at, result: null },
  };
  return settled(started(empty), at, (draft) => queueUp(draft, reason, at));
}

/** One input to completion. Inputs that mean nothing change nothing. */
export function step(list: EmergencyList, input: ListInput): ListStep {
  if (list.phase === 'ended') return { state: list, effects: [] };
  return settled(started(list), input.at, (draft) => apply(draft, input));
}

/** A list as an earlier run wrote it. undefined: a version that is not understood. */
export const restore = (stored: EmergencyList): EmergencyList | undefined =>
  stored.version === 1 ? stored : undefined;

function settled(draft: Draft, at: number, work: (draft: Draft) => void): ListStep {
  work(draft);
  onwards(draft, at);
  return { state: draft.list, effects: draft.effects };
}

function apply(draft: Draft, input: ListInput): void {
  switch (input.type) {
    case 'answered':
      ask(draft, input.attempt, input.at);
      return;
    case 'failed':
      failed(draft, input);
      return;
    case 'waits':
      waitForCall(draft, input.attempt);
      return;
    case 'begins':
      beginCall(draft, input.attempt, input.at);
      return;
    case 'key':
      key(draft, input);
      return;
    case 'evidence':
      evidence(draft, input.attempt, input.evidence, input.at);
      return;
    case 'committed':
      accepted(draft, input.attempt, input.at);
      return;
    case 'legEnded':
      left(draft, input);
      return;
    case 'device':
      device(draft, input.isHere);
      return;
    case 'taken':
      callTaker(draft, input.entry, input.at);
      return;
    case 'givenBack':
      giveBack(draft, input.reason, input.at);
      return;
    case 'stop':
      note(draft, 'stopped', undefined, input.reason);
      finish(draft, 'stopped', input.reason);
      return;
    case 'timer':
      return;
    case 'recovered':
      recovered(draft, input);
      return;
  }
}

function failed(draft: Draft, input: Extract<ListInput, { type: 'failed' }>): void {
  const attempt = partOf(draft, input.attempt);
  if (attempt?.phase !== 'ringing') {
    left(draft, { ...input, type: 'legEnded', isLost: true });
    return;
  }
  note(draft, 'notReached', attempt, input.reason);
  drop(draft, attempt.id);
}

function key(draft: Draft, { attempt: id, key: pressed }: Extract<ListInput, { type: 'key' }>): void {
  const attempt = partOf(draft, id);
  if (attempt === undefined) return;
  if (attempt.phase === 'accepted') {
    // A person who uses the keys is no machine.
    replace(draft, { ...attempt, isByAnswer: false });
    command(draft, { ...attempt, isByAnswer: false }, pressed);
    return;
  }
  if (attempt.phase !== 'asking') return;
  if (pressed === '1') accept(draft, attempt);
  else if (pressed === '9') refuse(draft, attempt);
  else say(draft, attempt, 'wrongKey');
}

/**
 * A call of a callee is over. The hang-up of a person who has not accepted says nothing about the alarm. The one who has
 * clears it, or gives it back; a call that was lost gives it back at once.
 */
function left(
  draft: Draft,
  { attempt: id, isLost, reason, at }: Extract<ListInput, { type: 'legEnded' }>,
): void {
  const attempt = partOf(draft, id);
  if (attempt === undefined) return;
  drop(draft, id);
  if (attempt.phase !== 'accepted') {
    note(draft, attempt.phase === 'ringing' ? 'notReached' : 'notAccepted', attempt, reason);
    return;
  }
  draft.effects.push({ type: 'part', attempt: id });
  wantsKey(draft, attempt);
  if (isLost) {
    note(draft, 'lost', attempt, reason);
    again(draft, at, 0);
    return;
  }
  note(draft, 'left', attempt, reason);
  // `Chosen:` a person of the alarm queue clears by the keys or by the queue; a browser that dies hangs up, too.
  if (draft.list.isQueued === true) {
    again(draft, at, 0);
    return;
  }
  if (draft.list.hangUpClears) {
    note(draft, 'cleared', attempt, 'the person who had accepted has hung up');
    finish(draft, 'handled', 'the alarm is cleared');
    return;
  }
  draft.list = { ...draft.list, phase: 'handingBack', dueAt: at + HAND_BACK_MS };
}

function device(draft: Draft, isHere: boolean): void {
  const taker = draft.list.attempts.find(({ phase }) => phase === 'accepted');
  draft.list = { ...draft.list, isDeviceHere: isHere };
  note(draft, isHere ? 'deviceJoined' : 'deviceLeft', taker);
  if (taker === undefined) {
    if (isHere) hearsDevice(draft);
    return;
  }
  if (isHere) draft.effects.push({ type: 'join', attempt: taker.id });
  else say(draft, taker, 'deviceGone');
}

/** Every call has ended with the process. The round begins again, so that no person is left out. */
function recovered(draft: Draft, { at, ageMs }: Extract<ListInput, { type: 'recovered' }>): void {
  const { plan, phase, round } = draft.list;
  const leftMs = Math.min(plan.longestMs, Math.max(AFTER_RESTART_MS, plan.longestMs - ageMs));
  const hadPerson = phase === 'talking' || phase === 'handingBack';
  draft.list = { ...draft.list, attempts: [], isDeviceHere: false, endsAt: at + leftMs };
  again(draft, at, hadPerson ? 0 : round, hadPerson ? undefined : at + leftMs);
}
