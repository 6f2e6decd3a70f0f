import { describe, expect, it } from 'vitest';
import {
  type Link,
  type Member,
  type PeerLink,
  registersAtCarriers,
  rolesOf,
  seesHost,
  viewOfPeers,
} from '#appliance/site/peer/index.ts';

const link = (at: Link['at'], vip?: boolean): Link =>
  ({ at, receivedMs: 0, doubted: false, hello: vip === undefined ? undefined : { vip } }) as Link;
const members = ['a', 'b', 'c'].map((uid) => ({ uid, hostId: `host-${uid}` }) as Member);
const now: PeerLink = {
  view: { self: 'a', links: { b: link('up', false), c: link('lost', true) } },
  substitute: { hostId: 'host-b' },
  places: { sip: 'host-b', media: null },
  words: { 'host-b': 'ok', 'host-c': 'lost' },
};

describe('the other hosts as this one shows them', () => {
  it('are those of its link', () => {
    expect(viewOfPeers(now, { members, own: undefined })).toEqual({
      target: 'host-b',
      places: { sip: 'host-b', media: null },
      hasPeers: true,
      // A lost host is the last one that is known to have had the address.
      vip: 'host-c',
      answering: { 'host-b': true, 'host-c': false },
    });
  });

  it.each([
    ['host-a', { b: link('up', true) }, 'host-a'],
    [undefined, { b: link('up', true) }, 'host-b'],
    [undefined, { b: link('up', false), c: link('up') }, undefined],
    [undefined, {}, undefined],
  ] as const)('with the address at %s, and links %j, the holder is %s', (own, links, vip) => {
    expect(viewOfPeers({ ...now, view: { self: 'a', links } }, { members, own }).vip).toBe(vip);
  });

  it('have no substitute where none could serve', () => {
    expect(
      viewOfPeers({ ...now, substitute: undefined }, { members, own: undefined }).target,
    ).toBeUndefined();
  });
});

it.each([
  ['b', true],
  ['c', false],
  ['d', undefined],
] as const)('host %s is seen: %s', (uid, sees) => {
  expect(seesHost(now.view, uid)).toBe(sees);
  expect(seesHost(undefined, uid)).toBeUndefined();
});

it.each([
  [false, false, false, []],
  [true, false, false, ['vip']],
  [true, false, true, ['vip']],
  [false, true, true, ['leader']],
  [false, true, false, []],
  [true, true, true, ['vip', 'leader']],
])(
  'with the address: %s, with others: %s, leading: %s, the roles are %j',
  (hasAddress, hasOthers, leads, roles) => {
    expect(rolesOf({ hasAddress, hasOthers, leads })).toEqual(roles);
  },
);

it.each([
  [false, undefined, true],
  [false, false, true],
  [true, undefined, true],
  [true, true, true],
  [true, false, false],
])('with others: %s, leading: %s, this host registers at the carriers: %s', (hasOthers, leads, registers) => {
  expect(registersAtCarriers(hasOthers, leads)).toBe(registers);
});
