import { expect, it } from 'vitest';
import { notReached } from '#appliance/alarm/sending/attempt/over-reason.ts';

it.each([
  [401, 'authFailed'],
  [403, 'authFailed'],
  [407, 'authFailed'],
  [404, 'noRoute'],
  [410, 'noRoute'],
  [503, 'noRoute'],
  [604, 'noRoute'],
  [408, 'noAnswer'],
  [480, 'noAnswer'],
  [487, 'noAnswer'],
  [486, 'busy'],
  [600, 'busy'],
  [603, 'rejected'],
  // A status without a word of its own is a refusal of the receiver.
  [488, 'rejected'],
])('a call that ended with %i is the warning %s, and the other transport is tried', (cause, warning) => {
  expect(notReached({ protocol: 'SIP', cause, text: 'Said' })).toEqual({
    ...{ warning, onward: 'alternate' },
    reason: `the call to the receiver failed: ${cause} Said`,
  });
});

it('a reason without a text has no blank at its end', () => {
  expect(notReached({ protocol: 'SIP', cause: 486, text: '' }).reason).toMatch(/486$/);
});
