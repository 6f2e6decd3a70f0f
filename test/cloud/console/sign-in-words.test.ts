import './english.ts';
import { expect, it } from 'vitest';
import { wrongTriesText } from '#cloud/console/component/wording/sign-in-words.ts';

it('says how often a password was guessed, and from where', () => {
  expect(wrongTriesText({ count: 1, lastSource: '203.0.113.9' })).toBe(
    'One wrong password was entered for your account from another network. It came from 203.0.113.9,',
  );
  expect(wrongTriesText({ count: 5, lastSource: '2001:db8::9' })).toBe(
    '5 wrong passwords were entered for your account from another network. The last one came from 2001:db8::9,',
  );
});
