import { expect, it } from 'vitest';
import { type KeyMedium, TwofoldKeys } from '#appliance/alarm/people/twofold-keys.ts';

/** Keys that count, of `key way ms` each. */
function counted(...received: readonly (readonly [key: string, way: KeyMedium, atMs: number])[]): string {
  const keys = new TwofoldKeys();
  return received
    .filter(([key, medium, atMs]) => keys.isNew(key, medium, atMs))
    .map(([key]) => key)
    .join('');
}

it.each([
  [
    'in the audio only',
    '00',
    [
      ['0', 'audio', 0],
      ['0', 'audio', 200],
    ],
  ],
  [
    'by INFO only',
    '00',
    [
      ['0', 'info', 0],
      ['0', 'info', 200],
    ],
  ],
  [
    'both ways',
    '0',
    [
      ['0', 'audio', 0],
      ['0', 'info', 300],
    ],
  ],
  [
    'INFO first',
    '0',
    [
      ['0', 'info', 0],
      ['0', 'audio', 80],
    ],
  ],
  [
    'both ways, twice',
    '00',
    [
      ['0', 'audio', 0],
      ['0', 'info', 200],
      ['0', 'audio', 500],
      ['0', 'info', 700],
    ],
  ],
  [
    'both ways, twice, in a hurry',
    '00',
    [
      ['0', 'audio', 0],
      ['0', 'audio', 200],
      ['0', 'info', 300],
      ['0', 'info', 400],
    ],
  ],
  [
    'other keys',
    '12',
    [
      ['1', 'audio', 0],
      ['2', 'info', 100],
    ],
  ],
  [
    'long after each other',
    '00',
    [
      ['0', 'audio', 0],
      ['0', 'info', 1_501],
    ],
  ],
] as const)('counts a key once: %s', (_, keys, received) => {
  expect(counted(...received)).toBe(keys);
});
