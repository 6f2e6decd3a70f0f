import './english.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { plainWord, queueReasonWords, waitText } from '#cloud/console/component/wording/queue-words.ts';

it.each([
  [0, '0:00'],
  [7_900, '0:07'],
  [59_999, '0:59'],
  [750_000, '12:30'],
  [3_723_000, '1:02:03'],
  [-5_000, '0:00'],
])('writes a wait of %i ms with its seconds', (ms, text) => {
  expect(waitText(ms)).toBe(text);
});

it('says a word of the common event as people say it', () => {
  expect(plainWord('alarmManual')).toBe('alarm manual');
  expect(plainWord('livingRoom2Fire')).toBe('living room2 fire');
});

it.each([
  ['no person has accepted in one round', 'no person has accepted in one round'],
  ['no person has accepted in 3 rounds', 'no person has accepted in 3 rounds'],
  // A later host says something else: as it wrote it.
  ['the lamp is out', 'the lamp is out'],
])('says the reason of an alarm that waits: %s', (reason, words) => {
  expect(i18n._(queueReasonWords(reason))).toBe(words);
});

/** Reasons in the sources of hosts with which an alarm comes to the queue. */
const SOURCES = ['alarm/emergency-list/rounds.ts', 'alarm/session/people.ts', 'engine/device-commands.ts'];
const APPLIANCE = join(import.meta.dirname, '../../../appliance');
const GIVEN = SOURCES.flatMap((file) => [
  ...readFileSync(join(APPLIANCE, file), 'utf8').matchAll(
    /(?:unanswered\(draft, |queueUp\(draft, |GIVEN_BACK = |\?\? |notHandled: |unreached: )'([a-z ,]+)'/g,
  ),
]).map(([, reason = '']) => reason);

it('shows no reason of a host as it wrote it', () => {
  expect(GIVEN.length).toBeGreaterThan(5);
  expect(GIVEN.filter((reason) => queueReasonWords(reason).id === reason)).toEqual([]);
});
