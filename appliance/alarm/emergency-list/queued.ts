import { type CallEntry, QUEUE_MS } from './call-plan.ts';
import { type Attempt, QUEUE_STEP } from './emergency-list.ts';
import { type Draft, dismiss, drop, hangUp, note } from './list-draft.ts';

/*
 * The alarm queue of the control plane: people who are signed in take what no person of the list has accepted. The person who
 * takes is called as an entry of the list is, and accepts as one.
 */

/** No person is called any more: the alarm waits for a person of the queue. */
export function queueUp(draft: Draft, reason: string, at: number): void {
  dismiss(draft, 'over', reason);
  draft.list = { ...draft.list, phase: 'queued', isQueued: true, endsAt: at + QUEUE_MS };
  note(draft, 'queued', undefined, reason);
  draft.effects.push({ type: 'queued', reason });
}

/** Calls the person who has taken the alarm. The call of the person before ends: one person has the alarm. */
export function callTaker(draft: Draft, entry: CallEntry, at: number): void {
  if (draft.list.isQueued !== true) return;
  endTakers(draft, 'another person has taken the alarm');
  const id = draft.list.made + 1;
  const attempt: Attempt = {
    ...{ id, step: QUEUE_STEP, entry: 0, phase: 'ringing', dueAt: at + entry.ringMs, windows: 0 },
    ...{ isByAnswer: false, keys: '', wrongPins: 0 },
  };
  const attempts = [...draft.list.attempts, attempt];
  draft.list = {
    ...draft.list,
    phase: 'queued',
    fromQueue: entry,
    made: id,
    attempts,
    endsAt: at + QUEUE_MS,
  };
  draft.effects.push({ type: 'dial', attempt: id, entry });
  note(draft, 'ringing', attempt);
}

/** The person gives the alarm back: it waits again. */
export function giveBack(draft: Draft, reason: string, at: number): void {
  if (draft.list.isQueued !== true) return;
  endTakers(draft, reason);
  queueUp(draft, reason, at);
}

function endTakers(draft: Draft, reason: string): void {
  for (const attempt of draft.list.attempts) {
    if (attempt.phase === 'accepted') {
      draft.effects.push({ type: 'part', attempt: attempt.id });
      note(draft, 'left', attempt, reason);
      draft.effects.push({ type: 'hangUp', attempt: attempt.id, reason });
      drop(draft, attempt.id);
    } else hangUp(draft, attempt, reason);
  }
}
