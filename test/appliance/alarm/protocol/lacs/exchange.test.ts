import { describe, expect, it } from 'vitest';
import {
  initial,
  type LacsExchange,
  type LacsInput,
  LacsTable,
  REPEAT_MS,
  step,
} from '#appliance/alarm/protocol/lacs/index.ts';

const WITHIN_MS = 10_000;

const request = (by: string, at = 0): LacsInput<string> => ({
  type: 'request',
  at,
  by,
  answer: '<ok/>',
  withinMs: WITHIN_MS,
});

/** One input of every kind; all but the requests come when the answer is still wanted. */
const INPUTS = {
  request: request('again', 1_000),
  onDisk: { type: 'onDisk', at: WITHIN_MS },
  stored: { type: 'stored', at: WITHIN_MS },
  'stored late': { type: 'stored', at: WITHIN_MS + 1 },
  storeFailed: { type: 'storeFailed', at: WITHIN_MS },
  sessionEnded: { type: 'sessionEnded', at: WITHIN_MS },
} as const satisfies Record<string, LacsInput<string>>;

/** How each situation is reached. */
const PATHS: Readonly<Record<string, readonly LacsInput<string>[]>> = {
  new: [],
  storing: [request('first')],
  'storing, two wait': [request('first'), INPUTS.request],
  'taken, first waits': [request('first'), INPUTS.onDisk],
  taken: [request('first'), INPUTS.onDisk, INPUTS.stored],
};

function cell(situation: readonly LacsInput<string>[], input: LacsInput<string>): string {
  const before = situation.reduce((at: LacsExchange<string>, one) => step(at, one).state, initial<string>());
  const { state, effects } = step(before, input);
  const done = effects.map((effect) =>
    effect.type === 'event'
      ? 'event'
      : effect.type === 'answer'
        ? `${effect.xml} to ${effect.by}`
        : `no answer to ${effect.by}`,
  );
  return `${state.state} (${state.waiting.length} wait): ${done.join(', ') || 'nothing'}`;
}

/** Every input in every situation. */
const TABLE: Readonly<Record<string, Readonly<Record<keyof typeof INPUTS, string>>>> = {
  new: {
    request: 'storing (1 wait): event',
    onDisk: 'new (0 wait): nothing',
    stored: 'new (0 wait): nothing',
    'stored late': 'new (0 wait): nothing',
    storeFailed: 'new (0 wait): nothing',
    sessionEnded: 'new (0 wait): nothing',
  },
  storing: {
    request: 'storing (2 wait): nothing',
    onDisk: 'taken (1 wait): nothing',
    stored: 'taken (0 wait): <ok/> to first',
    'stored late': 'taken (0 wait): no answer to first',
    storeFailed: 'new (0 wait): no answer to first',
    sessionEnded: 'new (0 wait): no answer to first',
  },
  'storing, two wait': {
    request: 'storing (3 wait): nothing',
    onDisk: 'taken (2 wait): nothing',
    stored: 'taken (0 wait): <ok/> to first, <ok/> to again',
    'stored late': 'taken (0 wait): no answer to first, <ok/> to again',
    storeFailed: 'new (0 wait): no answer to first, no answer to again',
    sessionEnded: 'new (0 wait): no answer to first, no answer to again',
  },
  'taken, first waits': {
    request: 'taken (1 wait): <ok/> to again',
    onDisk: 'taken (1 wait): nothing',
    stored: 'taken (0 wait): <ok/> to first',
    'stored late': 'taken (0 wait): no answer to first',
    storeFailed: 'new (0 wait): no answer to first',
    sessionEnded: 'taken (1 wait): nothing',
  },
  taken: {
    request: 'taken (0 wait): <ok/> to again',
    onDisk: 'taken (0 wait): nothing',
    stored: 'taken (0 wait): nothing',
    'stored late': 'taken (0 wait): nothing',
    storeFailed: 'new (0 wait): nothing',
    sessionEnded: 'taken (0 wait): nothing',
  },
};

