import { describe, expect, it } from 'vitest';
import { initial, restore, SCAIP_PROFILE, snapshot } from '#appliance/alarm/protocol/scaip/index.ts';
import { cell, INPUTS, inputNamed, reach, SITUATIONS, type Situation } from './exchange-walk.ts';

/** What happens where; every other input changes nothing and leaves a trace. */
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

describe('a snapshot', () => {
  it.each(SITUATIONS)('of %s is plain JSON, without the ways back to the device', (situation) => {
    const exchange = reach(situation);
    const restored = restore(JSON.parse(JSON.stringify(snapshot(exchange))));
    const parts = exchange.parts.map(({ request }) => ({ request, ways: [] }));
    expect(restored).toEqual({ ...exchange, parts, pending: [], waiting: [], lastWay: null });
  });

  it('of a version nobody knows is not taken', () => {
    const foreign = { ...snapshot(initial('1', 'R', SCAIP_PROFILE)), version: 2 } as never;
    expect(restore(foreign)).toBeUndefined();
  });
});
