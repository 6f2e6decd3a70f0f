import '../english.ts';
import { i18n } from '@lingui/core';
import { expect, it } from 'vitest';
import { adviceOf } from '#cloud/console/page/record/record-advice.ts';
import type { Entry } from '#cloud/console/page/record/record-words.ts';

const saidOf = (entry: Partial<Entry>): string =>
  adviceOf({ kind: 'call', ...entry } as Entry)
    .map((sentence) => i18n._(sentence))
    .join(' ');

it.each<[Partial<Entry>, RegExp]>([
  [
    { result: 'refused', reason: 'The call was refused: 404 no trunk takes +468' },
    /^No device and no trunk takes this number/,
  ],
  [
    { result: 'unanswered', reason: 'No party answered the call: SIP 480 operator is not registered' },
    /^The telephone that was called is not connected/,
  ],
  [{ result: 'refused', reason: 'The call was refused: SIP 486 Busy' }, /was busy/],
  [
    { result: 'unanswered', reason: 'No party answered the call: SIP 408' },
    /^No party answered\. Check that the called telephone rings/,
  ],
  [
    { kind: 'alarm', result: 'unanswered', reason: 'The device hung up before a person spoke with it' },
    /^No person accepted it/,
  ],
  [
    {
      kind: 'alarm',
      result: 'unanswered',
      reason: 'The call of the device did not come',
      deliveries: { count: 1, failed: 1 },
    },
    /^The application did not take a callback of this session.* The device was asked to call and did not/,
  ],
])('%j is followed by what a person does next', (entry, advice) => {
  expect(saidOf(entry)).toMatch(advice);
});

it('a session that went well asks nothing of a person', () => {
  expect(saidOf({ kind: 'alarm', result: 'done', reason: 'A person spoke with the device' })).toBe('');
});
