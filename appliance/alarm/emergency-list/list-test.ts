import { ACCEPT_MS, ACCEPT_WINDOWS, type CallEntry, type CallPlan } from './call-plan.ts';
import type { AnswerEvidence, ProgressStep } from './emergency-list.ts';

/*
 * The test call of a list: each person is called once, one after the other, hears that it is a test, and confirms with the key 1.
 *
 *   ringing ── answers ──▶ asking ── 1 ──▶ confirmed ─┐
 *     │ ring time, busy      │ 9, hangs up, three windows of 20 s
 *     ▼                      ▼                        ▼
 *   not confirmed ──────────────────────────▶ next entry, or ended
 *
 * An alarm takes the telephones: `giveWay` ends the call, and its entry is called again 10 min later.
 */

/** `Chosen:` a test gives way to an alarm for so long, ms. */
export const YIELD_MS = 600_000;

/** Sentences of a test. None of them says a name. */
export type TestSentence = 'test' | 'testHow' | 'testThanks';

/** The test of one list. Plain JSON. */
export interface ListTest {
  /** Each destination once, in the order of the list. */
  readonly entries: readonly CallEntry[];
  /** Place of the entry whose turn it is, from 0. */
  readonly entry: number;
  readonly phase: 'ringing' | 'asking' | 'waiting' | 'ended';
  /** The call that runs; counted from 1 over the whole test. */
  readonly attempt: number;
  /** Windows to confirm that have ended. */
  readonly windows: number;
  /** End of the ringing, of the window or of the wait; monotonic ms. */
  readonly dueAt: number;
  readonly confirmed: readonly string[];
  /** Destinations that did not confirm. */
  readonly unconfirmed: readonly string[];
}

/** Everything that can happen to a test. `at`: monotonic ms. An input of a call that is over changes nothing. */
export type TestInput =
  | { readonly type: 'answered'; readonly at: number; readonly attempt: number }
  | { readonly type: 'key'; readonly at: number; readonly attempt: number; readonly key: string }
  | {
      readonly type: 'evidence';
      readonly at: number;
      readonly attempt: number;
      readonly evidence: AnswerEvidence;
    }
  | { readonly type: 'over'; readonly at: number; readonly attempt: number; readonly reason: string }
  /** An alarm calls its people. */
  | { readonly type: 'giveWay'; readonly at: number }
  | { readonly type: 'timer'; readonly at: number };

/** Effects of a test, in their order. */
export type TestEffect =
  | { readonly type: 'dial'; readonly attempt: number; readonly entry: CallEntry }
  | { readonly type: 'hangUp'; readonly attempt: number; readonly reason: string }
  /** `isLast`: the call is hung up behind it, and nothing comes back. */
  | {
      readonly type: 'say';
      readonly attempt: number;
      readonly sentence: TestSentence;
      readonly language: string | undefined;
      readonly isLast: boolean;
    }
  | {
      readonly type: 'progress';
      readonly step: ProgressStep;
      readonly attempt: number;
      readonly destination: string;
      readonly reason?: string;
    }
  /** One timer; starting it again replaces it. */
  | { readonly type: 'wake'; readonly ms: number }
  /** Last effect of a test. */
  | { readonly type: 'ended' };

export interface TestStep {
  readonly state: ListTest;
  readonly effects: readonly TestEffect[];
}

/** Calls the first person, at once. */
export function beginTest({ steps }: CallPlan, at: number): TestStep {
  const entries = [...new Map(steps.flat().map((entry) => [entry.destination, entry])).values()];
  const test: ListTest = {
    ...{ entries, entry: 0, phase: 'ringing', attempt: 0, windows: 0, dueAt: at },
    ...{ confirmed: [], unconfirmed: [] },
  };
  return call(test, at, []);
}

/** One input to completion. */
export function stepTest(test: ListTest, input: TestInput): TestStep {
  const entry = test.entries[test.entry];
  const isOfOther = 'attempt' in input && input.attempt !== test.attempt;
  if (entry === undefined || test.phase === 'ended' || isOfOther) return { state: test, effects: [] };
  if (test.phase === 'waiting') return waits(test, input);
  switch (input.type) {
    case 'answered':
      return test.phase === 'ringing' ? answered(test, entry, input.at) : { state: test, effects: [] };
    case 'key':
      return test.phase === 'asking' ? key(test, entry, input) : { state: test, effects: [] };
    case 'evidence':
      return input.evidence === 'ended'
        ? missed(test, 'notAccepted', input.at, 'its line has ended', true)
        : { state: test, effects: [] };
    case 'over':
      return missed(test, test.phase === 'ringing' ? 'notReached' : 'notAccepted', input.at, input.reason);
    case 'giveWay':
      return {
        state: { ...test, phase: 'waiting', dueAt: input.at + YIELD_MS },
        effects: [
          { type: 'hangUp', attempt: test.attempt, reason: 'an alarm needs the telephones' },
          { type: 'wake', ms: YIELD_MS },
        ],
      };
    case 'timer':
      return due(test, entry, input.at);
  }
}

