import { expect, it } from 'vitest';
import { readMembers } from '#appliance/site/peer/index.ts';

const row = (hostId: string, order: number, siteBaseUrl?: string): string =>
  JSON.stringify({ uid: `01jc7z5t3k9q8w6m4n2p0r1s5${order}`, hostId, publicKey: 'PEM', order, siteBaseUrl });

it('a member is where it says, of whichever family, unless a setting names one address or several', () => {
  const bodies = [
    row('one', 1, 'https://192.0.2.11:8443'),
    row('two', 2, 'https://[2001:db8::12]:8443'),
    row('three', 3, 'https://three.example'),
    row('four', 4),
    row('five', 5),
  ];
  const known = { three: ['[2001:db8::13]:9000', '192.0.2.13:9000'], four: ['192.0.2.14:8446'] };
  expect(readMembers(bodies, known).map(({ hostId, address, more }) => [hostId, address, more])).toEqual([
    ['one', '192.0.2.11:8446', undefined],
    ['two', '[2001:db8::12]:8446', undefined],
    ['three', '[2001:db8::13]:9000', ['192.0.2.13:9000']],
    ['four', '192.0.2.14:8446', undefined],
  ]);
});
