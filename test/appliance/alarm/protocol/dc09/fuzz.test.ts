import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { type Dc09Setting, decodeSia } from '#appliance/alarm/protocol/dc09/index.ts';
import { rounds } from '#test/support/vitest/rounds.ts';
import { brokenForms, fastestMs, slowOnes } from '../mutate.ts';
import { framed, TestReceiver } from './panel.ts';

const ROUNDS = rounds(5_000, 20_000);
const file = join(import.meta.dirname, '../../../../vectors/alarm/dc09.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Record<string, { frame?: string }[]>;
/** Bodies without CRC and length: broken ones get right ones, so that they reach the parsers. */
const SEEDS = [...(vectors.dc09 ?? []), ...(vectors.dc09Encrypted ?? [])].flatMap(({ frame }) =>
  frame === undefined ? [] : [frame.slice(8)],
);
const SNIPPETS = [
  '[',
  ']',
  '|',
  '#',
  '"',
  '/',
  '^',
  '*',
  '_14:12:04,09-25-2026',
  '][V',
  'ri',
  'L0',
  'R',
  '\0',
  'é',
];
const KEY = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex');

it(`${ROUNDS} broken frames: no throw, at most 5 ms, each is answered or ignored`, () => {
  const receiver = new TestReceiver();
  const settings: Dc09Setting[] = [receiver.setting, { ...receiver.setting, scope: 'k', key: KEY }];
  const tokens = new Map<string, number>();
  let n = 0;
  const slow = slowOnes(brokenForms(SEEDS, SNIPPETS, { seed: 1234, count: ROUNDS }), (body) => {
    receiver.at += 1000;
    receiver.setting = settings[n++ % 2] ?? receiver.setting;
    receiver.send(framed(body.replace(/[\n\r]/g, '')));
    for (const { type } of receiver.effects) tokens.set(type, (tokens.get(type) ?? 0) + 1);
    receiver.effects.length = 0;
  });
  expect(slow).toEqual([]);
  for (const type of ['answer', 'event', 'alive', 'authError'])
    expect(tokens.get(type)).toBeGreaterThan(ROUNDS / 200);
});

it.each([
  ['slashes', '/'],
  ['events', 'FA1/'],
  ['modifiers', 'ri1/'],
  ['texts', '^a^'],
  ['carets', '^'],
  ['digits', '1'],
])('8 KiB of %s in a data field: at most 5 ms', (_, unit) => {
  const data = `#1234|NFA${unit.repeat(8192 / unit.length)}`;
  const run = () => decodeSia(data);
  run();
  expect(fastestMs(run)).toBeLessThan(5);
});

it.each([
  ['extended data', '[V]'],
  ['brackets', '['],
  ['closing brackets', ']'],
])('8 KiB of %s in a frame: at most 5 ms', (_, unit) => {
  const frame = framed(`"SIA-DCS"0001L0#1234[#1234|NFA1]${unit.repeat(8000 / unit.length)}`);
  const run = () => new TestReceiver().send(frame);
  run();
  expect(fastestMs(run)).toBeLessThan(5);
});
