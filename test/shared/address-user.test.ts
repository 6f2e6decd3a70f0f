import { expect, it } from 'vitest';
import { addressUserOf, readAddressUser, sipUserOf } from '#shared/address-user.ts';

it.each([
  ['sip:anna@a.test', 'anna', 'anna'],
  ['SIPS:anna@a.test;transport=tls', 'anna', 'anna'],
  ['sip:%2B49@a.test>', '%2B49', '%2B49'],
  ['sip:a.test', 'a.test', undefined],
  ['sip:@a.test', '', undefined],
  ['sip:anna;x=1@a.test', 'anna', undefined],
  ['tel:+4930;phone-context=x', '+4930', undefined],
  ['gsm:+4930', '+4930', undefined],
  ['+4930', '+4930', undefined],
  ['anna@a.test', 'anna', undefined],
  ['', '', undefined],
])('%s has the user %o, and as a SIP URI %o', (address, user, sipUser) => {
  expect(addressUserOf(address)).toBe(user);
  expect(sipUserOf(address)).toBe(sipUser);
});

it('an address is kept apart from a plain number', () => {
  expect(readAddressUser('Tel:112')).toEqual({ scheme: 'tel', user: '112', hasHost: false });
  expect(readAddressUser('112')?.scheme).toBeUndefined();
  expect(readAddressUser('@a.test')).toBeUndefined();
});
