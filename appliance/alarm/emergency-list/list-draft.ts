import type { CallEntry } from './call-plan.ts';
import {
  type Attempt,
  type EmergencyList,
  type ListEffect,
  type ListResult,
  type ProgressStep,
  QUEUE_STEP,
  type Sentence,
} from './emergency-list.ts';

/** One step under way: the list as it is now, and its effects so far. It lives for one input. */
export interface Draft {
  list: EmergencyList;
  readonly effects: ListEffect[];
}

export const started = (list: EmergencyList): Draft => ({ list, effects: [] });

export const partOf = ({ list }: Draft, id: number): Attempt | undefined =>
  list.attempts.find((attempt) => attempt.id === id);

export const entryOf = (
  { plan, fromQueue }: EmergencyList,
  { step, entry }: Pick<Attempt, 'step' | 'entry'>,
): CallEntry | undefined => (step === QUEUE_STEP ? fromQueue : plan.steps[step]?.[entry]);

/** Place of an entry in its plan: two entries may have one destination. */
export const placeOf = ({ step, entry }: Pick<Attempt, 'step' | 'entry'>): string => `${step}.${entry}`;

/**
 * Whether the answer of this callee takes the alarm; a callee who would hear no device is asked for the key. A person of the
 * alarm queue has asked for the call, and the device is called for that person.
 */
export const takesByAnswer = (list: EmergencyList, attempt: Attempt): boolean =>
  (list.isDeviceHere === true || attempt.step === QUEUE_STEP) &&
  entryOf(list, attempt)?.accept === 'answer' &&
  list.keyOnly?.includes(placeOf(attempt)) !== true;

/**
 * The answer alone of this callee has not led to help. `Chosen:` its entry accepts by the key from then on: a line that answers
 * and breaks off each time would keep the list from everybody behind it, for ever.
 */
export function wantsKey(draft: Draft, attempt: Attempt): void {
  // A person of the alarm queue has asked for each call.
  if (!attempt.isByAnswer || attempt.step === QUEUE_STEP) return;
  const keyOnly = new Set(draft.list.keyOnly).add(placeOf(attempt));
  draft.list = { ...draft.list, keyOnly: [...keyOnly] };
}

export function replace(draft: Draft, attempt: Attempt): void {
  const attempts = draft.list.attempts.map((each) => (each.id === attempt.id ? attempt : each));
  draft.list = { ...draft.list, attempts };
}

export function drop(draft: Draft, id: number): void {
  draft.list = { ...draft.list, attempts: draft.list.attempts.filter((attempt) => attempt.id !== id) };
}

export function hangUp(draft: Draft, { id }: Attempt, reason: string): void {
  draft.effects.push({ type: 'hangUp', attempt: id, reason });
  drop(draft, id);
}

export function say(draft: Draft, attempt: Attempt, sentence: Sentence, isLast = false): void {
  const language = entryOf(draft.list, attempt)?.language;
  draft.effects.push({ type: 'say', attempt: attempt.id, sentence, language, isLast });
  if (isLast) drop(draft, attempt.id);
}

export function note(draft: Draft, step: ProgressStep, attempt?: Attempt, reason?: string): void {
  const { list, effects } = draft;
  const destination = attempt === undefined ? undefined : entryOf(list, attempt)?.destination;
  effects.push({
    type: 'progress',
    step,
    round: list.round + 1,
    ...(attempt !== undefined && { attempt: attempt.id }),
    ...(destination !== undefined && { destination }),
    ...(reason !== undefined && { reason }),
  });
}

/** Ends every call: a callee who has answered hears why, one who rings is given up. */
export function dismiss(draft: Draft, sentence: Sentence, reason: string, but?: number): void {
  for (const attempt of draft.list.attempts) {
    if (attempt.id === but) continue;
    if (sentence === 'taken' && attempt.phase !== 'ringing') note(draft, 'taken', attempt);
    if (attempt.phase === 'ringing') hangUp(draft, attempt, reason);
    else say(draft, attempt, sentence, true);
  }
}

export function finish(draft: Draft, result: ListResult, reason: string): void {
  dismiss(draft, 'over', reason);
  draft.list = { ...draft.list, phase: 'ended', result };
  draft.effects.push({ type: 'sleep' }, { type: 'ended', result });
}
