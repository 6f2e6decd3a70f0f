import { describe, expect, it } from 'vitest';
import {
  initialToneExchange,
  MOST_UNSTORED,
  stepToneExchange,
  type ToneExchangeInput,
  type ToneExchangeState,
} from '#appliance/alarm/protocol/tone/index.ts';

/** One input of every kind. */
const INPUTS = {
  'answered, asked': { type: 'answered', isAsked: true },
  'answered, no tones': { type: 'answered', isAsked: false },
  event: { type: 'event', isNext: false },
  'next unit': { type: 'event', isNext: true },
  'nothing read, fallback': { type: 'nothingRead', reason: 'noAnswer', hasFallback: true },
  'nothing read': { type: 'nothingRead', reason: 'noValidString', hasFallback: false },
  acknowledged: { type: 'acknowledged', isScheme: false, isLink: false },
  'acknowledged, link': { type: 'acknowledged', isScheme: false, isLink: true },
  'acknowledged, scheme': { type: 'acknowledged', isScheme: true, isLink: false },
  'scheme heard': { type: 'schemeHeard' },
  selected: { type: 'selected' },
  'store failed': { type: 'storeFailed' },
  timer: { type: 'timer' },
  'session ended': { type: 'sessionEnded', isClearing: false },
  'session ended, clearing': { type: 'sessionEnded', isClearing: true },
  'hung up': { type: 'hungUp' },
  'all read': { type: 'allRead' },
} as const satisfies Record<string, ToneExchangeInput>;

type InputName = keyof typeof INPUTS;

/** How each situation is reached. */
const PATHS: Readonly<Record<string, readonly InputName[]>> = {
  waiting: [],
  asking: ['answered, asked'],
  'asking again': ['answered, asked', 'nothing read, fallback'],
  alarm: ['answered, asked', 'event'],
  'alarm, listens': ['answered, asked', 'event', 'acknowledged'],
  'alarm, scheme': ['answered, asked', 'event', 'acknowledged, scheme'],
  'call is the alarm': ['answered, no tones'],
  unstored: ['answered, no tones', 'store failed'],
  'unstored, twice': ['answered, no tones', 'store failed', 'timer', 'store failed', 'timer'],
  'over while asked': ['answered, asked', 'hung up'],
  'over, alarm': ['answered, asked', 'event', 'hung up'],
};

const reach = (names: readonly InputName[]): ToneExchangeState =>
  names.reduce((state, name) => stepToneExchange(state, INPUTS[name]).state, initialToneExchange);

function cell(before: ToneExchangeState, input: ToneExchangeInput): string {
  const { state, effects } = stepToneExchange(before, input);
  const done = effects.map((effect) => {
    if (effect.type === 'tellCall')
      return `tellCall${effect.isOnTheLine ? '' : ' off the line'} [${effect.warnings.join()}]`;
    if (effect.type === 'attach') return effect.isReady ? 'attach ready' : 'attach';
    return effect.type;
  });
  return `${state.state}${state.isOver ? ' over' : ''}: ${done.join(', ') || 'nothing'}`;
}

/** Answers that are alike in every state; the rows below name the others. */
const LINE: Readonly<Partial<Record<InputName, string>>> = {
  acknowledged: 'opened, sayWaiting',
  'acknowledged, link': 'openTalk, sayWaiting',
  'acknowledged, scheme': 'openTalk',
  'scheme heard': 'openTalk',
  selected: 'opened, sayWaiting',
};
const CALL = 'alarm: tellCall [noValidString], attach ready';
const FALLS_BACK = 'asking: askFallback';
const ASKED: Readonly<Partial<Record<InputName, string>>> = {
  event: 'alarm: tell, attach',
  'next unit': 'alarm: nextSession, tell, attach',
  'nothing read, fallback': FALLS_BACK,
  'nothing read': CALL,
  'hung up': 'asking over: readRest',
};
const ALARM: Readonly<Partial<Record<InputName, string>>> = {
  event: 'alarm: tell',
  'next unit': 'alarm: nextSession, tell, attach',
  'nothing read, fallback': 'alarm: askFallback',
  'store failed': 'asking: nothing',
  'session ended': 'alarm: hangUp',
  'hung up': 'alarm over: readRest',
};

/** State that stays when nothing else is said, and what is done. */
const TABLE: Readonly<
  Record<string, Readonly<Partial<Record<InputName, string>>> & { readonly at: string }>
