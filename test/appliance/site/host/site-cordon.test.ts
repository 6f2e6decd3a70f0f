import { expect, it } from 'vitest';
import type { CallPurpose } from '#appliance/call/session/index.ts';
import { Cordon } from '#appliance/site/host/site-cordon.ts';

const request = (method: string, purpose: CallPurpose, tag?: string) => ({ method, purpose, to: { tag } });

it.each([
  ['open', 'OPTIONS', 'ordinary', undefined],
  ['open', 'INVITE', 'ordinary', undefined],
  ['cordoned', 'OPTIONS', 'ordinary', 30],
  ['cordoned', 'INVITE', 'ordinary', 30],
  ['cordoned', 'INVITE', 'mediaService', 30],
  ['cordoned', 'INVITE', 'recording', 30],
  ['cordoned', 'INVITE', 'cloudUa', 30],
  ['cordoned', 'INVITE', 'alarm', undefined],
  ['cordoned', 'INVITE', 'emergency', undefined],
  ['cordoned', 'MESSAGE', 'ordinary', undefined],
  ['cordoned', 'REGISTER', 'ordinary', undefined],
  ['closed', 'MESSAGE', 'alarm', 30],
  ['closed', 'INVITE', 'emergency', 30],
  ['closed', 'CANCEL', 'ordinary', undefined],
] as const)('%s: %s of purpose %s', (admittance, method, purpose, seconds) => {
  const cordon = new Cordon<ReturnType<typeof request>>((each) => each.purpose);
  cordon.admittance = admittance;
  expect(cordon.refusesForS(request(method, purpose))).toBe(seconds);
  expect(cordon.refusesForS(request(method, purpose, 'dialog'))).toBeUndefined();
});
