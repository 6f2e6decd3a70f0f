import { expect, it } from 'vitest';
import { decodeRequest, ExchangeBook, SCAIP_PROFILE } from '#appliance/alarm/protocol/scaip/index.ts';

it('a flood of references does not grow the book without end, and open exchanges stay', () => {
  const book = new ExchangeBook();
  const read = decodeRequest('<mrq><ref>0</ref><cid>c</cid><dty>0003</dty></mrq>');
  if (!read.ok) throw new Error(read.error.reason);
  const hear = (ref: string) => {
    const request = { ok: true, value: { ...read.value, ref } } as const;
    const [effect] = book.receive(request, { at: 1, to: ref, scope: 's', profile: SCAIP_PROFILE });
    return effect?.exchange ?? '';
  };
  const open = hear('open');
  for (let i = 0; i < 100_050; i++) {
    const id = hear(String(i));
    book.input(id, { type: 'stored', at: 1, ordinal: 0 });
    book.input(id, { type: 'decision', at: 1, decision: { kind: 'notHandled', reason: 'x' } });
  }
  expect(book.size).toBeLessThanOrEqual(100_002);
  expect(book.keep(open)).toBeDefined();
});

it('the same alarm of another sender with the same identity is an alarm with a warning, not a repeat', () => {
  const book = new ExchangeBook();
  const request = decodeRequest('<mrq><ref>7</ref><cid>c</cid><dty>0003</dty></mrq>');
  const hear = (fromUser: string) =>
    book.receive(request, { at: 1, to: fromUser, scope: 's', profile: SCAIP_PROFILE, fromUser });
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
  expect(book.size).toBe(2);
});
