import { expect, it } from 'vitest';
import { Cordon } from '#appliance/site/host/site-cordon.ts';

const request = (method: string, user: string, tag?: string) => ({
  method,
  uriText: `sip:${user}@care.example`,
  to: { tag },
});

it.each([
  ['open', 'OPTIONS', 'anyone', undefined],
  ['cordoned', 'OPTIONS', 'anyone', 30],
  ['cordoned', 'INVITE', 'kim', 30],
  ['cordoned', 'INVITE', 'alarms', undefined],
  ['cordoned', 'INVITE', '%61larms', undefined],
  ['cordoned', 'INVITE', '112', undefined],
  ['cordoned', 'MESSAGE', 'alarms', undefined],
  ['cordoned', 'REGISTER', '', undefined],
  ['closed', 'MESSAGE', 'alarms', 30],
  ['closed', 'INVITE', '112', 30],
  ['closed', 'CANCEL', 'kim', undefined],
] as const)('%s: %s to %s', (admittance, method, user, seconds) => {
  const cordon = new Cordon((called) => called === 'alarms');
  cordon.admittance = admittance;
  expect(cordon.refusesForS(request(method, user))).toBe(seconds);
  expect(cordon.refusesForS(request(method, user, 'dialog'))).toBeUndefined();
});
