import { describe, expect, it } from 'vitest';
import { certificateNames, MOST_CERTIFICATE_NAMES, type ReachedHost } from '#shared/contract/site/index.ts';

const HOST: ReachedHost = {
  hostId: 'north-1',
  address: '192.0.2.10',
  siteBaseUrl: 'https://site.example:8443',
  listening: [],
  sharedAddress: undefined,
  machine: ['192.0.2.10', '2001:db8::10', 'fe80::1', '172.17.0.1'],
};
const namesOf = (more: Partial<ReachedHost>) => certificateNames({ ...HOST, ...more });

describe('the certificate of a host names', () => {
  it('its name, its address and the host of siteBaseUrl, IPv6 without brackets', () => {
    expect(namesOf({})).toEqual({
      needed: ['192.0.2.10', 'site.example'],
      asked: ['north-1', '192.0.2.10', 'site.example'],
    });
    const six = { address: '2001:db8::10', siteBaseUrl: 'https://[2001:db8::10]:8443' };
    expect(namesOf(six).asked).toEqual(['north-1', '2001:db8::10']);
  });

  it.each([
    ['192.0.2.20', '2001:db8::20'],
    ['2001:DB8:0:0::20', '2001:db8::20'],
  ])('each address of a listener and the shared one %s', (address, written) => {
    const names = namesOf({ listening: [address, '127.0.0.1', '::1'], sharedAddress: '2001:db8::ff' });
    const said = address.includes(':') ? written : address;
    expect(names.needed).toEqual(['192.0.2.10', 'site.example', '2001:db8::ff', said, '127.0.0.1', '::1']);
  });

  it.each([
    [['0.0.0.0'], ['172.17.0.1']],
    [
      ['0.0.0.0', '::'],
      ['2001:db8::10', '172.17.0.1'],
    ],
    [['::'], ['2001:db8::10', '172.17.0.1']],
    [['192.0.2.10'], []],
  ])('those of the machine for a listener at %j', (listening, more) => {
    const { needed, asked } = namesOf({ listening });
    expect(needed).toEqual(['192.0.2.10', 'site.example']);
    expect(asked).toEqual(['north-1', ...needed, ...more]);
  });

  it('nothing that no certificate can have, and no more than may be asked for', () => {
    const odd = ['fe80::1%eth0', '0.0.0.0', '::', 'a_b', '*.example', '::zz'];
    expect(namesOf({ listening: odd, machine: [] }).asked).toEqual(['north-1', '192.0.2.10', 'site.example']);
    const many = Array.from({ length: 40 }, (_, at) => `10.0.0.${at}`);
    const { needed, asked } = namesOf({ listening: many, sharedAddress: '2001:db8::ff' });
    expect(asked).toHaveLength(MOST_CERTIFICATE_NAMES);
    expect(asked.slice(0, 5)).toEqual(['north-1', '192.0.2.10', 'site.example', '2001:db8::ff', '10.0.0.0']);
    expect(asked).toEqual(['north-1', ...needed]);
    const machine = { listening: ['0.0.0.0'], machine: many };
    expect(namesOf(machine).asked).toHaveLength(MOST_CERTIFICATE_NAMES);
  });
});
