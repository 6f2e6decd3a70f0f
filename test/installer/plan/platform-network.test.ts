import { describe, expect, test } from 'vitest';
import { networkPlan, type PlatformNetworkInfo, platformNetwork } from '#installer/plan/index.ts';

const facts: PlatformNetworkInfo = {
  interfaces: [
    { name: 'eth0', addresses: ['10.0.0.5/24'], owners: ['networkd'] },
    { name: 'eth1', addresses: ['192.168.7.2/24'], owners: ['networkd'] },
  ],
  route: { name: 'eth0', gateway: '10.0.0.1' },
  names: { dns: ['10.0.0.1'], search: ['care.example'], ntp: ['10.0.0.2'] },
};
const [eth0, eth1] = facts.interfaces;
const owned = (...owners: NonNullable<typeof eth0>['owners']): PlatformNetworkInfo => ({
  ...facts,
  interfaces: [{ name: 'eth0', addresses: ['10.0.0.5/24'], owners }],
});
const base = { name: 'eth0', ...facts.names, gateway: '10.0.0.1' };

const changes: readonly (readonly [string, readonly string[], number, PlatformNetworkInfo, object])[] = [
  ['one address goes to the interface of the route', ['10.0.0.6'], 24, facts, { address: '10.0.0.6/24' }],
  [
    'several go there too',
    ['10.0.0.6', '10.0.0.7'],
    24,
    facts,
    { address: '10.0.0.6/24', further: ['10.0.0.7/24'] },
  ],
  [
    'what another interface has stays there',
    ['192.168.7.2', '10.0.0.6'],
    24,
    facts,
    { address: '10.0.0.6/24' },
  ],
  ['another prefix is another request', ['10.0.0.5'], 16, facts, { address: '10.0.0.5/16' }],
];

const refusals: readonly (readonly [string, readonly string[], number, PlatformNetworkInfo, string])[] = [
  ['no interface is meant', ['10.0.0.6'], 24, { ...facts, route: undefined }, 'no-route'],
  [
    'the route leads over something without addresses',
    ['10.0.0.6'],
    24,
    { ...facts, route: { name: 'tun0', gateway: undefined } },
    'no-route',
  ],
  ['no program owns it', ['10.0.0.6'], 24, owned(), 'no-owner'],
  ['ifupdown owns it', ['10.0.0.6'], 24, owned('ifupdown'), 'no-owner'],
  ['two own it', ['10.0.0.6'], 24, owned('networkd', 'NetworkManager'), 'no-owner'],
  ['the gateway would be out of reach', ['10.1.0.6'], 24, facts, 'gateway-outside'],
  ['the prefix is too long for the gateway', ['10.0.0.6'], 30, facts, 'gateway-outside'],
  ['a word is no address', ['10.0.0.6', 'eth0'], 24, facts, 'no-address'],
  ['families are mixed', ['10.0.0.6', 'fd00::6'], 24, facts, 'no-address'],
  ['the prefix is none of the family', ['10.0.0.6'], 64, facts, 'no-address'],
  ['there is no address', [], 24, facts, 'no-address'],
];

describe('addresses that the control plane asks for', () => {
  test.each(changes)('%s', (_, addresses, prefix, found, request) => {
    expect(platformNetwork({ addresses, prefix }, found)).toEqual({
      kind: 'change',
      owner: 'networkd',
      request: { ...base, ...request },
    });
  });

  test.each(refusals)('are refused when %s', (_, addresses, prefix, found, why) => {
    expect(platformNetwork({ addresses, prefix }, found)).toMatchObject({ kind: 'refused', why });
  });

  test('are in force when every one is there, on whatever interface', () => {
    const request = { addresses: ['10.0.0.5', '192.168.7.2'], prefix: 24 };
    expect(platformNetwork(request, facts)).toEqual({ kind: 'inForce' });
    expect(
      platformNetwork({ ...request, addresses: ['10.0.0.5'] }, { ...facts, interfaces: [] }),
    ).toMatchObject({
      kind: 'refused',
    });
  });

  test('may have a gateway of the link itself with IPv6', () => {
    const six = { ...facts, route: { name: 'eth1', gateway: 'fe80::1' } };
    expect(platformNetwork({ addresses: ['fd00::6'], prefix: 64 }, six)).toMatchObject({
      kind: 'change',
      request: { name: eth1?.name, address: 'fd00::6/64', gateway: 'fe80::1' },
    });
  });

  test('leave the other family of the interface as it is', () => {
    const other = { dynamic: false, addresses: ['fd00::5/64'], gateway: 'fd00::1' };
    expect(platformNetwork({ addresses: ['10.0.0.6'], prefix: 24 }, { ...facts, other })).toMatchObject({
      request: { address: '10.0.0.6/24', other },
    });
  });

  test.each(['networkd', 'netplan', 'NetworkManager'] as const)('are all written for %s', (owner) => {
    const step = platformNetwork({ addresses: ['10.0.0.6', '10.0.0.7'], prefix: 24 }, owned(owner));
    if (step.kind !== 'change') throw new Error('not a change');
    const text = JSON.stringify(networkPlan(step.owner, step.request));
    expect(text).toMatch(
      {
        networkd: /Address=10.0.0.6\/24\\nAddress=10.0.0.7\/24/,
        netplan: /10.0.0.6\/24.*, .*10.0.0.7\/24/,
        NetworkManager: /address1=10.0.0.6\/24,10.0.0.1\\naddress2=10.0.0.7\/24/,
      }[owner],
    );
  });
});
