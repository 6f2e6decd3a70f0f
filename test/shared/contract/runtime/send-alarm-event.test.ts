import { describe, expect, it } from 'vitest';
import { SEND_LIST } from '#shared/alarm-event/index.ts';
import { invalid } from '#shared/contract/invalid.ts';
import { sendAlarmEventSchema } from '#shared/contract/runtime/index.ts';

const EVENT = { controllerId: '55667788', deviceId: '0042', deviceType: 'fallDetector' };
const REQUEST = { eventReceiver: 'north', alarmEvent: EVENT };
const DIRECT = { protocol: 'bs8521', destAddr: 'sip:alarm@arc.example', alarmEvent: EVENT };

/** Path and rule of the first thing that is wrong. */
function fault(body: unknown): string {
  const said = sendAlarmEventSchema.safeParse(body);
  return said.success ? 'nothing' : invalid(said.error).reason;
}

describe('sendalarmevent', () => {
  it('takes every word of the send list in each field', () => {
    for (const [field, words] of Object.entries(SEND_LIST))
      for (const word of words)
        expect(fault({ ...REQUEST, alarmEvent: { ...EVENT, [field]: word } })).toBe('nothing');
  });

  it('takes every field of the document at once', () => {
    const body = {
      traceId: 'order-4711',
      sipFrom: '+46855511000',
      toneHandler: 'transparent',
      toneSettings: { calleeDtmfSendType: '2833', callerDtmfSendType: 'inaudio', dtmfSendType: '2833' },
      protocolParameters: { resendAlarmInterval: 2_000, sendAlarmStringDelay: 200 },
      alarmEvent: {
        ...EVENT,
        eventType: 'common',
        deviceComponent: 'button1',
        systemConfig: 'groupedSupervisorOnDuty',
        location: 'kitchen',
        callerId: 'sip:unit-17@care.example',
        audio: 'duplex',
        priority: 9,
        customerSiteId: 'site_1',
        statusCode: 'alarmManual',
      },
      eventReceiver: 'north',
      callbackSipFrom: '4711',
      protocol: 'scaip',
      alarmVoiceCallbackDestination: 'sip:unit-17@care.example',
      destAddr: 'sip:alarm@arc.example',
      username: 'u',
      password: 'p',
      defaultEmergencyDestination: '+46855511001',
    };
    expect(sendAlarmEventSchema.parse(body)).toEqual(body);
  });

  it.each([
    [{ ...REQUEST, alarmEvent: { ...EVENT, deviceType: 'toaster' } }, '/alarmEvent/deviceType'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, statusCode: 'fault' } }, '/alarmEvent/statusCode'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, location: 'shower' } }, '/alarmEvent/location'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, audio: 'stereo' } }, '/alarmEvent/audio'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, eventType: 'native' } }, '/alarmEvent/eventType'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, priority: 10 } }, '/alarmEvent/priority'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, priority: -1 } }, '/alarmEvent/priority'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, priority: 1.5 } }, '/alarmEvent/priority'],
    [{ ...REQUEST, alarmEvent: { deviceType: 'fallDetector' } }, '/alarmEvent/controllerId'],
    [{ ...REQUEST, alarmEvent: { ...EVENT, colour: 'red' } }, '/alarmEvent/colour'],
    [{ ...REQUEST, alarmEvents: [] }, '/alarmEvents: this property is not known'],
    [{ alarmEvent: EVENT }, '/protocol: is mandatory without eventReceiver'],
    [{ alarmEvent: EVENT, protocol: 'scaip' }, '/destAddr: is mandatory without eventReceiver'],
    [{ ...DIRECT, protocol: 'tt92' }, '/protocol'],
    [{ ...DIRECT, destAddr: 'arc.example' }, '/destAddr: must be a SIP URI'],
    [{ ...DIRECT, username: 'u' }, '/password: is mandatory'],
    [{ ...DIRECT, password: 'p' }, '/username: is mandatory'],
    [
      { ...DIRECT, alarmEvent: { ...EVENT, controllerId: '5566778' } },
      'must be 8 digits with deviceId (bs8521)',
    ],
    [{ ...DIRECT, alarmEvent: { ...EVENT, controllerId: '5566778X' } }, 'must be 8 digits with deviceId'],
    [
      { ...DIRECT, alarmEvent: { ...EVENT, deviceId: '042' } },
      '/alarmEvent/deviceId: must be 4 digits (bs8521)',
    ],
    [
      { ...DIRECT, alarmEvent: { controllerId: '55667788' } },
      '/alarmEvent/controllerId: must be 12 digits without deviceId (bs8521)',
    ],
    [{ ...REQUEST, toneHandler: 'smart' }, '/toneHandler'],
    [{ ...REQUEST, toneSettings: { dtmfSendType: 'info' } }, '/toneSettings/dtmfSendType'],
    [
      { ...REQUEST, protocolParameters: { resendAlarmInterval: 0 } },
      '/protocolParameters/resendAlarmInterval',
    ],
    [
      { ...REQUEST, protocolParameters: { sendAlarmStringDelay: -1 } },
      '/protocolParameters/sendAlarmStringDelay',
    ],
    [{ ...REQUEST, sipFrom: 'a b' }, '/sipFrom'],
    [{ ...REQUEST, traceId: '' }, '/traceId'],
  ])('refuses %j and names field and rule', (body, said) => {
    expect(fault(body)).toContain(said);
  });

  it('leaves the identity of bs8521 to the event sender where a receiver is named: it may pad it', () => {
    expect(fault({ ...REQUEST, protocol: 'bs8521', alarmEvent: { controllerId: '77' } })).toBe('nothing');
  });
});
