import { describe, expect, it } from 'vitest';
import { daysOf, effectiveSettings, firstTry } from '#cloud/console/page/device/device-health.ts';

type Records = Parameters<typeof daysOf>[0];
type Device = Parameters<typeof effectiveSettings>[0];
type Bridge = Parameters<typeof effectiveSettings>[1];

const DAY_MS = 86_400_000;
const record = (at: number, more: object = {}) =>
  ({ at, result: 'done', ...more }) as unknown as Records[number];

describe('the days of a device', () => {
  it('are counted from midnight to midnight, the oldest first, with those that went badly', () => {
    const midnight = 10 * DAY_MS;
    const records = [
      ...[record(midnight + 5), record(midnight - 1, { result: 'failed' }), record(midnight - 2)],
      ...[record(midnight - 2 * DAY_MS), record(midnight - 2 * DAY_MS - 1)],
    ];
    expect(daysOf(records, midnight, 3)).toEqual([
      { begin: midnight - 2 * DAY_MS, sessions: 1, bad: 0 },
      { begin: midnight - DAY_MS, sessions: 2, bad: 1 },
      { begin: midnight, sessions: 1, bad: 0 },
    ]);
  });

  it('say how many conversations in tones needed no repeat, of those that were judged', () => {
    const records = [
      ...[record(1, { tones: { firstTry: true } }), record(2, { tones: { firstTry: false } })],
      ...[record(3, { tones: {} }), record(4)],
    ];
    expect(firstTry(records)).toEqual({ good: 1, judged: 2 });
    expect(firstTry([record(1)])).toBe(undefined);
  });
});

describe('settings in effect', () => {
  const device = (alarmBridge: object, more: object = {}) =>
    ({
      deviceId: 'a',
      authType: 'deviceid',
      srtp: 'negotiated',
      serviceData: { alarmBridge },
      ...more,
    }) as Device;
  const bridge = (more: object) => ({ protocol: 'scaip', ...more }) as unknown as Bridge;
  const of = (name: string, ...asked: Parameters<typeof effectiveSettings>) =>
    effectiveSettings(...asked).find((each) => each.name === name);

  it('come from the device before its receiver; an empty number is none', () => {
    const own = device({ heartbeatInterval: 60_000, emergencyDestination: ' ' });
    const receiver = bridge({ defaultHeartbeatInterval: 90_000, defaultEmergencyDestination: '+4630' });
    expect(of('heartbeatInterval', own, receiver)).toMatchObject({ value: '60000', source: 'device' });
    expect(of('emergencyDestination', own, receiver)).toMatchObject({ value: '+4630', source: 'receiver' });
    expect(of('voiceDestination', own, receiver)).toMatchObject({ value: '', source: 'default' });
  });

  it('take the protocol of the device only where the receiver leaves it to the device', () => {
    const own = device({ alarmProtocol: 'bs8521' });
    expect(of('alarmProtocol', own, bridge({}))).toMatchObject({ value: 'scaip', source: 'receiver' });
    expect(of('alarmProtocol', own, bridge({ protocol: 'deviceProvisioned' }))).toMatchObject({
      ...{ value: 'bs8521', source: 'device' },
    });
  });

  it('name the profile of the receiver, and a digest for credentials alone', () => {
    expect(of('protocolProfile', device({}), bridge({ protocolProfile: 'lift' }))).toMatchObject({
      ...{ value: 'lift', source: 'profile' },
    });
    expect(of('digestAlgorithm', device({}), undefined)).toBe(undefined);
    expect(of('digestAlgorithm', device({}, { authType: 'credentials' }), undefined)).toMatchObject({
      ...{ value: 'auto', source: 'default' },
    });
  });
});
