import { expect, it } from 'vitest';
import { digitsOf, subjectMatcher } from '#shared/matching/index.ts';

it.each([
  [{ deviceId: 'flat-1' }, '{"deviceId":"flat-1"}', true],
  [{ deviceId: 'flat-1' }, '{"deviceId":"flat-12"}', false],
  [{ deviceId: 'flat-1' }, '{"deviceId":"flat-1-b"}', false],
  [{ deviceId: 'flat-1' }, '{"deviceId":"my-flat-1"}', false],
  [{ deviceId: 'flat-1' }, '{"a":"flat-12 flat-1"}', true],
  [{ deviceId: 'flat-1' }, '{"deviceId":"flat-1.b"}', false],
  [{ deviceId: 'flat-1' }, '{"text":"Alarm at flat-1."}', true],
  [{ deviceId: 'flat-1' }, String.raw`{"sip":"From:\r\nflat-1\r\n"}`, true],
  [{ deviceId: 'flat-1' }, '{"uri":"sip:flat-1@care.example"}', true],
  // A body within a body.
  [{ deviceId: 'flat-1' }, JSON.stringify({ body: JSON.stringify({ deviceId: 'flat-1' }) }), true],
  [{ deviceId: 'a"b' }, JSON.stringify({ deviceId: 'a"b' }), true],
  [{ address: '+46 70-123 45 67' }, '{"from":"+46701234567"}', true],
  [{ address: '+46701234567' }, '{"from":"0046701234567"}', true],
  [{ address: '0046701234567' }, '{"from":"sip:46701234567@gw"}', true],
  [{ address: '+46701234567' }, '{"from":"146701234567"}', false],
  [{ address: '+46701234567' }, '{"from":"467012345678"}', false],
  [{ address: 'sip:anna@care.example' }, '{"to":"<sips:anna@care.example;lr>"}', true],
  [{ address: 'anna@care.example' }, '{"to":"sip:johanna@care.example"}', false],
  [{ address: 'anna@care.example' }, '{"to":"sip:anna@care.example.org"}', false],
])('%j in %s: %s', (subject, text, found) => {
  const matcher = subjectMatcher(subject);
  expect(matcher.isIn(text)).toBe(found);
  if (found) expect(text).toContain(matcher.needle);
});

it.each([
  ['1234', undefined],
  ['12345', '12345'],
  ['tel:+46 (70) 123-45.67', '46701234567'],
  ['flat-1', undefined],
])('digits of %s', (text, digits) => expect(digitsOf(text)).toBe(digits));
