import { ACCEPT_MS, ACCEPT_WINDOWS } from './call-plan.ts';
import type { Attempt } from './emergency-list.ts';
import { type Draft, entryOf, finish, hangUp, note, partOf, placeOf, replace, say } from './list-draft.ts';
import { queueUp } from './queued.ts';

/* Whom the list calls next, and when. */

/**
 * Begins a round with its first step. A person who was lost leaves a whole list to call; `endsAt` keeps the end of one that
 * goes on after a restart.
 */
export function again(draft: Draft, at: number, round: number, endsAt?: number): void {
  if (draft.list.isQueued === true) {
    queueUp(draft, 'the person who had taken the alarm has left', at);
    return;
  }
  const { plan } = draft.list;
  draft.list = { ...draft.list, phase: 'calling', round, step: 0, endsAt: endsAt ?? at + plan.longestMs };
  note(draft, 'roundStarted');
  callStep(draft, at);
}

/** Everything that is due: windows end, the next step begins, a round follows, or no person was reached. */
export function onwards(draft: Draft, at: number): void {
  if (draft.list.phase === 'ended') return;
  expire(draft, at);
  for (;;) {
    const { phase, dueAt, endsAt, round, step, plan, attempts } = draft.list;
    if (phase === 'talking' || phase === 'ended') break;
    if (phase === 'handingBack') {
      if (at < dueAt) break;
      again(draft, at, 0);
      continue;
    }
    if (attempts.some(holdsBack)) break;
    if (at >= endsAt) {
      unanswered(draft, 'its longest time is over', at);
      break;
    }
    if (phase === 'queued') break;
    if (phase === 'pausing') {
      if (at < dueAt) break;
      again(draft, at, round + 1, endsAt);
      continue;
    }
    if (step + 1 < plan.steps.length) {
      draft.list = { ...draft.list, step: step + 1 };
      callStep(draft, at);
      continue;
    }
    if (round + 1 < plan.rounds) {
      draft.list = { ...draft.list, phase: 'pausing', dueAt: at + plan.pauseMs };
      note(draft, 'paused');
      continue;
    }
    // People who have answered may still accept, until their last window ends.
    if (attempts.length > 0) break;
    const rounds = plan.rounds === 1 ? 'one round' : `${plan.rounds} rounds`;
    unanswered(draft, `no person has accepted in ${rounds}`, at);
    break;
  }
  wake(draft, at);
}

/** The next step waits for it: it rings, its first window runs, or its accept is being written. */
const holdsBack = ({ phase, windows }: Attempt): boolean => phase === 'accepting' || windows === 0;

/** Calls the entries of the step that begins, or begins again. */
export function callStep(draft: Draft, at: number): void {
  const { step, plan } = draft.list;
  plan.steps[step]?.forEach((called, entry) => {
    // A callee who is still on the line of an earlier round is not called a second time.
    if (draft.list.attempts.some((each) => each.step === step && each.entry === entry)) return;
    const id = draft.list.made + 1;
    const attempt: Attempt = {
      id,
      step,
      entry,
      phase: 'ringing',
      dueAt: at + called.ringMs,
      windows: 0,
      isByAnswer: false,
      keys: '',
      wrongPins: draft.list.wrongPins?.[placeOf({ step, entry })] ?? 0,
    };
    draft.list = { ...draft.list, made: id, attempts: [...draft.list.attempts, attempt] };
    draft.effects.push({ type: 'dial', attempt: id, entry: called });
    note(draft, 'ringing', attempt);
  });
}

/**
 * No call is free for this entry: the step waits for it. `Chosen:` as long as the list may last, since the calls of others ring for
 * seconds, and an entry that gave up would wait at the end of the line again.
 */
export function waitForCall(draft: Draft, id: number): void {
  const attempt = partOf(draft, id);
  if (attempt?.phase !== 'ringing') return;
  replace(draft, { ...attempt, isWaiting: true, dueAt: draft.list.endsAt });
}

/** The call that has waited begins, with its whole ring time. */
export function beginCall(draft: Draft, id: number, at: number): void {
  const attempt = partOf(draft, id);
  if (attempt?.isWaiting !== true) return;
  const { isWaiting: _, ...rest } = attempt;
  const begun = { ...rest, dueAt: at + (entryOf(draft.list, attempt)?.ringMs ?? 0) };
  replace(draft, begun);
  note(draft, 'ringing', begun);
}

function expire(draft: Draft, at: number): void {
  const isOver = at >= draft.list.endsAt && draft.list.phase !== 'talking';
  for (const attempt of draft.list.attempts) {
    if (attempt.phase === 'ringing') {
      if (at < attempt.dueAt && !isOver) continue;
      const reason = attempt.isWaiting === true ? 'no call was free for it' : 'it did not answer';
      note(draft, 'notReached', attempt, reason);
      hangUp(draft, attempt, 'the ring time is over');
    } else if (attempt.phase === 'asking' && at >= attempt.dueAt) endWindow(draft, attempt, at);
  }
}

/** The window to accept is over: the callee hears once more how, and the next step begins behind it. */
function endWindow(draft: Draft, attempt: Attempt, at: number): void {
  const windows = attempt.windows + 1;
  if (windows >= ACCEPT_WINDOWS) {
    note(draft, 'notAccepted', attempt, 'no key was pressed');
    hangUp(draft, attempt, 'nobody has accepted on this line');
    return;
  }
  const asked: Attempt = { ...attempt, windows, dueAt: at + ACCEPT_MS };
  replace(draft, asked);
  say(draft, asked, 'how');
}

/** The alarm queue takes it, where there is one; an alarm that has waited there in vain is over for this host. */
function unanswered(draft: Draft, reason: string, at: number): void {
  const { alarmQueue, isQueued } = draft.list;
  if (alarmQueue === true && isQueued !== true) {
    queueUp(draft, reason, at);
    return;
  }
  const isAway = alarmQueue === false && isQueued !== true;
  note(draft, 'unanswered', undefined, isAway ? `${reason}; ${QUEUE_AWAY}` : reason);
  finish(draft, 'unanswered', reason);
}

const QUEUE_AWAY =
  'the alarm queue of the control plane cannot be reached, or very many alarms are open at this host';

/** One timer for whatever is due first. */
function wake(draft: Draft, at: number): void {
  const { phase, dueAt, endsAt, attempts } = draft.list;
  if (phase === 'ended') return;
  const dues = attempts.flatMap((attempt) =>
    attempt.phase === 'ringing' || attempt.phase === 'asking' ? [attempt.dueAt] : [],
  );
  if (phase === 'pausing' || phase === 'handingBack') dues.push(dueAt);
  if (phase === 'calling' || phase === 'pausing' || phase === 'queued') dues.push(endsAt);
  // An accept that is being written outlives the longest time: `committed` wakes the list then.
  const later = dues.filter((due) => due > at);
  if (later.length === 0) draft.effects.push({ type: 'sleep' });
  else draft.effects.push({ type: 'wake', ms: Math.min(...later) - at });
}
