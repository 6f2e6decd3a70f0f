import { describe, expect, it } from 'vitest';
import { decodeRequest, ExchangeTable, SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';

const origin = { address: '192.0.2.50' };

it('a flood of references does not grow the table without end, and open exchanges stay', () => {
  const table = new ExchangeTable();
  const read = decodeRequest('<mrq><ref>0</ref><cid>c</cid><dty>0003</dty></mrq>');
  if (!read.ok) throw new Error(read.error.reason);
  const hear = (ref: string) => {
    const request = { ok: true, value: { ...read.value, ref } } as const;
    const [effect] = table.receive(request, { at: 1, to: ref, scope: 's', profile: SCAIP_PROFILE, origin });
    return effect?.exchange ?? '';
  };
  const open = hear('open');
  for (let i = 0; i < 100_050; i++) {
    const id = hear(String(i));
    table.input(id, { type: 'stored', at: 1, ordinal: 0 });
    table.input(id, { type: 'decision', at: 1, decision: { kind: 'notHandled', reason: 'x' } });
  }
  expect(table.size).toBeLessThanOrEqual(100_002);
  expect(table.keep(open)).toBeDefined();
});

it('the same alarm of another sender with the same identity is an alarm with a warning, not a repeat', () => {
  const table = new ExchangeTable();
  const request = decodeRequest('<mrq><ref>7</ref><cid>c</cid><dty>0003</dty></mrq>');
  const hear = (fromUser: string) =>
    table.receive(request, { at: 1, to: fromUser, scope: 's', profile: SCAIP_PROFILE, origin, fromUser });
  const exchanges = (effects: ReturnType<typeof hear>) => new Set(effects.map(({ exchange }) => exchange));
  const first = hear('100');
  const second = hear('200');
  expect(JSON.stringify(second)).toContain('sameIdentity');
  expect(exchanges(second)).not.toEqual(exchanges(first));
  // A repeat of either finds its own, with no word of the other's exchange.
  for (const [user, own] of [
    ['100', first],
    ['200', second],
  ] as const) {
    for (const exchange of exchanges(hear(user))) expect(exchanges(own)).toContain(exchange);
  }
  expect(table.size).toBe(2);
});

describe('the same alarm from two addresses', () => {
  const read = (xml: string) => decodeRequest(`<mrq><ref>7</ref><cid>c</cid><dty>0003</dty>${xml}</mrq>`);
  const alarm = read('<stc>0010</stc>');
  function room() {
    const table = new ExchangeTable();
    let at = 1;
    const hear = (address: string, request = alarm, proof?: string) =>
      table.receive(request, {
        at: ++at,
        to: `${address} ${at}`,
        scope: 's',
        profile: SCAIP_PROFILE,
        fromUser: 'c',
        origin: { address, ...(proof !== undefined && { proof }) },
      });
    const events = (effects: ReturnType<typeof hear>) => effects.filter(({ type }) => type === 'event');
    return { book: table, hear, events };
  }

  it('is reported from each, the second as a possible repeat of the first, and repeats of either are answered', () => {
    const { book: table, hear, events } = room();
    const [first] = events(hear('127.0.0.1'));
    const [second] = events(hear('127.0.0.2'));
    expect(second).toMatchObject({ possibleRepeatOf: first?.exchange, ordinal: 0, kind: 'first' });
    expect(second?.exchange).not.toBe(first?.exchange);
    expect([hear('127.0.0.1'), hear('127.0.0.2')].flatMap(events)).toEqual([]);
    expect(table.size).toBe(2);
  });

  it('is reported from three more addresses; the rest are counted and answered by themselves', () => {
    const { book: table, hear, events } = room();
    const reported = ['a', 'b', 'c', 'd', 'e'].map((address) => hear(address));
    expect(reported.map((effects) => events(effects).length)).toEqual([1, 1, 1, 1, 0]);
    expect(reported[4]).toContainEqual({ type: 'counted', exchange: reported[3]?.[0]?.exchange });
    const exchange = reported[3]?.[0]?.exchange ?? '';
    table.input(exchange, { type: 'stored', at: 20, ordinal: 0 });
    const answers = table
      .input(exchange, { type: 'decision', at: 21, decision: { kind: 'noVoice' } })
      .filter((effect) => effect.type === 'answer');
    expect(answers.map(({ to }) => to.map((route) => route[0]))).toEqual([['d'], ['e']]);
  });

  it('is a repeat from anywhere under a proven identity, and reported whatever was planted before', () => {
    const { hear, events } = room();
    for (const address of ['a', 'b', 'c', 'd']) hear(address);
    expect(events(hear('e', alarm, 'unit'))).toHaveLength(1);
    expect(events(hear('f', alarm, 'unit'))).toEqual([]);
  });

  it('is reported although an unknown sender has put it into the exchange of the device', () => {
    const { hear, events } = room();
    const next = read('<stc>0011</stc>');
    const [first] = events(hear('127.0.0.1'));
    const [planted] = events(hear('127.0.0.2', next));
    expect(planted?.exchange).toBe(first?.exchange);
    expect(events(hear('127.0.0.1', next))).toMatchObject([{ possibleRepeatOf: first?.exchange }]);
  });

  it('is known after a restart by what the session knows of its sender', () => {
    const { book: table, hear } = room();
    const id = hear('127.0.0.1')[0]?.exchange ?? '';
    table.input(id, { type: 'stored', at: 20, ordinal: 0 });
    table.input(id, { type: 'decision', at: 21, decision: { kind: 'noVoice' } });
    const kept = JSON.parse(JSON.stringify(table.keep(id)));
    const after = room();
    after.book.restore([kept], 1, { fromUser: 'c', origin: { address: '127.0.0.1' } });
    expect(after.hear('127.0.0.1').map(({ type }) => type)).toEqual(['answer']);
    expect(after.events(after.hear('127.0.0.2'))).toMatchObject([{ possibleRepeatOf: id }]);
  });
});
