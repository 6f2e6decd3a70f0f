import { expect, it } from 'vitest';
import {
  alarmBridgeRequestSchema,
  replicatedAlarmBridgeSchema,
  replicatedDeviceSchema,
  replicatedNotificationSettingsSchema,
} from '#shared/contract/provisioning/index.ts';

const bridge = {
  ...alarmBridgeRequestSchema.parse({
    protocol: 'scaip',
    name: 'a',
    destinationMatch: '^scaip$',
    restAuthentication: [{ secret: 'in the clear' }],
  }),
  id: '01j9',
  callbackId: '01ja',
};

it('a bridge arrives as it is stored', () => {
  expect(replicatedAlarmBridgeSchema.parse(bridge)).toEqual(bridge);
  const { id: _, ...nameless } = bridge;
  expect(replicatedAlarmBridgeSchema.safeParse(nameless).success).toBe(false);
});

it('the additions of a newer cloud are dropped, its changes are refused', () => {
  expect(replicatedAlarmBridgeSchema.parse({ ...bridge, novelty: 1 })).toEqual(bridge);
  expect(replicatedAlarmBridgeSchema.safeParse({ ...bridge, protocol: 'novelty' }).success).toBe(false);
  expect(replicatedAlarmBridgeSchema.safeParse({ ...bridge, destinationMatch: '(' }).success).toBe(false);
  expect(replicatedNotificationSettingsSchema.parse({ alarmFromEdge: false, novelty: 1 })).toEqual({
    alarmFromEdge: false,
  });
});

it('a device arrives with what proves its password, never with the password', () => {
  const device = {
    deviceId: 'a',
    authType: 'credentials',
    srtp: 'never',
    digest: { md5: '0a', sha256: '0b' },
  };
  expect(replicatedDeviceSchema.parse({ ...device, password: 'x', ha1: 'y', novelty: 1 })).toEqual(device);
  const user = { deviceId: 'b', authType: 'userid', srtp: 'never', passwordHash: '$argon2id$v=19$x' };
  expect(replicatedDeviceSchema.parse(user)).toEqual(user);
});
