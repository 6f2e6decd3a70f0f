import { ACCEPT_MS } from './call-plan.ts';
import type { AnswerEvidence, Attempt } from './emergency-list.ts';
import {
  type Draft,
  dismiss,
  drop,
  hangUp,
  note,
  partOf,
  replace,
  say,
  takesByAnswer,
  wantsKey,
} from './list-draft.ts';
import { again, callStep } from './rounds.ts';

/* From the answer of a callee to the person who has the alarm. */

/** A callee has answered: a neutral sentence and how to accept, or the accept itself. */
export function ask(draft: Draft, id: number, at: number): void {
  const attempt = partOf(draft, id);
  if (attempt?.phase !== 'ringing') return;
  const asking: Attempt = { ...attempt, phase: 'asking', dueAt: at + ACCEPT_MS };
  replace(draft, asking);
  note(draft, 'answered', asking);
  if (takesByAnswer(draft.list, asking)) {
    accept(draft, { ...asking, isByAnswer: true });
    return;
  }
  say(draft, asking, 'announce');
}

/** The device is in its call now: a callee who has answered for it takes the alarm. */
export function hearsDevice(draft: Draft): void {
  if (draft.list.attempts.some(({ phase }) => phase === 'accepting')) return;
  const waits = draft.list.attempts.find(
    (attempt) => attempt.phase === 'asking' && attempt.windows === 0 && takesByAnswer(draft.list, attempt),
  );
  if (waits !== undefined) accept(draft, { ...waits, isByAnswer: true });
}

/** The first accept that is settled wins. */
export function accept(draft: Draft, attempt: Attempt): void {
  replace(draft, { ...attempt, phase: 'accepting' });
  draft.effects.push({ type: 'commit', attempt: attempt.id });
}

export function refuse(draft: Draft, attempt: Attempt): void {
  note(draft, 'refused', attempt);
  hangUp(draft, attempt, 'the callee has refused');
}

/**
 * `Chosen:` an accept counts although the disk has refused it. One host runs the list, so that two persons cannot win; a
 * disk that fails must not keep a person who is there from one who needs help.
 */
export function accepted(draft: Draft, id: number, at: number): void {
  const attempt = partOf(draft, id);
  if (attempt?.phase !== 'accepting') return;
  const taker: Attempt = { ...attempt, phase: 'accepted', dueAt: at, windows: 0 };
  replace(draft, taker);
  draft.list = { ...draft.list, phase: 'talking' };
  note(draft, 'accepted', taker);
  dismiss(draft, 'taken', 'another person has accepted', id);
  // An answer alone may be a machine's, which must keep nothing about a person.
  if (!taker.isByAnswer) say(draft, taker, 'facts');
  draft.effects.push({ type: 'join', attempt: id });
}

/**
 * Evidence about the party that has answered. Unsure is human. A machine is never hung up for that: it hears how to accept,
 * and the next entry rings beside it. A line that has ended is no person any more.
 */
export function evidence(draft: Draft, id: number, said: AnswerEvidence, at: number): void {
  const attempt = partOf(draft, id);
  if (attempt === undefined || attempt.phase === 'ringing') return;
  if (said === 'human') {
    replace(draft, { ...attempt, isByAnswer: false });
    return;
  }
  if (said === 'ended') {
    ended(draft, attempt, at);
    return;
  }
  const tookByAnswer = attempt.isByAnswer;
  const isAsked = attempt.phase === 'asking' && attempt.windows === 0;
  if (!isAsked && !tookByAnswer) return;
  note(draft, 'machine', attempt);
  wantsKey(draft, attempt);
  const had = attempt.phase === 'accepted';
  const asked: Attempt = {
    ...attempt,
    phase: 'asking',
    isByAnswer: false,
    windows: 1,
    dueAt: at + ACCEPT_MS,
  };
  replace(draft, asked);
  if (had) {
    draft.effects.push({ type: 'part', attempt: id });
    draft.list = { ...draft.list, phase: draft.list.isQueued === true ? 'queued' : 'calling' };
  }
  say(draft, asked, 'how');
  // The others of this step have heard that the alarm is taken: they ring once more.
  if (had && draft.list.isQueued !== true) callStep(draft, at);
}

function ended(draft: Draft, attempt: Attempt, at: number): void {
  note(draft, attempt.phase === 'accepted' ? 'lost' : 'notAccepted', attempt, 'its line has ended');
  draft.effects.push({ type: 'hangUp', attempt: attempt.id, reason: 'the line has ended' });
  drop(draft, attempt.id);
  wantsKey(draft, attempt);
  if (attempt.phase !== 'accepted') return;
  draft.effects.push({ type: 'part', attempt: attempt.id });
  again(draft, at, 0);
}
