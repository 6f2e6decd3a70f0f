import { describe, expect, it } from 'vitest';
import { addressPolicy } from '#shared/matching/index.ts';

const strict = addressPolicy({ allowPrivate: [], listeners: () => [], ownAddresses: () => [] });

describe('addresses a callback may reach', () => {
  it.each(['8.8.8.8', '203.0.114.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '2a00:1450:4001::8a'])(
    '%s is public',
    (address) => {
      expect(strict(address, 443)).toBeUndefined();
    },
  );

  it.each([
    ['127.0.0.1', 'loopback'],
    ['127.255.255.254', 'loopback'],
    ['0.0.0.0', 'this host'],
    ['10.0.0.1', 'private'],
    ['172.16.0.1', 'private'],
    ['172.31.255.255', 'private'],
    ['192.168.1.1', 'private'],
    ['169.254.0.1', 'link-local'],
    ['169.254.169.254', 'metadata'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['192.0.0.192', 'protocol assignments'],
    ['192.0.2.1', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['224.0.0.1', 'multicast'],
    ['240.0.0.1', 'reserved'],
    ['255.255.255.255', 'broadcast'],
    ['::1', 'loopback'],
    ['::', 'unspecified'],
    ['::7f00:1', 'IPv4-compatible loopback'],
    ['::ffff:127.0.0.1', 'mapped loopback'],
    ['::ffff:7f00:1', 'mapped loopback in hex'],
    ['::ffff:10.0.0.1', 'mapped private'],
    ['::ffff:169.254.169.254', 'mapped metadata'],
    ['64:ff9b::7f00:1', 'NAT64'],
    ['64:ff9b:1::a00:1', 'local NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['2001:0:7f00:1::', 'Teredo'],
    ['2001:db8::1', 'documentation'],
    ['fc00::1', 'unique local'],
    ['fd12:3456:789a::1', 'unique local'],
    ['fd00:ec2::254', 'metadata'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['ff02::1', 'multicast'],
    ['4000::1', 'outside 2000::/3'],
    ['no address', 'no address'],
  ])('%s is refused: %s', (address) => {
    expect(strict(address, 443)).toBeTypeOf('string');
  });
});

describe('CARILLON_ALLOW_PRIVATE', () => {
  const lan = addressPolicy({
    allowPrivate: ['192.168.10.0/24', 'fd00:1::/64', '10.1.2.3'],
    listeners: () => [],
    ownAddresses: () => [],
  });

  it.each(['192.168.10.7', '::ffff:192.168.10.7', 'fd00:1::9', '10.1.2.3'])('opens %s', (address) => {
    expect(lan(address, 443)).toBeUndefined();
  });

  it.each(['192.168.11.7', '10.1.2.4', 'fd00:2::9', '127.0.0.1'])('leaves %s closed', (address) => {
    expect(lan(address, 443)).toBeTypeOf('string');
  });

  it('refuses a block that is none', () => {
    const make = () => addressPolicy({ allowPrivate: ['lan'], listeners: () => [], ownAddresses: () => [] });
    expect(make).toThrow();
  });
});

describe('own listeners', () => {
  const policy = addressPolicy({
    allowPrivate: ['0.0.0.0/0', '::/0'],
    listeners: () => [
      { address: '0.0.0.0', port: 8443 },
      { address: '::', port: 9443 },
      { address: '10.0.0.5', port: 7443 },
    ],
    ownAddresses: () => ['127.0.0.1', '10.0.0.5', '10.0.0.9', 'fe80::1%eth0'],
  });

  it.each([
    ['127.0.0.1', 8443],
    ['127.9.9.9', 8443],
    ['0.0.0.0', 8443],
    ['10.0.0.9', 8443],
    ['::ffff:10.0.0.9', 8443],
    ['::1', 9443],
    ['fe80::1', 9443],
    ['10.0.0.5', 7443],
    ['0.0.0.0', 7443],
  ] as const)('%s port %i is never called', (address, port) => {
    expect(policy(address, port)).toMatch(/this program itself/);
  });

  it.each([
    ['127.0.0.1', 8444],
    ['10.0.0.77', 8443],
    ['10.0.0.9', 7443],
  ] as const)('%s port %i follows the list', (address, port) => {
    expect(policy(address, port)).toBeUndefined();
  });
});
