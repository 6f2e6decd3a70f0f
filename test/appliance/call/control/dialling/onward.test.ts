import { describe, expect, it } from 'vitest';
import { type LegPeer, Onward, peerAt } from '#appliance/call/control/dialling/onward.ts';

const DEVICE: LegPeer = { kind: 'device', deviceId: 'phone', trunkGroupId: 'g' };
const TRUNK: LegPeer = { kind: 'trunk', trunkId: 't' };
const OUTSIDE: LegPeer = { kind: 'outside', host: 'far.test' };
/** The route behind each address. */
const KIND: Readonly<Record<string, string>> = {
  'sip:unit@care.example': 'device',
  'sip:alarm@care.example': 'receiver',
  'sip:menu@care.example': 'application',
  'sip:0123@care.example': 'number',
  'sip:b@far.test': 'address',
  'sip:b@trunk.test': 'address',
  'sip:b@other.test': 'address',
  'sip:nobody@care.example': 'refused',
};

function room() {
  const leg = {} as never;
  const other = {} as never;
  const routed: unknown[] = [];
  const onward = new Onward({
    router: {
      mayCall: (_device: string, uri: string) => uri !== 'sip:forbidden@care.example',
      routeTo: (uri: string, options: unknown) => {
        routed.push(options);
        return { kind: KIND[uri] ?? 'device', uri };
      },
    } as never,
    trunks: { owns: (id: string, host: string) => id === 't' && host === 'trunk.test' } as never,
    targets: {
      of: ({ kind }: { kind: string }) => [[kind]],
      address: () => [['address']],
      atTrunk: (id: string) => [[`at ${id}`]],
    } as never,
  });
  return { onward, leg, other, routed };
}

const callOf = (byTrunk?: true, more: object = {}) =>
  ({
    plan: { policy: {}, mayReachServices: true, ...more },
    origin: { hopsLeft: 9, ...(byTrunk && { byTrunk }) },
  }) as never;

const groups = (peer: LegPeer | undefined, uri: string, by: 'REFER' | '3xx', byTrunk?: true): string => {
  const { onward, leg } = room();
  if (peer !== undefined) onward.met(leg, peer);
  const found = onward.groups(callOf(byTrunk), leg, uri, by);
  return found.length === 0 ? 'nobody' : found.flat().join();
};

describe('where a peer may send a call on to', () => {
  it.each([
    // address, device, trunk by REFER, trunk by 3xx, outside
    ['sip:unit@care.example', 'device', 'device', 'device', 'device'],
    ['sip:alarm@care.example', 'receiver', 'receiver', 'receiver', 'nobody'],
    ['sip:menu@care.example', 'application', 'application', 'application', 'nobody'],
    ['sip:0123@care.example', 'number', 'number', 'nobody', 'nobody'],
    ['sip:b@far.test', 'address', 'nobody', 'nobody', 'address'],
    ['sip:b@trunk.test', 'address', 'at t', 'at t', 'nobody'],
    ['sip:b@other.test', 'address', 'nobody', 'nobody', 'nobody'],
    ['sip:nobody@care.example', 'nobody', 'nobody', 'nobody', 'nobody'],
  ])('%s', (uri, device, refer, redirect, outside) => {
    const found = [
      groups(DEVICE, uri, '3xx'),
      groups(TRUNK, uri, 'REFER'),
      groups(TRUNK, uri, '3xx'),
      groups(OUTSIDE, uri, 'REFER'),
    ];
    expect(found).toEqual([device, refer, redirect, outside]);
  });

  it('is nowhere for a peer that is not known, and for an address that a device may not call', () => {
    expect(groups(undefined, 'sip:unit@care.example', 'REFER')).toBe('nobody');
    expect(groups(DEVICE, 'sip:forbidden@care.example', 'REFER')).toBe('nobody');
  });

  it.each([
    ['sip:0123@care.example', 'nobody', 'nobody'],
    ['sip:b@far.test', 'nobody', 'nobody'],
    ['sip:b@trunk.test', 'nobody', 'at t'],
    ['sip:unit@care.example', 'device', 'device'],
  ])('%s in a call that came by a trunk', (uri, device, trunk) => {
    expect([groups(DEVICE, uri, 'REFER', true), groups(TRUNK, uri, 'REFER', true)]).toEqual([device, trunk]);
  });

  it('uses the trunks of the device that asks, else those of the call', () => {
    const { onward, leg, other, routed } = room();
    onward.met(leg, DEVICE);
    onward.met(other, { kind: 'device', deviceId: 'plain', trunkGroupId: undefined });
    const call = callOf(undefined, { trunkGroupId: 'of call', mayReachServices: false });
    for (const each of [leg, other]) onward.groups(call, each, 'sip:0123@care.example', 'REFER');
    const rest = { hopsLeft: 9, mayReachServices: false };
    expect(routed).toEqual([
      { ...rest, trunkGroupId: 'g' },
      { ...rest, trunkGroupId: 'of call' },
    ]);
  });
});

describe('a transfer that a trunk does itself', () => {
  it.each([
    ['a device asks a trunk for its own host', DEVICE, TRUNK, 'sip:b@trunk.test', true],
    ['a trunk asks a trunk for its own host', TRUNK, TRUNK, 'sip:b@trunk.test', true],
    ['another host', DEVICE, TRUNK, 'sip:b@other.test', false],
    ['the other side is no trunk', DEVICE, DEVICE, 'sip:b@trunk.test', false],
    ['the asker is outside', OUTSIDE, TRUNK, 'sip:b@trunk.test', false],
    ['the asker is not known', undefined, TRUNK, 'sip:b@trunk.test', false],
    ['the device may not call it', DEVICE, TRUNK, 'sip:forbidden@care.example', false],
  ] as const)('%s: %s', (_name, asker, asked, uri, passes) => {
    const { onward, leg, other } = room();
    if (asker !== undefined) onward.met(leg, asker);
    onward.met(other, asked);
    expect(onward.passes(leg, other, uri)).toBe(passes);
  });
});

describe('the peer at a target', () => {
  const router = {
    deviceCaller: (deviceId: string) => ({ kind: 'device', deviceId, trunkGroupId: undefined }),
  } as never;
  it.each([
    [
      { deviceId: 'unit', uri: 'sip:unit@192.0.2.1' },
      { kind: 'device', deviceId: 'unit', trunkGroupId: undefined },
    ],
    [
      { trunkId: 't', uri: 'sip:0123@trunk.test' },
      { kind: 'trunk', trunkId: 't' },
    ],
    [{ uri: 'sip:b@far.test:5070' }, { kind: 'outside', host: 'far.test' }],
    [{ uri: 'tel:0123' }, { kind: 'outside', host: '' }],
  ])('%j', (target, peer) => {
    expect(peerAt(target as never, router)).toEqual(peer);
  });
});
