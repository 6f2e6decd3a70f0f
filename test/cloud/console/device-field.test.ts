import { describe, expect, it } from 'vitest';
import { strangeFields, written } from '#cloud/console/page/device/device-field.ts';
import { deviceRequestSchema } from '#shared/contract/provisioning/index.ts';

const stored = {
  deviceId: 'unit-7',
  authType: 'credentials',
  srtp: 'always',
  deviceType: 'alarmUnit',
  ha1: '939e7578ed9e3c518a452acee763bce9',
  digestAlgorithm: 'md5',
  heartbeatStatus: 'online',
};

describe('a device of another authentication', () => {
  it.each(['deviceid', 'disabled', 'userid', 'credentials'])('%s: keeps kind and encryption', (authType) => {
    const device = written({ ...stored, authType });
    expect(device).toMatchObject({ authType, srtp: 'always', deviceType: 'alarmUnit' });
    expect(device).not.toHaveProperty('heartbeatStatus');
    for (const name of strangeFields(authType)) expect(device).not.toHaveProperty(name);
  });

  it('is one that the service takes', () => {
    const taken = (values: object) =>
      deviceRequestSchema.safeParse(written({ ...stored, ...values })).success;
    expect(taken({ authType: 'deviceid', authorized: { register: true } })).toBe(true);
    expect(taken({ authType: 'userid', password: 'a tablet', authorized: { register: true } })).toBe(true);
    expect(taken({})).toBe(true);
  });
});
