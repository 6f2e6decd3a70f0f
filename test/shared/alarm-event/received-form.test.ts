import { describe, expect, it } from 'vitest';
import {
  type AlarmEvent,
  type CodedValue,
  codedFrom,
  receivedForm,
  scaipTable,
  sendForm,
} from '#shared/alarm-event/index.ts';

const UNKNOWN: CodedValue = { native: '777', send: null, receive: null };

const alarm: AlarmEvent = {
  controllerId: '123456',
  deviceType: scaipTable.dty.coded('0003'),
  statusCode: scaipTable.stc.coded('0010'),
  systemConfig: codedFrom('systemConfig', 'localUnitAndController'),
  audio: 'duplex',
  priority: 0,
};

describe('receivedForm', () => {
  it('holds only what was given', () => {
    expect(receivedForm(alarm)).toEqual({
      eventType: 'common',
      controllerId: '123456',
      deviceType: 'personalTrigger',
      statusCode: 'alarmManual',
      systemConfig: 'localUnitAndController',
      audio: 'duplex',
      priority: 0,
    });
    expect(Object.keys(receivedForm(alarm))).not.toContain('location');
  });

  it('carries a unit of a group scheme with place and component', () => {
    const event: AlarmEvent = {
      ...alarm,
      deviceId: '0042',
      location: scaipTable.lco.coded('012'),
      deviceComponent: scaipTable.dco.coded('017'),
      priority: 9,
    };
    expect(receivedForm(event)).toMatchObject({
      deviceId: '0042',
      location: 'bedRoom',
      deviceComponent: 'automatic1',
      priority: 9,
    });
  });

  it('keeps caller and site out of the event', () => {
    const form = receivedForm({ ...alarm, callerId: '+46855511000', customerSiteId: 'north' });
    expect(form).toEqual(receivedForm(alarm));
  });

  it('says unknown for what has no word, and never fails', () => {
    const event = {
      ...alarm,
      deviceType: UNKNOWN,
      statusCode: UNKNOWN,
      location: UNKNOWN,
      deviceComponent: UNKNOWN,
    };
    expect(receivedForm(event)).toMatchObject({
      deviceType: 'unknown',
      statusCode: 'unknown',
      location: 'unknown',
      deviceComponent: 'unspecified',
    });
    const { systemConfig: _, ...without } = alarm;
    expect(receivedForm({ ...alarm, systemConfig: UNKNOWN })).toEqual(receivedForm(without));
  });

  it('treats an empty receive cell and a foreign word of a tenant table as unknown', () => {
    expect(receivedForm({ ...alarm, deviceType: scaipTable.dty.coded('0039') }).deviceType).toBe('unknown');
    const foreign = { native: '1', send: null, receive: 'bicycle' };
    expect(receivedForm({ ...alarm, statusCode: foreign }).statusCode).toBe('unknown');
  });

  it('lets the destination name another unknown device type', () => {
    const event = { ...alarm, deviceType: UNKNOWN };
    expect(receivedForm(event, { unknownDeviceType: 'specialFunction' }).deviceType).toBe('specialFunction');
    expect(receivedForm(event, { unknownDeviceType: 'bicycle' }).deviceType).toBe('unknown');
  });

  it.each([
    ['0015', '0010', 'doorSensor', 'wanderingSensor'],
    ['0015', '0009', 'doorSensor', 'wanderingSensor'],
    ['0015', '0016', 'doorSensor', 'lowBattery'],
    ['0015', '0003', 'doorSensor', 'absent'],
    ['0038', '0010', 'systemMonitor', 'tamper'],
    ['0038', '0070', 'systemMonitor', 'normal'],
  ])('dty %s with stc %s reads %s %s', (dty, stc, deviceType, statusCode) => {
    const event = { ...alarm, deviceType: scaipTable.dty.coded(dty), statusCode: scaipTable.stc.coded(stc) };
    expect(receivedForm(event)).toMatchObject({ deviceType, statusCode });
  });

  it('changes nothing in the event it is given', () => {
    const before = structuredClone(alarm);
    receivedForm(alarm);
    expect(alarm).toEqual(before);
  });
});

describe('sendForm', () => {
  it('uses send words, and translates what only the receive list has', () => {
    const event: AlarmEvent = {
      ...alarm,
      deviceType: { native: null, send: null, receive: 'carerTrigger' },
      statusCode: codedFrom('statusCode', 'fault'),
      location: scaipTable.lco.coded('020'),
    };
    expect(sendForm(event)).toEqual({
      deviceType: 'dutySwitch',
      statusCode: 'failure',
      location: 'gym',
      systemConfig: 'localUnitAndController',
    });
  });

  it('says null where the send list has no word', () => {
    expect(sendForm({ ...alarm, statusCode: codedFrom('statusCode', 'alarmTest') }).statusCode).toBeNull();
    expect(sendForm({ ...alarm, deviceType: UNKNOWN }).deviceType).toBeNull();
  });
});

it('codedFrom keeps a word of neither list as native', () => {
  expect(codedFrom('location', 'attic')).toEqual({ native: 'attic', send: null, receive: null });
  expect(codedFrom('location', 'gym')).toEqual({ native: null, send: 'gym', receive: null });
});
