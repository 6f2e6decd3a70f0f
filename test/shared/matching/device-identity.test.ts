import { describe, expect, it } from 'vitest';
import { codedFrom } from '#shared/alarm-event/index.ts';
import {
  candidateDeviceIds,
  cliKey,
  deviceIdOf,
  overrideEvent,
  resolveDevice,
} from '#shared/matching/index.ts';

describe('candidateDeviceIds', () => {
  it.each([
    [
      { customerSiteId: 'north', controllerId: '12345678', deviceId: '0042' },
      'north:12345678:0042',
      'north:12345678',
    ],
    [{ controllerId: '12345678', deviceId: '0042' }, '12345678:0042', '12345678'],
    [{ customerSiteId: 'north', controllerId: '12345678' }, 'north:12345678'],
    [{ controllerId: 'scaip-0001' }, 'scaip-0001'],
    [{ customerSiteId: '', controllerId: 'scaip-0001', deviceId: '' }, 'scaip-0001'],
  ])('are, for %j', (identity, ...ids) => {
    expect(candidateDeviceIds(identity)).toEqual(ids);
    expect(deviceIdOf(identity)).toBe(ids[0]);
  });
});

describe('resolveDevice', () => {
  const ids = ['unit:0042', 'unit', 'north:unit'];
  const directory = {
    byId: (id: string) => (ids.includes(id) ? id : undefined),
    byCli: (key: string) => (key === '+46855511000' ? 'by number' : undefined),
  };
  const identity = { controllerId: 'unit', deviceId: '0042' };

  it('finds the unit, else its controller', () => {
    expect(resolveDevice(directory, { identity })).toBe('unit:0042');
    expect(resolveDevice(directory, { identity: { ...identity, deviceId: '0043' } })).toBe('unit');
    expect(resolveDevice(directory, { identity: { controllerId: 'other' } })).toBeUndefined();
  });
  it('never takes the device of another site', () => {
    const elsewhere = { ...identity, customerSiteId: 'south' };
    expect(resolveDevice(directory, { identity: elsewhere })).toBeUndefined();
    expect(resolveDevice(directory, { identity: { ...identity, customerSiteId: 'north' } })).toBe(
      'north:unit',
    );
  });
  it('asks the calling number first, only when the bridge says so', () => {
    const callingParty = '+46 8-555 110 00';
    expect(resolveDevice(directory, { identity, callingParty })).toBe('unit:0042');
    const question = { identity, callingParty, resolveDeviceFromDeviceCLI: true };
    expect(resolveDevice(directory, question)).toBe('by number');
    expect(resolveDevice(directory, { ...question, callingParty: '+4611' })).toBe('unit:0042');
    expect(resolveDevice(directory, { ...question, callingParty: undefined })).toBe('unit:0042');
  });
  it('compares numbers without the signs between the digits', () => {
    expect(cliKey('+46 (8) 555-110.00')).toBe('+46855511000');
    expect(cliKey('Unit-17')).toBe('unit17');
  });
});

describe('overrideEvent', () => {
  const event = {
    controllerId: '1',
    deviceType: { native: '0003', send: 'personalTrigger', receive: 'personalTrigger' },
    statusCode: codedFrom('statusCode', 'alarm'),
    audio: 'duplex',
    priority: 0,
  } as const;

  it('changes nothing without an override', () => {
    expect(overrideEvent(event, undefined)).toBe(event);
    expect(overrideEvent(event, {})).toEqual(event);
  });
  it('replaces words in both lists and keeps the native code', () => {
    expect(overrideEvent(event, { deviceType: 'elevator', priority: 9, audio: 'none' })).toEqual({
      ...event,
      deviceType: { native: '0003', send: 'elevator', receive: 'localUnit' },
      priority: 9,
      audio: 'none',
    });
  });
  it('adds what the device did not say', () => {
    expect(overrideEvent(event, { location: 'wc', deviceId: '7', controllerId: '2' })).toEqual({
      ...event,
      controllerId: '2',
      deviceId: '7',
      location: { native: null, send: 'bathRoom', receive: 'wc' },
    });
  });
});