function waits(test: ListTest, { type, at }: TestInput): TestStep {
  if (type === 'giveWay')
    return {
      state: { ...test, dueAt: at + YIELD_MS },
      effects: [{ type: 'wake', ms: YIELD_MS }],
    };
  return type === 'timer' && at >= test.dueAt ? call(test, at, []) : { state: test, effects: [] };
}

/** Calls the entry whose turn it is; behind the last one the test has ended. */
function call(test: ListTest, at: number, before: readonly TestEffect[]): TestStep {
  const entry = test.entries[test.entry];
  if (entry === undefined)
    return { state: { ...test, phase: 'ended' }, effects: [...before, { type: 'ended' }] };
  const attempt = test.attempt + 1;
  const state: ListTest = { ...test, phase: 'ringing', attempt, windows: 0, dueAt: at + entry.ringMs };
  return {
    state,
    effects: [
      ...before,
      { type: 'dial', attempt, entry },
      progress(state, 'ringing'),
      { type: 'wake', ms: entry.ringMs },
    ],
  };
}

/** An entry that accepts by its answer has confirmed by it. */
function answered(test: ListTest, entry: CallEntry, at: number): TestStep {
  const isAnswered = progress(test, 'answered');
  if (entry.accept === 'answer') return confirmed(test, entry, at, [isAnswered], 'test');
  return {
    state: { ...test, phase: 'asking', dueAt: at + ACCEPT_MS },
    effects: [isAnswered, say(test, entry, 'test'), { type: 'wake', ms: ACCEPT_MS }],
  };
}

function key(
  test: ListTest,
  entry: CallEntry,
  { key: pressed, at }: TestInput & { readonly type: 'key' },
): TestStep {
  if (pressed === '1') return confirmed(test, entry, at, [], 'testThanks');
  if (pressed === '9') return missed(test, 'refused', at, undefined, true);
  return { state: test, effects: [say(test, entry, 'testHow')] };
}

function due(test: ListTest, entry: CallEntry, at: number): TestStep {
  if (at < test.dueAt) return { state: test, effects: [] };
  if (test.phase === 'ringing') return missed(test, 'notReached', at, 'it did not answer', true);
  const windows = test.windows + 1;
  if (windows >= ACCEPT_WINDOWS) return missed(test, 'notAccepted', at, 'no key was pressed', true);
  return {
    state: { ...test, windows, dueAt: at + ACCEPT_MS },
    effects: [say(test, entry, 'testHow'), { type: 'wake', ms: ACCEPT_MS }],
  };
}

function confirmed(
  test: ListTest,
  entry: CallEntry,
  at: number,
  before: readonly TestEffect[],
  sentence: TestSentence,
): TestStep {
  const next = { ...test, entry: test.entry + 1, confirmed: [...test.confirmed, entry.destination] };
  return call(next, at, [...before, progress(test, 'accepted'), say(test, entry, sentence, true)]);
}

/** This entry has not confirmed, and the next one is called. */
function missed(
  test: ListTest,
  step: ProgressStep,
  at: number,
  reason: string | undefined,
  hangsUp = false,
): TestStep {
  const { entries, entry, attempt, unconfirmed } = test;
  const { destination = '' } = entries[entry] ?? {};
  const next = { ...test, entry: entry + 1, unconfirmed: [...unconfirmed, destination] };
  const effects: readonly TestEffect[] = [
    progress(test, step, reason),
    ...(hangsUp ? [{ type: 'hangUp', attempt, reason: reason ?? 'the callee has refused' } as const] : []),
  ];
  return call(next, at, effects);
}

const say = (
  { attempt }: ListTest,
  { language }: CallEntry,
  sentence: TestSentence,
  isLast = false,
): TestEffect => ({ type: 'say', attempt, sentence, language, isLast });

function progress({ entries, entry, attempt }: ListTest, step: ProgressStep, reason?: string): TestEffect {
  const { destination = '' } = entries[entry] ?? {};
  return { type: 'progress', step, attempt, destination, ...(reason !== undefined && { reason }) };
}
