import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leaveOutcome } from '#installer/io/network/network-outcome.ts';
import { networkOutcomeSchema } from '#shared/contract/feed/index.ts';

let folder: string;
let place: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-outcome-'));
  place = join(folder, 'network-outcome.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const outcome = {
  v: 1,
  kind: 'networkOutcome',
  twinRev: 7,
  networkInterfaces: ['10.0.0.5'],
  code: 4,
  sentence: 'Undone: "it\'s $(gone)".',
  at: 1_770_000_000_000,
} as const;

test('the result of a request is left whole, for its owner alone', async () => {
  expect(await leaveOutcome(outcome, place, [])).toBe(true);
  expect(networkOutcomeSchema.parse(JSON.parse(readFileSync(place, 'utf8')))).toEqual(outcome);
  expect(statSync(place).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['network-outcome.json']);
});

test('a link there, or where it is written first, is not written through', async () => {
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'as it was');
  symlinkSync(elsewhere, place);
  symlinkSync(elsewhere, `${place}.part`);
  expect(await leaveOutcome(outcome, place, [])).toBe(true);
  expect(readFileSync(elsewhere, 'utf8')).toBe('as it was');
  expect(JSON.parse(readFileSync(place, 'utf8'))).toEqual(outcome);
});

test('a folder that is not there is said, not thrown', async () => {
  expect(await leaveOutcome(outcome, join(folder, 'none', 'outcome.json'), [])).toBe(false);
});