describe('the exchange with a LACS device', () => {
  it.each(Object.keys(PATHS))('%s: each input has its answer', (situation) => {
    const walked = Object.fromEntries(
      Object.entries(INPUTS).map(([name, input]) => [name, cell(PATHS[situation] ?? [], input)]),
    );
    expect(walked).toEqual(TABLE[situation]);
  });

  it('answers no device on any walk before the event is on the disk', () => {
    const inputs = Object.entries(INPUTS);
    for (const [one, first] of inputs)
      for (const [other, second] of inputs)
        for (const [last, third] of inputs) {
          let isSafe = false;
          let exchange = initial<string>();
          for (const input of [first, second, third]) {
            const before = exchange.state;
            const { state, effects } = step(exchange, input);
            isSafe = before !== 'new' && (isSafe || input.type === 'onDisk' || input.type === 'stored');
            exchange = state;
            const isAnswered = effects.some(({ type }) => type === 'answer');
            expect(isAnswered && !isSafe, `${one}, ${other}, ${last}`).toBe(false);
          }
        }
  });
});

describe('the exchanges of a host', () => {
  const arrival = (address: string, at = 0) => ({
    at,
    mark: 'lacs bridge unit hash',
    origin: { address },
    repeatMs: REPEAT_MS.unnamed,
    by: address,
    answer: `for ${address}`,
    withinMs: WITHIN_MS,
  });
  const kinds = (effects: readonly { readonly type: string }[]) => effects.map(({ type }) => type);

  it('gives the same body of the same source the same answer, and no event, until its time is over', () => {
    const table = new LacsTable<string>(10);
    expect(table.receive(arrival('a'))).toEqual([{ type: 'event', conversation: 'lacs bridge unit hash' }]);
    table.stored('lacs bridge unit hash', 5);
    expect(kinds(table.input('lacs bridge unit hash', { type: 'stored', at: 5 }))).toEqual(['answer']);
    const repeat = { ...arrival('a', REPEAT_MS.unnamed), answer: 'another' };
    expect(table.receive(repeat)).toMatchObject([{ type: 'answer', xml: 'for a' }]);
    expect(kinds(table.receive(arrival('a', REPEAT_MS.unnamed + 5)))).toEqual(['event']);
  });

  it('makes of the same body from elsewhere an event of its own, four times, and then counts', () => {
    const table = new LacsTable<string>(10);
    const addresses = ['a', 'b', 'c', 'd', 'e'];
    expect(addresses.map((address) => kinds(table.receive(arrival(address))))).toEqual([
      ['event'],
      ['event'],
      ['event'],
      ['event'],
      ['counted'],
    ]);
    const [last] = table.receive(arrival('f'));
    expect(last).toEqual({ type: 'counted', conversation: 'lacs bridge unit hash at d' });
    const answered = table.input('lacs bridge unit hash at d', { type: 'stored', at: 1 });
    expect(answered).toMatchObject([{ by: 'd' }, { by: 'e' }, { by: 'f' }]);
  });

  it('takes back what an earlier program has kept, with its source, and writes it as that did', () => {
    const table = new LacsTable<string>(10);
    table.receive(arrival('a'));
    expect(table.keep('lacs bridge unit hash')).toEqual({
      conversation: 'lacs bridge unit hash',
      answer: 'for a',
      dedupeMs: REPEAT_MS.unnamed,
    });
    table.receive(arrival('b'));
    const kept = table.keep('lacs bridge unit hash at b');
    expect(kept).toMatchObject({ mark: 'lacs bridge unit hash', answer: 'for b' });

    const next = new LacsTable<string>(10);
    next.restore(kept, { address: 'b' }, 0);
    expect(next.receive(arrival('b'))).toMatchObject([{ type: 'answer', xml: 'for b' }]);
    next.restore({ conversation: 'x', answer: undefined }, undefined, 0);
    expect(next.keep('x')).toEqual({ conversation: 'x', answer: undefined, dedupeMs: REPEAT_MS.named });
  });

  it('knows nothing of an event that was not stored', () => {
    const table = new LacsTable<string>(10);
    table.receive(arrival('a'));
    expect(kinds(table.input('lacs bridge unit hash', { type: 'storeFailed', at: 1 }))).toEqual(['silence']);
    expect(kinds(table.receive(arrival('a', 2)))).toEqual(['event']);
  });
});
