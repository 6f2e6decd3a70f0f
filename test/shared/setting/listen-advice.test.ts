import { expect, it } from 'vitest';
import { listenAdvice } from '#shared/setting/index.ts';

const v6 = { host: '::', port: 5_060 };

it.each([
  ['EAFNOSUPPORT', v6, 'this machine has no IPv6: take [::]:5060 out of CARILLON_SIP_UDP, or switch IPv6 on'],
  [
    'EADDRNOTAVAIL',
    { ...v6, host: '2001:db8::1' },
    /its IPv6 is switched off: take \[2001:db8::1\]:5060 out of CARILLON_SIP_UDP/,
  ],
  [
    'EADDRNOTAVAIL',
    { ...v6, host: '192.0.2.1' },
    /does not have the address: take 192\.0\.2\.1:5060 out of CARILLON_SIP_UDP/,
  ],
  ['EADDRINUSE', v6, /another program has it: end that one, or name another address in CARILLON_SIP_UDP/],
  ['EACCES', { ...v6, port: 443 }, /name a higher one in CARILLON_SIP_UDP, or run carillon configure/],
  ['EIO', v6, 'see CARILLON_SIP_UDP'],
])('%s at %o says what to do', (code, at, said) => {
  expect(listenAdvice('CARILLON_SIP_UDP', at, code)).toMatch(said);
});
