import { describe, expect, it } from 'vitest';
import {
  type ExchangeInput,
  initial,
  restore,
  SCAIP_PROFILE,
  snapshot,
  step,
} from '#appliance/alarm/protocol/scaip/index.ts';
import { cell, INPUTS, inputNamed, reach, SITUATIONS, type Situation } from './exchange-walk.ts';

/** Inputs that act in each state; every other input changes nothing and leaves a trace. */
const TABLE: Readonly<Record<Situation, Readonly<Record<string, string>>>> = {
  new: {
    'first request': 'storing: first 0',
    'other content': 'storing: first 0',
    'part 1 of 2': 'collecting: storePart, start part',
    'part 2 of 2': 'storing: first 0',
    reset: 'storing: cleared 0',
    cancel: 'storing: cleared 0',
  },
  collecting: {
    'first request': 'storing: first 0',
    'other content': 'storing: first 0, further 1',
    'part 1 of 2': 'collecting: nothing',
    'part 2 of 2': 'storing: first 0',
    reset: 'storing: first 0, cleared 1',
    cancel: 'storing: first 0, cleared 1',
    'part stored': 'collecting: snu 0',
    'part store failed': 'closed: silence',
    'timer part': 'storing: first 0',
    recovered: 'collecting: start part',
  },
  storing: {
    'first request': 'storing: nothing',
    'other content': 'storing: further 1',
    'part 1 of 2': 'storing: further 1',
    'part 2 of 2': 'storing: further 1',
    reset: 'storing: cleared 1',
    cancel: 'storing: cleared 1',
    'stored 0': 'asking: start hold',
    'store failed 0': 'closed: silence',
    'session ended': 'closed: silence',
    recovered: 'asking: start resend',
  },
  asking: {
    'first request': 'asking: snu 4, start resend',
    'other content': 'asking: further 1',
    'part 1 of 2': 'asking: further 1',
    'part 2 of 2': 'asking: further 1',
    reset: 'asking: cleared 1',
    cancel: 'asking: cleared 1',
    'decision drop': 'closed: snu 0, answered',
    'decision call': 'answered: snu 0 voice, answered',
    'decision not handled': 'closed: snu 5, answered',
    'timer hold': 'asking: snu 4, start resend',
    'session ended': 'closed: silence',
    recovered: 'asking: start resend',
  },
  'asking, held': {
    'first request': 'asking: snu 4, start resend',
    'other content': 'asking: further 1',
    'part 1 of 2': 'asking: further 1',
    'part 2 of 2': 'asking: further 1',
    reset: 'asking: cleared 1',
    cancel: 'asking: cleared 1',
    'decision drop': 'asking: nothing',
    'decision call': 'asking: nothing',
    'decision not handled': 'asking: nothing',
    'timer resend': 'closed: deviceGone',
    'session ended': 'closed: nothing',
    recovered: 'asking: start resend',
  },
  'asking, held, decided': {
    'first request': 'answered: snu 0 voice, answered',
    'other content': 'asking: further 1',
    'part 1 of 2': 'asking: further 1',
    'part 2 of 2': 'asking: further 1',
    reset: 'asking: cleared 1',
    cancel: 'asking: cleared 1',
    'timer resend': 'closed: deviceGone',
    'session ended': 'closed: nothing',
    recovered: 'asking: start resend',
  },
  'asking, other content pending': {
    'first request': 'asking: snu 4, start resend',
    'other content': 'asking: nothing',
    'part 1 of 2': 'asking: further 2',
    'part 2 of 2': 'asking: further 2',
    reset: 'asking: cleared 2',
    cancel: 'asking: cleared 2',
    'stored 1': 'asking: nothing',
    'store failed 1': 'asking: silence',
    'decision drop': 'closed: snu 0, answered',
    'decision call': 'answered: snu 0 voice, answered',
    'decision not handled': 'closed: snu 5, answered',
    'timer hold': 'asking: snu 4, start resend',
    'session ended': 'closed: silence',
    recovered: 'asking: start resend',
  },
  answered: {
    'decision drop': 'answered: answered',
    'decision call': 'answered: answered',
    'decision not handled': 'answered: answered',
    'first request': 'answered: snu 0 voice',
    'other content': 'answered: further 1',
    'part 1 of 2': 'answered: further 1',
    'part 2 of 2': 'answered: further 1',
    reset: 'answered: cleared 1',
    cancel: 'answered: cleared 1',
    'session ended': 'closed: nothing',
    recovered: 'answered: nothing',
  },
  'answered, other content pending': {
    'decision drop': 'answered: answered',
    'decision call': 'answered: answered',
    'decision not handled': 'answered: answered',
    'first request': 'answered: snu 0 voice',
    'other content': 'answered: nothing',
    'part 1 of 2': 'answered: further 2',
    'part 2 of 2': 'answered: further 2',
    reset: 'answered: cleared 2',
    cancel: 'answered: cleared 2',
    'stored 1': 'answered: snu 0 voice',
    'store failed 1': 'answered: silence',
    'session ended': 'closed: silence',
    recovered: 'answered: nothing',
  },
  closed: {
    'decision drop': 'closed: answered',
    'decision call': 'closed: answered',
    'decision not handled': 'closed: answered',
    'first request': 'closed: snu 0',
    recovered: 'closed: nothing',
  },
  'closed, never answered': {
    'first request': 'closed: silence',
    recovered: 'closed: nothing',
  },
};