> = {
  waiting: {
    ...ASKED,
    at: 'waiting',
    'answered, asked': 'asking: ask',
    'answered, no tones': 'alarm: tellCall [], attach ready',
    'nothing read, fallback': 'waiting: askFallback',
    'hung up': 'waiting over: readRest',
  },
  asking: { ...ASKED, at: 'asking' },
  'asking again': {
    ...ASKED,
    at: 'asking',
    'nothing read, fallback': 'alarm: tellCall [noAnswer], attach ready',
  },
  alarm: { ...ALARM, at: 'alarm' },
  'alarm, listens': { ...ALARM, at: 'alarm' },
  'alarm, scheme': {
    ...ALARM,
    at: 'alarm',
    acknowledged: 'alarm: nothing',
    'acknowledged, link': 'alarm: nothing',
    'acknowledged, scheme': 'alarm: nothing',
    'scheme heard': 'alarm: nothing',
  },
  'call is the alarm': { ...ALARM, at: 'alarm', 'store failed': 'unstored: startTimer' },
  unstored: {
    at: 'unstored',
    event: 'alarm: tell, attach ready',
    'next unit': 'alarm: nextSession, tell, attach',
    'nothing read, fallback': 'unstored: askFallback',
    'nothing read': CALL,
    'store failed': 'unstored: startTimer',
    timer: 'alarm: tellCall [], attach ready',
    'hung up': 'unstored over: readRest',
  },
  'unstored, twice': { ...ALARM, at: 'alarm', 'store failed': 'unstored: hangUp' },
  'over while asked': {
    at: 'asking over',
    event: 'alarm over: tell',
    'next unit': 'alarm over: nextSession, tell',
    'nothing read, fallback': 'alarm over: tellCall off the line [noAnswer]',
    'nothing read': 'alarm over: tellCall off the line [noValidString]',
    'all read': 'alarm over: tellCall off the line [hungUp]',
  },
  'over, alarm': {
    at: 'alarm over',
    event: 'alarm over: tell',
    'next unit': 'alarm over: nextSession, tell',
    'store failed': 'asking over: nothing',
  },
};

describe('a call of a device to a receiver', () => {
  it.each(Object.keys(PATHS))('%s: each input has its answer', (situation) => {
    const row = TABLE[situation];
    const before = reach(PATHS[situation] ?? []);
    const names = Object.keys(INPUTS) as InputName[];
    const walked = Object.fromEntries(names.map((name) => [name, cell(before, INPUTS[name])]));
    const expected = names.map((name) => [name, row?.[name] ?? `${row?.at}: ${LINE[name] ?? 'nothing'}`]);
    expect(walked).toEqual(Object.fromEntries(expected));
  });

  it('leaves an alarm on every walk of three inputs that ends with the device lost', () => {
    const names = Object.keys(INPUTS) as InputName[];
    for (const one of names)
      for (const two of names)
        for (const three of names) {
          let state = initialToneExchange;
          for (const name of [one, two, three, 'hung up', 'all read'] as const)
            state = stepToneExchange(state, INPUTS[name]).state;
          expect(state.state, `${one}, ${two}, ${three}`).toBe('alarm');
        }
  });

  it('asks by another protocol once', () => {
    const again = reach(['answered, asked', 'nothing read, fallback', 'store failed']);
    expect(cell(again, INPUTS['nothing read, fallback'])).toBe('alarm: tellCall [noAnswer], attach ready');
  });

  it('hangs up after the third event that could not be stored, with the reason', () => {
    let state = reach(['answered, no tones']);
    const ends: string[] = [];
    for (let failure = 1; failure <= MOST_UNSTORED; failure++) {
      const failed = stepToneExchange(state, INPUTS['store failed']);
      ends.push(...failed.effects.flatMap((one) => (one.type === 'hangUp' ? [one.reason] : [])));
      state = stepToneExchange(failed.state, INPUTS.timer).state;
    }
    expect(ends).toEqual(['the alarm could not be stored']);
  });

  it('is no listener before its acknowledge, and in a scheme not before a unit listens', () => {
    const isReady = (...names: InputName[]) => reach(names).isReady;
    expect(isReady('answered, asked', 'event')).toBe(false);
    expect(isReady('answered, asked', 'event', 'acknowledged, link')).toBe(true);
    expect(isReady('answered, asked', 'event', 'acknowledged, scheme')).toBe(false);
    expect(isReady('answered, asked', 'event', 'acknowledged, scheme', 'selected')).toBe(true);
    expect(isReady('answered, asked', 'event', 'acknowledged, scheme', 'selected', 'next unit')).toBe(false);
  });
});
