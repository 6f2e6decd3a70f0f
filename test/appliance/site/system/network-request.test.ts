import { expect, test } from 'vitest';
import { type AskedNetwork, longestChain, networkStep } from '#appliance/site/system/index.ts';
import type { Twin } from '#shared/contract/feed/index.ts';

const one = { ifs: ['10.0.0.5'], prefix: 24 };
const other = { ifs: ['10.0.0.6'], prefix: 24 };

const rows: readonly (readonly [
  what: string,
  life: Twin['life'],
  net: Twin['net'],
  asked: AskedNetwork | undefined,
  pinned: boolean,
  step: ReturnType<typeof networkStep>,
])[] = [
  ['first twin, with addresses', 'commissioning', one, undefined, false, 'ask'],
  ['first twin, without: root learns its platform', 'active', null, undefined, false, 'ask'],
  ['the same request once more', 'active', one, { net: one }, false, 'nothing'],
  ['another address', 'active', other, { net: one }, false, 'ask'],
  ['another prefix', 'active', { ...one, prefix: 16 }, { net: one }, false, 'ask'],
  ['addresses where there were none', 'active', one, { net: null }, false, 'ask'],
  ['withdrawn: as it is', 'active', null, { net: one }, false, 'remember'],
  ['still none', 'active', null, { net: null }, false, 'nothing'],
  ['while drained', 'drained', other, { net: one }, false, 'ask'],
  ['while draining', 'draining', other, { net: one }, false, 'ask'],
  ['shut out', 'quarantined', other, { net: one }, false, 'nothing'],
  ['on its way out', 'decommissioned', other, undefined, false, 'nothing'],
  ['held by a technician', 'active', other, { net: one }, true, 'nothing'],
];

test.each(rows)('%s', (_, life, net, asked, pinned, step) => {
  expect(networkStep({ life, net }, asked, pinned)).toBe(step);
});

test('the chain that proves every key is the longest one', () => {
  expect(longestChain([])).toEqual([]);
  expect(longestChain([['a'], ['a', 'b', 'c'], ['a', 'b']])).toEqual(['a', 'b', 'c']);
});
