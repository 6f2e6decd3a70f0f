import { describe, expect, test } from 'vitest';
import { fromOutside, trackingIn } from '#shared/time-source/index.ts';

/** As chronyc 4.3 prints them; the figures between are the same for all. */
const line = (id: string, address: string, stratum: number, leap: string) =>
  `${id},${address},${stratum},1763900000.123456789,0.000001,-0.000002,0.000003,1.2,0.1,0.5,0.01,0.001,64.2,${leap}\n`;

describe('the source of chronyd', () => {
  test.each([
    ['a server', line('C0A80101', '192.168.1.1', 3, 'Normal'), { server: '192.168.1.1', stratum: 3 }, true],
    ['a server of IPv6', line('11223344', '2001:db8::1', 2, 'Normal'), { server: '2001:db8::1' }, true],
    [
      'the gateway at its link',
      line('11223344', 'fe80::1%eth0', 4, 'Normal'),
      { server: 'fe80::1%eth0' },
      true,
    ],
    [
      'a receiver at this host',
      line('47505300', 'GPS', 1, 'Normal'),
      { server: undefined, stratum: 1 },
      true,
    ],
    ['a second that is inserted', line('C0A80101', '192.168.1.1', 3, 'Insert second'), { stratum: 3 }, true],
    ['its own clock', line('7F7F0101', '', 10, 'Normal'), { server: undefined, stratum: 10 }, false],
    ['a host of the site', line('C000020B', '192.0.2.11', 11, 'Normal'), { server: '192.0.2.11' }, false],
    ['nobody', line('00000000', '', 0, 'Not synchronised'), { synchronised: false }, false],
  ])('is %s', (_, text, tracking, outside) => {
    const read = trackingIn(text);
    expect(read).toMatchObject(tracking);
    expect(read && fromOutside(read)).toBe(outside);
  });

  test.each(['', '506 Cannot talk to daemon', 'a,b,c,d,e,f,g,h,i,j,k,l,m,Normal'])(
    'is not in "%s"',
    (text) => {
      expect(trackingIn(text)).toBeUndefined();
    },
  );
});
