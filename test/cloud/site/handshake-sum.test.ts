import { expect, it } from 'vitest';
import { summed } from '#cloud/site/handshake-sum.ts';
import type { HandshakeEntry } from '#shared/contract/runtime/index.ts';

const entry = (fields: Partial<HandshakeEntry>): HandshakeEntry => ({
  kind: 'device',
  key: 'unit',
  protocol: 'bs8521',
  calls: 1,
  firstTry: 1,
  retried: 0,
  failed: 0,
  requests: 1,
  badStrings: 0,
  digits: 10,
  lastMs: 1,
  ...fields,
});

it('what several hosts counted of a device is added, also which check methods fit', () => {
  const one = entry({ checkMethods: { sumMod100: 2, luhn: 1 }, levelDbm0: -10 });
  const other = entry({ checkMethods: { sumMod100: 3 }, levelDbm0: -20, digits: 30, lastMs: 2 });
  expect(summed([[one], [other]], 9)).toEqual([
    entry({
      calls: 2,
      firstTry: 2,
      requests: 2,
      digits: 40,
      levelDbm0: -17.5,
      lastMs: 2,
      checkMethods: { sumMod100: 5, luhn: 1 },
    }),
  ]);
  expect(summed([[entry({})], [entry({})]], 9)[0]).not.toHaveProperty('checkMethods');
});
