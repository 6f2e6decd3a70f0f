import { expect, it } from 'vitest';
import { summed } from '#cloud/site/request/handshake-sum.ts';
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

it('the counts of a device at several hosts are added, also which check methods fit', () => {
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

it('the offer is judged by the sum, not by what one host has seen', () => {
  const half = entry({
    calls: 10,
    firstTry: 2,
    retried: 8,
    requests: 40,
    events: 5,
    saidAsEvents: 10,
    protocols: { tt92: 10 },
    offers: [{ setting: 'line', reason: 'of one host' }],
  });
  const [whole] = summed([[half], [half]], 9);
  expect(whole).toMatchObject({ calls: 20, events: 10, saidAsEvents: 20, protocols: { tt92: 20 } });
  expect(whole?.offers?.map(({ setting, value }) => [setting, value])).toEqual([
    ['tones', 'inaudio'],
    ['protocol', 'tt92'],
  ]);
  expect(summed([[half]], 9)[0]).not.toHaveProperty('offers');
});
