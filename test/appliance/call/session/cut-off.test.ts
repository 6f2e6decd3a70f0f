import { expect, it } from 'vitest';
import { isCutOff } from '#appliance/call/session/index.ts';

it.each([
  ['SIP', 200, false],
  ['SIP', 408, true],
  ['SIP', 480, false],
  ['SIP', 481, true],
  ['SIP', 486, false],
  ['SIP', 488, true],
  ['SIP', 500, true],
  ['SIP', 503, true],
  ['SIP', 600, false],
  // Normal clearing, busy, normal unspecified, interworking: a party has ended it, or nothing says otherwise.
  ['Q.850', 16, false],
  ['Q.850', 17, false],
  ['Q.850', 31, false],
  ['Q.850', 127, false],
  // Destination out of order, no circuit, network out of order, temporary failure, switch congested, timer expired.
  ['Q.850', 27, true],
  ['Q.850', 34, true],
  ['Q.850', 38, true],
  ['Q.850', 41, true],
  ['Q.850', 47, true],
  ['Q.850', 102, true],
  ['Q.850', 408, false],
] as const)('%s %i: no party has hung up, %s', (protocol, cause, expected) => {
  expect(isCutOff({ protocol, cause, text: '' })).toBe(expected);
});
