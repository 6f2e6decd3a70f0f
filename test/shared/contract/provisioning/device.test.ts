import { describe, expect, it } from 'vitest';
import { RECEIVE_LIST, SEND_LIST } from '#shared/alarm-event/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import {
  ALARM_PROTOCOLS,
  deleteAllDevicesSchema,
  deviceAnswerSchema,
  deviceRequestSchema,
  deviceResponseSchema,
} from '#shared/contract/provisioning/index.ts';

const smallest = { deviceId: 'scaip-0001', authType: 'deviceid', srtp: 'negotiated' };

function refusedAt(device: object): string | undefined {
  const parsed = deviceRequestSchema.safeParse(device);
  return parsed.success ? undefined : invalid(parsed.error).path;
}

it('needs deviceId, authType and srtp, and adds nothing', () => {
  expect(deviceRequestSchema.parse(smallest)).toEqual(smallest);
});

/** Field, values that are accepted, values that are refused. */
const ROWS: readonly (readonly [field: string, good: readonly unknown[], bad: readonly unknown[]])[] = [
  ['deviceId', ['a', 'north:12345678:0042', 'A-b._:~+9'], ['', 'a b', 'å', 'a/b', undefined, 5]],
  ['authType', ['credentials', 'deviceid', 'disabled'], ['userId', '', undefined]],
  ['srtp', ['negotiated', 'alwaysWithTLS', 'always', 'never'], ['yes', '', undefined]],
  [
    'deviceType',
    [
      'sipDevice',
      'alarmbridgeGroupSchemeController',
      'alarmbridgeGroupSchemeUnit',
      'alarmbridgeConnectGateway',
      'alarmbridgeAlarmUnit',
      'jwtAuthenticatedOnDemandDevice',
      'alarmbridgeConnect',
      'groupScheme',
      'alarmUnit',
    ],
    ['alexa', '', 1],
  ],
  ['trunkGroupId', ['t1'], [1]],
  [
    'groupId',
    ['installer-a', 'installer-9:a~b+c.d_e'],
    ['installer-', 'installer', 'group-a', 'installer--a', 'a b'],
  ],
  ['description', ['', 'a'.repeat(200)], ['a'.repeat(201), 1]],
  ['deviceCLI', ['+46855511000'], [46]],
  ['macAddress', ['00:1a:2b:3c:4d:5e'], [1]],
  ['serviceData', [{}, { alarmBridge: {} }], [{ alarmbridge: {} }, [], 'x']],
];

describe.each(ROWS)('%s', (field, good, bad) => {
  it.each(good.map((value) => [value]))('accepts %j', (value) => {
    expect(deviceRequestSchema.parse({ ...smallest, [field]: value })).toHaveProperty(field, value);
  });
  it.each(bad.map((value) => [value]))('refuses %j', (value) => {
    const path =
      field === 'serviceData' && typeof value === 'object' && !Array.isArray(value) ? '/alarmbridge' : '';
    expect(refusedAt({ ...smallest, [field]: value })).toBe(`/${field}${path}`);
  });
});

describe('authType', () => {
  const user = { ...smallest, authType: 'userid', password: 'p' };
  const phone = { ...smallest, authType: 'credentials' };
  const ha1 = 'a'.repeat(32);
  it.each([
    [user],
    [{ ...user, password: '<secret>' }],
    [{ ...user, authorized: {} }],
    [{ ...user, authorized: { domain: 'a.example', invite: '^sip:1', register: true } }],
    [phone],
    [{ ...phone, ha1 }],
    [{ ...phone, ha1: 'F0'.repeat(32) }],
    [{ ...phone, ha1: '<secret>' }],
    [{ ...phone, digestAlgorithm: 'auto' }],
    [{ ...phone, digestAlgorithm: 'sha256' }],
    [{ ...phone, ha1, digestAlgorithm: 'md5' }],
    [{ ...phone, ha1: '<secret>', digestAlgorithm: 'sha256' }],
    [{ ...smallest, authType: 'disabled' }],
  ])('accepts %j', (device) => {
    expect(deviceRequestSchema.parse(device)).toEqual(device);
  });
  it.each([
    [{ ...smallest, authType: 'userid' }, '/password'],
    [{ ...user, password: '' }, '/password'],
    [{ ...phone, password: 'p' }, '/password'],
    [{ ...smallest, password: 'p' }, '/password'],
    [{ ...user, ha1 }, '/ha1'],
    [{ ...smallest, ha1 }, '/ha1'],
    [{ ...phone, ha1: 'abc' }, '/ha1'],
    [{ ...phone, ha1: 'g'.repeat(32) }, '/ha1'],
    [{ ...phone, authorized: {} }, '/authorized'],
    [{ ...phone, digestAlgorithm: 'sha-512' }, '/digestAlgorithm'],
    [{ ...smallest, digestAlgorithm: 'md5' }, '/digestAlgorithm'],
    [{ ...phone, ha1, digestAlgorithm: 'sha256' }, '/digestAlgorithm'],
    [{ ...phone, ha1: 'F0'.repeat(32), digestAlgorithm: 'md5' }, '/digestAlgorithm'],
    [{ ...user, authorized: { invite: '(' } }, '/authorized/invite'],
    [{ ...user, authorized: { register: 'yes' } }, '/authorized/register'],
    [{ ...user, authorized: { domain: '' } }, '/authorized/domain'],
    [{ ...user, authorized: { sip: true } }, '/authorized/sip'],
  ])('refuses %j', (device, path) => {
    expect(refusedAt(device)).toBe(path);
  });
});

