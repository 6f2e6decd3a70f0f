import { describe, expect, it } from 'vitest';
import { addressOf, identityOf, targetOf } from '#appliance/alarm/sending/order/send-target.ts';
import { orderOfUnit, orderTenant } from './order-room.ts';

type Fields = Readonly<Record<string, unknown>>;
const ENDPOINT = { protocol: 'scaip', destAddr: 'sip:arc@example.com' };
const BACKUP = { backupDestAddr: 'sip:arc@backup.example' };

/** The target of an order of `mapper-1`, or why there is none. */
function targetFor(endpoint: Fields | undefined, mapper: Fields = {}, order: Fields = {}) {
  const made = orderTenant();
  made.mapper(endpoint, mapper);
  const target = targetOf(orderOfUnit({ mapperId: 'mapper-1', ...order }), made.tenant);
  if (!target.ok) throw new Error(target.error.reason);
  return target.value;
}

describe('the user that an event comes from', () => {
  it.each<[string, Fields, Fields, Fields, string]>([
    ['the device', {}, {}, {}, 'unit@care.example'],
    [
      'the user that we authenticate as',
      { sipAuthUser: 'login', sipAuthPassword: 'p' },
      {},
      {},
      'login@care.example',
    ],
    [
      'sipFrom of the request',
      { sipAuthUser: 'login', sipAuthPassword: 'p' },
      {},
      { sipFrom: 'asked' },
      'asked@care.example',
    ],
    ['the id of the device', {}, { useDeviceIdAsSipFrom: true }, { sipFrom: 'asked' }, '0007@care.example'],
    ['overrideSipFrom', { overrideSipFrom: '4711' }, { useDeviceIdAsSipFrom: true }, {}, '4711@care.example'],
    [
      'a whole address',
      { overrideSipFrom: 'sip:4711@arc.example' },
      { fromDomain: 'from.example' },
      {},
      '4711@arc.example',
    ],
    ['fromDomain', {}, { fromDomain: 'from.example' }, {}, 'unit@from.example'],
    [
      'the controller of an event without a calling party',
      {},
      {},
      { callingParty: '' },
      '12345678@care.example',
    ],
  ])('is %s', (_, endpoint, mapper, order, expected) => {
    const { from } = targetFor({ ...ENDPOINT, ...endpoint }, mapper, order).addresses.primary;
    expect(`${from.user}@${from.host}`).toBe(expected);
  });
});

describe('the transports to a receiver', () => {
  it('are one without a backup, whichever is asked for', () => {
    const target = targetFor(ENDPOINT);
    expect(target.addresses.backup).toBeUndefined();
    for (const route of ['primary', 'backup'] as const)
      expect(addressOf(target, route).destination).toBe('sip:arc@example.com');
  });

  it('are two with a backup, which has the login and the voice destination of the first unless it has its own', () => {
    const first = {
      ...ENDPOINT,
      sipAuthUser: 'u',
      sipAuthPassword: 'p',
      defaultVoiceDestination: 'sip:voice@example.com',
    };
    const shared = targetFor({ ...first, backupEndpoint: BACKUP });
    expect(addressOf(shared, 'backup')).toEqual({
      ...shared.addresses.primary,
      destination: 'sip:arc@backup.example',
    });
    const own = targetFor({
      ...first,
      backupEndpoint: {
        ...BACKUP,
        backupSipAuthUser: 'v',
        backupSipAuthPassword: 'q',
        backupOverrideSipFrom: '4712',
        backupDefaultVoiceDestination: 'sip:voice@backup.example',
      },
    });
    expect(addressOf(own, 'backup')).toMatchObject({
      from: { user: '4712' },
      login: { username: 'v', password: 'q' },
      voiceDestination: 'sip:voice@backup.example',
    });
  });

  it('lead to the voice destination when only speech is wanted', () => {
    const target = targetFor(
      { ...ENDPOINT, defaultVoiceDestination: 'sip:voice@example.com' },
      {},
      { voiceOnly: true },
    );
    expect([target.protocol, target.addresses.primary.destination]).toEqual([
      'voicecall',
      'sip:voice@example.com',
    ]);
  });
});

