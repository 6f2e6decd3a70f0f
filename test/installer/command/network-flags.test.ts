import { describe, expect, test } from 'vitest';
import { requestFrom, saidNetwork } from '#installer/command/technician/network/network-flags.ts';
import type { Person } from '#installer/command/technician/terminal/person.ts';

const person = { text: (key: string) => key } as unknown as Person;
const kept = { dns: ['10.8.0.254'], search: ['care.example'], ntp: ['10.8.0.252'] };
const other = { dynamic: true, addresses: [] };
const requestOf = (flags: object) =>
  requestFrom(saidNetwork('eth0', { confirmWithin: '120', ...flags }, person), kept, other);

describe('carillon network set', () => {
  test('keeps the servers and domains in use when the address becomes a fixed one', () => {
    expect(requestOf({ address: '10.8.0.9/24', gateway: '10.8.0.254' })).toEqual({
      name: 'eth0',
      address: '10.8.0.9/24',
      gateway: '10.8.0.254',
      ...kept,
      other,
    });
  });

  test('takes others where they are given, list by list, and none for the word none', () => {
    expect(requestOf({ address: '10.8.0.9/24', dns: '9.9.9.9, fd00::1' })).toMatchObject({
      dns: ['9.9.9.9', 'fd00::1'],
      search: kept.search,
      ntp: kept.ntp,
    });
    expect(
      requestOf({ address: '10.8.0.9/24', search: 'a.example', dns: 'none', ntp: 'none' }),
    ).toMatchObject({
      dns: [],
      search: ['a.example'],
      ntp: [],
    });
  });

  test('leaves all of it to the network with DHCP', () => {
    expect(requestOf({ dhcp: true })).toEqual({ name: 'eth0', dns: [], search: [], ntp: [] });
    expect(requestOf({ dhcp: true, dns: '9.9.9.9' })).toMatchObject({ dns: ['9.9.9.9'], search: [] });
  });

  test.each([
    ['network.one-way', {}],
    ['network.one-way', { address: '10.8.0.9/24', dhcp: true }],
    ['network.bad-address', { address: '10.8.0.9' }],
    ['network.bad-address', { address: '10.8.0.9/33' }],
    ['network.no-address', { dhcp: true, dns: 'dns.example' }],
    ['network.no-address', { address: '10.8.0.9/24', gateway: 'none' }],
    ['network.bad-search', { dhcp: true, search: 'care example' }],
    ['network.bad-search', { dhcp: true, search: 'care.example;\n[Route]' }],
    ['network.bad-ntp', { dhcp: true, ntp: 'a b' }],
    ['network.bad-seconds', { dhcp: true, confirmWithin: 'soon' }],
  ])('says %s of %j', (key, flags) => {
    expect(() => requestOf(flags)).toThrow(expect.objectContaining({ code: 64, message: key }));
  });
});