describe('serviceData.alarmBridge', () => {
  const withSettings = (alarmBridge: object) => ({ ...smallest, serviceData: { alarmBridge } });
  it.each([
    { heartbeatInterval: 3_600_000 },
    ...ALARM_PROTOCOLS.filter((name) => name !== 'deviceProvisioned').map((alarmProtocol) => ({
      alarmProtocol,
    })),
    { voiceDestination: 'sip:a@b.example' },
    { emergencyDestination: '112' },
    { usePredefinedDestination: true },
    { destinationRewrite: '+46$1' },
    { overrideInAlarmEvent: {} },
    { overrideInAlarmEvent: { priority: 0, controllerId: '1', deviceId: '2', audio: 'simplex' } },
    { dc09: { encryptionRequired: true } },
  ])('accepts %j', (settings) => {
    expect(deviceRequestSchema.parse(withSettings(settings)).serviceData?.alarmBridge).toEqual(settings);
  });
  it.each([
    [{ heartbeatInterval: 0 }, '/heartbeatInterval'],
    [{ heartbeatInterval: '300000' }, '/heartbeatInterval'],
    [{ alarmProtocol: 'deviceProvisioned' }, '/alarmProtocol'],
    [{ alarmProtocol: 'x' }, '/alarmProtocol'],
    [{ voiceDestination: 1 }, '/voiceDestination'],
    [{ emergencyDestination: 1 }, '/emergencyDestination'],
    [{ usePredefinedDestination: 'yes' }, '/usePredefinedDestination'],
    [{ destinationRewrite: 1 }, '/destinationRewrite'],
    [{ overrideInAlarmEvent: { deviceType: 'bicycle' } }, '/overrideInAlarmEvent/deviceType'],
    [{ overrideInAlarmEvent: { statusCode: 'broken' } }, '/overrideInAlarmEvent/statusCode'],
    [{ overrideInAlarmEvent: { location: 'attic' } }, '/overrideInAlarmEvent/location'],
    [{ overrideInAlarmEvent: { deviceComponent: 'x' } }, '/overrideInAlarmEvent/deviceComponent'],
    [{ overrideInAlarmEvent: { systemConfig: 'x' } }, '/overrideInAlarmEvent/systemConfig'],
    [{ overrideInAlarmEvent: { audio: 'stereo' } }, '/overrideInAlarmEvent/audio'],
    [{ overrideInAlarmEvent: { priority: 10 } }, '/overrideInAlarmEvent/priority'],
    [{ overrideInAlarmEvent: { priority: -1 } }, '/overrideInAlarmEvent/priority'],
    [{ overrideInAlarmEvent: { priority: '1' } }, '/overrideInAlarmEvent/priority'],
    [{ overrideInAlarmEvent: { controllerId: '' } }, '/overrideInAlarmEvent/controllerId'],
    [{ overrideInAlarmEvent: { deviceId: '' } }, '/overrideInAlarmEvent/deviceId'],
    [{ overrideInAlarmEvent: { eventType: 'common' } }, '/overrideInAlarmEvent/eventType'],
    [{ dc09: { key: 'x' } }, '/dc09/key'],
    [{ unknown: 1 }, '/unknown'],
  ])('refuses %j', (settings, path) => {
    expect(refusedAt(withSettings(settings))).toBe(`/serviceData/alarmBridge${path}`);
  });

  it('overrides with the words of both lists', () => {
    for (const field of ['deviceType', 'statusCode', 'location'] as const) {
      for (const word of [...SEND_LIST[field], ...RECEIVE_LIST[field]]) {
        expect(refusedAt(withSettings({ overrideInAlarmEvent: { [field]: word } })), word).toBeUndefined();
      }
    }
  });
});

it('ignores what only the service sets, so that what GET gave can be PUT', () => {
  const got = {
    ...smallest,
    lastConfigured: 1,
    heartbeatStatus: 'online',
    heartbeatExpiration: 1_790_000_000_000,
    success: true,
  };
  expect(deviceRequestSchema.parse({ ...got, reason: 'x' })).toEqual(smallest);
  expect(deviceAnswerSchema.parse(got)).toEqual(got);
  const { success: _, ...listed } = got;
  expect(deviceResponseSchema.parse(listed)).toEqual(listed);
});

it('refuses an unknown property', () => {
  expect(refusedAt({ ...smallest, deviceid: 'x' })).toBe('/deviceid');
});

it('deletes all devices only with the confirmation', () => {
  expect(deleteAllDevicesSchema.parse({})).toEqual({ confirmDeleteAll: false });
  expect(deleteAllDevicesSchema.safeParse({ confirmDeleteAll: 'true' }).success).toBe(false);
});
