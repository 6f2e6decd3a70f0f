import { describe, expect, it } from 'vitest';
import {
  destinationOf,
  deviceOf,
  receiversFor,
  simulation,
} from '#cloud/console/page/device-wizard/device-kind.ts';

const receivers = [
  { id: 'a', protocol: 'scaip', destinationMatch: '^scaip$' },
  { id: 'b', protocol: 'bs8521', destinationMatch: '^\\+46' },
  { id: 'c', protocol: 'dc09' },
];

describe('the wizard of a new device', () => {
  it('offers the receivers that understand its kind', () => {
    const ids = (kind: Parameters<typeof receiversFor>[0]) =>
      receiversFor(kind, receivers).map(({ id }) => id);
    expect([ids('message'), ids('tone'), ids('panel')]).toEqual([['a'], ['b'], ['c']]);
  });
  it('names the destination where the pattern has one alone', () => {
    expect(receivers.map(destinationOf)).toEqual(['scaip', undefined, undefined]);
  });
  it('gives each kind the proof that such a device can give', () => {
    const draft = { deviceId: ' room-1 ', number: '+46855512345', hasPassword: true };
    expect(deviceOf({ ...draft, kind: 'message' })).toEqual({
      ...{ deviceId: 'room-1', authType: 'credentials', srtp: 'negotiated', deviceType: 'alarmUnit' },
    });
    expect(deviceOf({ ...draft, kind: 'message', hasPassword: false }).authType).toBe('deviceid');
    expect(deviceOf({ ...draft, kind: 'tone' })).toMatchObject({
      authType: 'disabled',
      deviceCLI: '+46855512345',
    });
    expect(deviceOf({ ...draft, kind: 'panel', number: '' })).not.toHaveProperty('deviceCLI');
  });
  it('has a command that plays a device of messages, and none for the others', () => {
    const at = { host: '10.0.0.7', domain: 'care.example', destination: 'scaip', password: 'p' };
    expect(simulation({ kind: 'message', deviceId: 'room-1' }, at)).toBe(
      "npx carillon simulate scaip --to 10.0.0.7:5060 --domain care.example --receiver scaip --device room-1 --password 'p'",
    );
    expect(simulation({ kind: 'tone', deviceId: 'room-1' }, at)).toBeUndefined();
  });
});