describe('a target', () => {
  it('has the fields that let us in, the longest session in ms, and its trunk group', () => {
    const trunk = { terminatingTrunkGroupId: 'group', trunkKey: 'key' };
    expect(targetFor({ ...ENDPOINT, ...trunk }, { maxSessionDuration: 120 })).toMatchObject({
      headers: [
        ['X-Terminating-Trunk-Group-Id', 'group'],
        ['X-Trunk-Key', 'key'],
      ],
      deadlineMs: 120_000,
      trunkGroupId: 'group',
    });
  });

  it('rewrites the caller of its voice calls', () => {
    const rules = { voiceCallSipFromUserMatch: '^0(.*)$', voiceCallSipFromUserRewrite: '+46$1' };
    const { voiceFrom } = targetFor(ENDPOINT, rules);
    expect([voiceFrom('0812'), voiceFrom('812')]).toEqual(['+46812', '812']);
    expect(targetFor(ENDPOINT).voiceFrom('0812')).toBe('0812');
  });

  it('is named by the request when that has no event sender', () => {
    const { tenant } = orderTenant();
    const direct = { protocol: 'scaip', destAddr: 'sip:a@b.example', username: 'u', password: 'p' } as const;
    const target = targetOf(orderOfUnit({ direct }), tenant);
    expect(target).toMatchObject({
      ok: true,
      value: {
        protocol: 'scaip',
        mapper: undefined,
        headers: [],
        addresses: {
          primary: {
            destination: 'sip:a@b.example',
            from: { user: 'u', host: 'care.example' },
            login: { username: 'u', password: 'p' },
          },
        },
      },
    });
  });

  it('is the callback of its bridge for an event for an application', () => {
    const made = orderTenant();
    made.mapper(undefined, { alarmHandling: 'callback' });
    made.bridge({ id: 'bridge-1', protocol: 'api', callbackBaseUrl: 'https://app.example/cb/' });
    const order = orderOfUnit({ mapperId: 'mapper-1', bridgeId: 'bridge-1', toApplication: true });
    expect(targetOf(order, made.tenant)).toMatchObject({
      ok: true,
      value: {
        protocol: 'callback',
        addresses: { primary: { destination: expect.stringMatching(/^https:\/\/app\.example\/cb\/[a-z]/i) } },
      },
    });
  });
});

describe('a missing transport', () => {
  it.each<[string, Fields, (made: ReturnType<typeof orderTenant>) => void, string]>([
    ['without a receiver', {}, () => undefined, 'no receiver was named'],
    ['when the event sender was removed', { mapperId: 'mapper-1' }, () => undefined, 'mapper-1'],
    [
      'when the event sender has no target',
      { mapperId: 'mapper-1' },
      (made) => made.mapper(),
      'no targetEndpoint',
    ],
    [
      'to an application that no bridge names',
      { mapperId: 'mapper-1', toApplication: true },
      (made) => made.mapper(undefined, { alarmHandling: 'callback' }),
      'its alarm bridge names none',
    ],
  ])('%s', (_, order, provision, reason) => {
    const made = orderTenant();
    provision(made);
    expect(targetOf(orderOfUnit(order), made.tenant)).toMatchObject({
      ok: false,
      error: { code: 'noRoute', reason: expect.stringContaining(reason) },
    });
  });
});

it('an identity is shaped as its event sender says, and left as it is without one', () => {
  const plain = { controllerIdPadLength: 0, deviceIdPadLength: 0, mapDeviceIdToControllerId: false };
  expect(identityOf(undefined)).toEqual(plain);
  const made = orderTenant();
  made.mapper(undefined, { controllerIdPadLength: 8, mapDeviceIdToControllerId: true });
  expect(identityOf(made.tenant.mapper('mapper-1'))).toEqual({
    ...plain,
    controllerIdPadLength: 8,
    mapDeviceIdToControllerId: true,
  });
});
