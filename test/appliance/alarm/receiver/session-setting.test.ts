import { describe, expect, it } from 'vitest';
import type { ReceiverBridge } from '#appliance/alarm/receiver/index.ts';
import { sessionSetting } from '#appliance/alarm/receiver/session-setting.ts';
import {
  alarmBridgeRequestSchema,
  type Device,
  deviceRequestSchema,
} from '#shared/contract/provisioning/index.ts';

const bridge = (given: object = {}): ReceiverBridge => ({
  ...alarmBridgeRequestSchema.parse({ protocol: 'bs8521', name: 'b', destinationMatch: '^b$', ...given }),
  id: 'b1',
});
const device = (alarmBridge: object): Device =>
  deviceRequestSchema.parse({
    ...{ deviceId: 'unit', authType: 'deviceid', srtp: 'negotiated' },
    serviceData: { alarmBridge },
  });
const LIST = { steps: [{ entries: [{ destination: 'sip:anna@care.example' }] }] };
const SPEECH = { directionRepeatMs: 20_000, clearDownWaitMs: 4_000 };

describe('the destination of people', () => {
  it.each([
    [
      'the device has one',
      { emergencyDestination: 'sip:own@a' },
      { defaultEmergencyDestination: 'sip:all@a' },
      'sip:own@a',
    ],
    ['the device has none', {}, { defaultEmergencyDestination: 'sip:all@a' }, 'sip:all@a'],
    ['neither has one', {}, {}, undefined],
  ])('where %s', (_, own, fields, expected) => {
    expect(sessionSetting(bridge(fields), device(own), {}).emergencyDestination).toBe(expected);
  });

  it('is none where it was stored empty: a call there reaches no person', () => {
    const stored = { ...bridge(), defaultEmergencyDestination: ' ' };
    expect(sessionSetting(stored, undefined, {})).not.toHaveProperty('emergencyDestination');
  });
});

describe('the list of people', () => {
  it('is that of the device before that of the bridge', () => {
    const fields = { defaultEmergencyDestination: 'sip:all@a', emergencyCallList: { ...LIST, rounds: 1 } };
    const own = { emergencyDestination: 'sip:own@a', emergencyCallList: { ...LIST, rounds: 3 } };
    const setting = sessionSetting(bridge(fields), device(own), {});
    expect(setting.callList).toMatchObject({ rounds: 3 });
    expect(sessionSetting(bridge(fields), undefined, {}).callList).toMatchObject({ rounds: 1 });
  });

  it('is none without a destination beside it, which programs without lists call', () => {
    expect(
      sessionSetting({ ...bridge(), emergencyCallList: LIST as never }, undefined, {}),
    ).not.toHaveProperty('callList');
  });
});

describe('speech', () => {
  it('repeats its direction only where the bridge lets commands be said', () => {
    const of = (controlCommandsEnabled: boolean, speech?: typeof SPEECH) =>
      sessionSetting(bridge({ controlCommandsEnabled }), undefined, {}, speech).keepAliveMs;
    expect([of(true, SPEECH), of(false, SPEECH), of(true)]).toEqual([20_000, 0, 0]);
  });

  it('waits for the end of the device as long as its protocol says', () => {
    expect(sessionSetting(bridge(), undefined, {}, SPEECH).clearDownWaitMs).toBe(4_000);
    expect(sessionSetting(bridge(), undefined, {})).not.toHaveProperty('clearDownWaitMs');
  });

  it('follows the event sender of an alarm that is sent on', () => {
    const sender = { analogueVoiceNumber: '+4611', useVoiceBridge: true, maxSessionDuration: 600 };
    const fields = { analogueVoiceNumber: '+4622', useVoiceBridge: false };
    expect(
      sessionSetting(bridge(fields), undefined, { voiceBridge: 'sip:voice@a' }, undefined, sender),
    ).toMatchObject({
      ...{ analogueVoiceNumber: '+4611', useVoiceBridge: true, maxSessionDurationS: 600 },
      voiceBridge: 'sip:voice@a',
    });
    expect(sessionSetting(bridge(fields), undefined, {})).toMatchObject({
      analogueVoiceNumber: '+4622',
      useVoiceBridge: false,
    });
  });

  it('is with the destination that the device names', () => {
    const own = {
      voiceDestination: 'sip:own@a',
      destinationRewrite: 's/^0/+46/',
      usePredefinedDestination: true,
    };
    expect(sessionSetting(bridge(), device(own), {})).toMatchObject({
      ...{ deviceDestination: 'sip:own@a', destinationRewrite: 's/^0/+46/', usePredefinedDestination: true },
    });
  });
});

it('a setting cannot be changed by the session that it is for', () => {
  expect(Object.isFrozen(sessionSetting(bridge(), undefined, {}))).toBe(true);
});
