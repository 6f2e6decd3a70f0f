import { describe, expect, test } from 'vitest';
import { TrunkAdmission, type TrunkClaim } from '#appliance/sip/trunk/index.ts';
import { trunk } from './fixture.ts';

const equal = (a: string, b: string) => a === b;

const trunks = [
  trunk({ id: 'listed', ipAllowList: ['192.0.2.0/24', '2001:db8::/32'] }),
  trunk({ id: 'single', ipAllowList: ['198.51.100.7'] }),
  trunk({ id: 'shared-a', ipAllowList: ['203.0.113.0/24'], terminatingTrunkGroupId: 'a' }),
  trunk({ id: 'shared-b', ipAllowList: ['203.0.113.0/24'], terminatingTrunkGroupId: 'b' }),
  trunk({ id: 'keyed', trunkKey: 'secret', terminatingTrunkGroupId: 'g' }),
  trunk({
    id: 'out-only',
    direction: 'out',
    ipAllowList: ['100.64.0.1'],
    trunkKey: 'out',
    terminatingTrunkGroupId: 'o',
  }),
  trunk({ id: 'broken', ipAllowList: ['0.0.0.0/0', 'nonsense', '10.0.0.0/33', '::/0'] }),
];

describe('the origin of a request', () => {
  test.each<[string, TrunkClaim, string | undefined]>([
    ['an address in a block', { address: '192.0.2.200' }, 'listed'],
    ['an address outside every block', { address: '192.0.3.1' }, undefined],
    ['an IPv6 address in a block', { address: '2001:db8:1::5' }, 'listed'],
    ['IPv4 written in IPv6', { address: '::ffff:192.0.2.9' }, 'listed'],
    ['a single address', { address: '198.51.100.7' }, 'single'],
    ['its neighbour', { address: '198.51.100.8' }, undefined],
    ['a shared address without a group', { address: '203.0.113.1' }, 'shared-a'],
    ['a shared address with the group of the second', { address: '203.0.113.1', groupId: 'b' }, 'shared-b'],
    ['a shared address with an unknown group', { address: '203.0.113.1', groupId: 'z' }, 'shared-a'],
    ['group and key', { address: '10.1.1.1', groupId: 'g', key: 'secret' }, 'keyed'],
    ['the key of another group', { address: '10.1.1.1', groupId: 'a', key: 'secret' }, undefined],
    ['a wrong key', { address: '10.1.1.1', groupId: 'g', key: 'secreT' }, undefined],
    ['a key without a group', { address: '10.1.1.1', key: 'secret' }, undefined],
    ['a group without a key', { address: '10.1.1.1', groupId: 'g' }, undefined],
    ['a key goes before the address', { address: '192.0.2.1', groupId: 'g', key: 'secret' }, 'keyed'],
    ['a trunk for outgoing calls only, by address', { address: '100.64.0.1' }, undefined],
    ['a trunk for outgoing calls only, by key', { address: '10.1.1.1', groupId: 'o', key: 'out' }, undefined],
    ['blocks that cannot be read or hold everybody', { address: '10.0.0.1' }, undefined],
    ['what is no address', { address: 'carrier.example' }, undefined],
  ])('%s', (_name, claim, id) => {
    expect(new TrunkAdmission(trunks, equal).identify(claim)?.id).toBe(id);
  });

  test('every key is compared, right or wrong', () => {
    const compared: string[] = [];
    const admission = new TrunkAdmission(
      [
        trunk({ trunkKey: 'one', terminatingTrunkGroupId: 'g' }),
        trunk({ trunkKey: 'two', terminatingTrunkGroupId: 'h' }),
      ],
      (a, b) => {
        compared.push(a);
        return a === b;
      },
    );
    admission.identify({ address: '10.0.0.1', groupId: 'g', key: 'one' });
    expect(compared).toEqual(['one', 'two']);
  });
});