describe('SCAIP exchange, every input in every situation', () => {
  for (const situation of SITUATIONS) {
    it.each(Object.keys(INPUTS))(`${situation} + %s`, (name) => {
      const exchange = reach(situation);
      expect(cell(exchange, inputNamed(name))).toBe(TABLE[situation][name] ?? `${exchange.state}: -`);
    });
  }
});

describe('an event that is stored when its device waits no more', () => {
  /** The first request came at 0 by `way`; its repeat, if there is one, by `again`. */
  function walk(...inputs: readonly ExchangeInput[]) {
    let exchange = reach('storing');
    const done = inputs.map((input) => {
      const { state, effects } = step(exchange, input);
      exchange = state;
      return effects;
    });
    const said = done.map((effects) =>
      effects.flatMap((one) => (one.type === 'answer' ? [`snu ${one.response.snu} to ${one.to}`] : [])),
    );
    return { exchange, done, said };
  }
  const first = inputNamed('first request') as Extract<ExchangeInput, { type: 'request' }>;
  const again = (at: number): ExchangeInput => ({ ...first, at, to: 'again' });
  const stored = (at: number, ordinal = 0): ExchangeInput => ({ type: 'stored', at, ordinal });
  const decision = inputNamed('decision call');

  it('is answered up to the last millisecond', () => {
    expect(walk(stored(10_000), decision).said).toEqual([[], ['snu 0 to way']]);
  });

  it('is not answered but on its repeat; the decision waits for it, and speech follows', () => {
    const { exchange, done, said } = walk(stored(10_001), decision, again(15_000));
    expect(said).toEqual([[], [], ['snu 0 to again']]);
    expect(done[0]).toMatchObject([
      { type: 'silence', to: ['way'] },
      { type: 'startTimer', timer: 'resend' },
    ]);
    expect(exchange).toMatchObject({ state: 'answered', voice: 'deviceCalls' });
  });

  it('has its device hold when there is no decision by then', () => {
    expect(walk(stored(10_001), again(15_000), decision, again(25_000)).said).toEqual([
      [],
      ['snu 4 to again'],
      [],
      ['snu 0 to again'],
    ]);
  });

  it('is answered to the repeat that waits', () => {
    expect(walk(again(9_000), stored(12_000), decision).said).toEqual([[], [], ['snu 0 to again']]);
  });

  it('and withdraws the alarm closes it in silence; its repeat is answered', () => {
    const reset = inputNamed('reset') as typeof first;
    const { exchange, said } = walk(stored(0), reset, stored(10_001, 1), {
      ...reset,
      at: 12_000,
      to: 'again',
    });
    expect(exchange.state).toBe('closed');
    // The alarm itself still waits for its answer, which is that it is over.
    expect(said).toEqual([[], [], ['snu 0 to way'], ['snu 0 to again']]);
    expect(walk(inputNamed('reset'), stored(10_001), stored(10_001, 1)).said.flat()).toEqual([]);
  });

  it('and comes while the device holds leaves the hold as it is', () => {
    const { said, exchange } = walk(
      stored(0),
      inputNamed('timer hold'),
      inputNamed('other content'),
      decision,
      stored(10_001, 1),
      again(12_000),
    );
    expect(said).toEqual([[], ['snu 4 to way'], [], [], [], ['snu 0 to again']]);
    expect(exchange.state).toBe('answered');
  });
});

describe('a snapshot', () => {
  it.each(SITUATIONS)('holds plain JSON of %s, without the reply paths to the device', (situation) => {
    const exchange = reach(situation);
    const restored = restore(JSON.parse(JSON.stringify(snapshot(exchange))));
    const parts = exchange.parts.map(({ request }) => ({ request, ways: [] }));
    expect(restored).toEqual({ ...exchange, parts, pending: [], waiting: [], lastWay: null });
  });

  it('is not taken when its version is unknown', () => {
    const foreign = { ...snapshot(initial('1', 'R', SCAIP_PROFILE)), version: 2 } as never;
    expect(restore(foreign)).toBeUndefined();
  });
});
