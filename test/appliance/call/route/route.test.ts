import { describe, expect, it } from 'vitest';
import {
  type Caller,
  type RouteDirectory,
  type RouteQuestion,
  routeOf,
} from '#appliance/call/route/index.ts';

const directory: RouteDirectory = {
  isHere: (host) => host === 'care.example' || host === '192.0.2.1',
  isNeighbour: (host, port) => host === '192.0.2.1' && port !== 5060,
  device: (user) => (user === 'anna' || user === '100' ? user : undefined),
  receiver: (user) => (user.startsWith('alarm') || user === '100' ? 'bridge' : undefined),
  strayReceiver: (user) => (/^(scaip|ivr|alarm)/.test(user) ? 'wide' : undefined),
  application: (user) => (user === 'ivr' ? { service: 'mediaservice', id: 'm1' } : undefined),
  takesNumber: (number, group) => number.startsWith('+46') && (group === undefined || group === 'north'),
};

const device: Caller = { kind: 'device', deviceId: 'bo', trunkGroupId: undefined };
const trunk: Caller = { kind: 'trunk', trunkId: 't1' };
const own: Caller = { kind: 'own', trunkGroupId: undefined };

const ask = (user: string, parts: Partial<RouteQuestion> = {}) =>
  routeOf(
    {
      caller: device,
      user,
      host: 'care.example',
      uri: `sip:${user}@${parts.host ?? 'care.example'}`,
      hopsLeft: 70,
      cameBack: false,
      mayReachServices: true,
      ...parts,
    },
    directory,
  );

describe('where a call goes', () => {
  it.each([
    ['anna', { kind: 'device', deviceId: 'anna' }],
    // A device goes before a receiver whose pattern fits, too.
    ['100', { kind: 'device', deviceId: '100' }],
    ['alarm1', { kind: 'receiver', id: 'bridge', user: 'alarm1' }],
    ['ivr', { kind: 'application', service: 'mediaservice', id: 'm1', user: 'ivr' }],
    ['+4685551', { kind: 'number', number: '+4685551', trunkGroupId: undefined }],
    // A receiver of messages takes those that would find no other, and nothing else.
    ['scaip', { kind: 'receiver', id: 'wide', user: 'scaip' }],
  ])('%s', (user, route) => expect(ask(user)).toEqual(route));

  it.each([
    ['nobody', {}, 404],
    ['+1555', {}, 404],
    ['+4685551', { caller: { ...device, trunkGroupId: 'south' } }, 404],
    ['anna', { hopsLeft: 0 }, 483],
    ['+4685551', { hopsLeft: 0 }, 483],
    ['x', { hopsLeft: 0, host: 'elsewhere.example' }, 483],
    ['alarm1', { hopsLeft: 0, host: 'elsewhere.example' }, 483],
    // A device goes before a receiver, here too; what we send ourselves may be a loop.
    ['100', { hopsLeft: 0 }, 483],
    ['alarm1', { hopsLeft: 0, caller: own }, 483],
    ['alarm1', { hopsLeft: 0, cameBack: true }, 482],
    ['anna', { cameBack: true }, 482],
    // A call from outside leaves by no trunk and is relayed nowhere.
    ['+4685551', { caller: trunk }, 404],
    ['x', { caller: trunk, host: 'elsewhere.example' }, 404],
    // enforceIvrDestination
    ['alarm1', { caller: own, mayReachServices: false }, 482],
    ['ivr', { caller: own, mayReachServices: false }, 482],
  ] as const)('%s is refused %o: %i', (user, parts, status) => {
    const route = ask(user, parts);
    expect(route.kind === 'refused' && route.status).toBe(status);
  });

  it.each([device, trunk])('an alarm whose hops are used up has arrived ($kind)', (caller) => {
    expect(ask('alarm1', { hopsLeft: 0, caller })).toMatchObject({ kind: 'receiver', id: 'bridge' });
    expect(ask('ivr', { hopsLeft: 0, caller })).toMatchObject({ kind: 'application', id: 'm1' });
  });

  it('takes numbers of a tel URI and of the group of the device', () => {
    const caller: Caller = { ...device, trunkGroupId: 'north' };
    expect(ask('+46-8(55)', { host: '', caller })).toMatchObject({ kind: 'number', trunkGroupId: 'north' });
  });

  it('lets devices and our own calls out to other addresses', () => {
    const outside = { host: 'elsewhere.example' };
    expect(ask('x', outside)).toEqual({ kind: 'address', uri: 'sip:x@elsewhere.example' });
    expect(ask('x', { ...outside, caller: own }).kind).toBe('address');
  });

  it('lets them out to another program at our own address, unless the target is here', () => {
    const beside = { host: '192.0.2.1', port: 5070, uri: 'sip:x@192.0.2.1:5070' };
    expect(ask('x', beside)).toEqual({ kind: 'address', uri: 'sip:x@192.0.2.1:5070' });
    expect(ask('x', { ...beside, caller: own }).kind).toBe('address');
    for (const [user, kind] of [
      ['anna', 'device'],
      ['alarm1', 'receiver'],
      ['scaip', 'receiver'],
      ['ivr', 'application'],
      ['+4685551', 'number'],
    ] as const)
      expect(ask(user, beside).kind).toBe(kind);
    expect(ask('x', { ...beside, caller: trunk })).toMatchObject({ kind: 'refused', status: 404 });
    expect(ask('x', { ...beside, port: 5060 })).toMatchObject({ kind: 'refused', status: 404 });
    expect(ask('x', { ...beside, port: undefined })).toMatchObject({ kind: 'refused', status: 404 });
    expect(ask('x', { ...beside, host: 'care.example' })).toMatchObject({ kind: 'refused', status: 404 });
  });
});
