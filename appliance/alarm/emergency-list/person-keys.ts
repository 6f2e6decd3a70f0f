import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import { MOST_WRONG_PINS } from './call-plan.ts';
import type { Attempt } from './emergency-list.ts';
import { type Draft, drop, entryOf, finish, note, placeOf, replace, say } from './list-draft.ts';

/**
 * Keys of the person who has the alarm, as the control tones of SCAIP name them (protocols 4.3): 4 talk, 7 listen, 8 speak.
 * `Chosen:` 0 twice clears and hangs up, since one slip of a finger must not. `*`, the PIN and `#` open the door, each time
 * with the whole PIN.
 */
const DIRECTIONS: Readonly<Record<string, DeviceCommand>> = {
  '4': 'switchToDuplex',
  '7': 'listen',
  '8': 'speak',
};

/** More digits than a PIN has. */
const MOST_KEYS = 16;

export function command(draft: Draft, attempt: Attempt, key: string): void {
  if (attempt.keys.startsWith('*')) {
    pin(draft, attempt, key);
    return;
  }
  if (key === '*') {
    replace(draft, { ...attempt, keys: '*' });
    return;
  }
  if (key === '0' && attempt.keys === '0') {
    clear(draft, attempt);
    return;
  }
  replace(draft, { ...attempt, keys: key === '0' ? '0' : '' });
  if (key === '0') return;
  const named = DIRECTIONS[key];
  if (named === undefined) say(draft, attempt, 'keys');
  else draft.effects.push({ type: 'command', command: named });
}

function clear(draft: Draft, attempt: Attempt): void {
  note(draft, 'cleared', attempt, 'by the keys of the person who had accepted');
  draft.effects.push(
    { type: 'part', attempt: attempt.id },
    { type: 'hangUp', attempt: attempt.id, reason: 'the alarm is cleared' },
  );
  drop(draft, attempt.id);
  finish(draft, 'handled', 'the alarm is cleared');
}

function pin(draft: Draft, attempt: Attempt, key: string): void {
  if (key !== '#') {
    const keys = key === '*' ? '*' : `${attempt.keys}${key}`.slice(0, MOST_KEYS);
    replace(draft, { ...attempt, keys });
    return;
  }
  const typed = attempt.keys.slice(1);
  const done: Attempt = { ...attempt, keys: '' };
  const expected = entryOf(draft.list, attempt)?.pin;
  if (expected === undefined || attempt.wrongPins >= MOST_WRONG_PINS) {
    replace(draft, done);
    note(
      draft,
      'doorRefused',
      attempt,
      expected === undefined ? 'this entry has no PIN' : 'too many wrong PINs',
    );
    say(draft, done, 'noDoor');
    return;
  }
  if (typed === expected) {
    replace(draft, done);
    draft.effects.push({ type: 'command', command: 'releaseDoorLock1' });
    return;
  }
  const wrong = { ...done, wrongPins: attempt.wrongPins + 1 };
  // The next call of the same alarm begins with them: a hang-up must not buy three more.
  draft.list = {
    ...draft.list,
    wrongPins: { ...draft.list.wrongPins, [placeOf(attempt)]: wrong.wrongPins },
  };
  replace(draft, wrong);
  note(draft, 'doorRefused', attempt, 'wrong PIN');
  say(draft, wrong, 'wrongPin');
}
