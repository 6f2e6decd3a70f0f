import { describe, expect, it } from 'vitest';
import { receiverNow } from '#appliance/alarm/receiving/current-receiver.ts';
import { acceptedText, orderOf } from '#appliance/alarm/sending/order/send-request.ts';
import type { SendAlarmEventRequest } from '#shared/contract/runtime/index.ts';
import { orderOfUnit, orderTenant } from './order-room.ts';

type Made = ReturnType<typeof orderTenant>;
const EVENT = { controllerId: '12345678', deviceId: '0007', deviceType: 'fallDetector', priority: 1 };
const ENDPOINT = { protocol: 'scaip', destAddr: 'sip:arc@example.com' };
const BRIDGE = {
  id: 'bridge-1',
  protocol: 'scaip',
  destinationMatch: '^north$',
  alarmEventMapperId: 'mapper-1',
};

/** The order that a request makes, at a tenant as `provision` leaves it. */
function asked(said: object, provision: (made: Made) => void = () => undefined) {
  const made = orderTenant();
  provision(made);
  const request = { alarmEvent: EVENT, ...said } as unknown as SendAlarmEventRequest;
  return orderOf(request, made.tenant, receiverNow(() => made.tenant)(), 't');
}
function order(said: object, provision?: (made: Made) => void) {
  const made = asked(said, provision);
  if (!made.ok) throw new Error(made.error.reason);
  if (made.value.kind !== 'send') throw new Error(made.value.message);
  return made.value.order;
}
const toNorth =
  (mapper: object, endpoint: object | null = ENDPOINT) =>
  (made: Made) => {
    made.bridge(BRIDGE);
    made.mapper((endpoint ?? undefined) as never, mapper as never);
  };
const DIRECT = { protocol: 'nowip', destAddr: 'sip:arc@example.com', username: 'u', password: 'p' };

describe('a request without an eventReceiver', () => {
  it('goes where it says, and its result to the bridge of protocol api of lowest order', () => {
    const made = order(DIRECT, ({ bridge }) => {
      for (const [id, protocol, place] of [
        ['b', 'api', 2],
        ['a', 'api', 2],
        ['c', 'api', 3],
        ['d', 'scaip', 1],
      ] as const)
        bridge({ id, protocol, order: place });
    });
    expect(made).toMatchObject({ bridgeId: 'a', direct: DIRECT, callingParty: '12345678:0007' });
    expect(made.mapperId).toBeUndefined();
  });

  it('has no bridge where none is of protocol api', () => {
    expect(order(DIRECT).bridgeId).toBeUndefined();
  });
});

describe('a request with an eventReceiver', () => {
  it('goes to the event sender of the bridge that matches', () => {
    expect(order({ eventReceiver: 'north' }, toNorth({}))).toMatchObject({
      bridgeId: 'bridge-1',
      mapperId: 'mapper-1',
    });
  });

  it.each<[string, object, object | null, object]>([
    ['voiceOnly', { alarmHandling: 'voiceOnly' }, ENDPOINT, { voiceOnly: true }],
    ['callback', { alarmHandling: 'callback' }, null, { toApplication: true }],
  ])('alarmHandling %s', (_, mapper, endpoint, expected) => {
    expect(order({ eventReceiver: 'north' }, toNorth(mapper, endpoint))).toMatchObject(expected);
  });

  it.each<[string, object, string]>([
    ['alarmHandling', { alarmHandling: 'drop' }, 'drops events'],
    ['mappingRules', { mappingRules: { rules: [{ drop: true }] } }, 'mappingRules drop the event'],
  ])('is dropped by %s, and the answer says so', (_, mapper, message) => {
    expect(asked({ eventReceiver: 'north' }, toNorth(mapper))).toMatchObject({
      ok: true,
      value: { kind: 'dropped', message: expect.stringContaining(message) },
    });
  });

  it.each<[string, string, (made: Made) => void, string]>([
    ['that no bridge matches', 'south', toNorth({}), 'noReceiver'],
    ['whose bridge has no event sender', 'north', ({ bridge }) => bridge(BRIDGE), 'noEventSender'],
    [
      'whose event sender has no target',
      'north',
      toNorth({ alarmHandling: 'forward' }, null),
      'noEventSender',
    ],
  ])('%s is refused', (_, eventReceiver, provision, code) => {
    expect(asked({ eventReceiver }, provision)).toMatchObject({
      ok: false,
      error: { code, path: '/eventReceiver' },
    });
  });

  it('is refused when its identity does not fit a receiver of BS 8521', () => {
    const said = { eventReceiver: 'north', alarmEvent: { ...EVENT, controllerId: 'house' } };
    expect(asked(said, toNorth({}, { protocol: 'bs8521', destAddr: '0812' }))).toMatchObject({
      ok: false,
      error: { code: 'invalid', path: '/alarmEvent/controllerId' },
    });
  });
});

describe('the speech of a request', () => {
  it('is duplex where it names a destination and no audio, and none where it names neither', () => {
    const voice = { alarmVoiceCallbackDestination: 'sip:unit@care.example' };
    expect(order({ ...DIRECT, ...voice }).event.audio).toBe('duplex');
    expect(order(DIRECT).event.audio).toBe('none');
    expect(order({ ...DIRECT, ...voice, alarmEvent: { ...EVENT, audio: 'simplex' } }).event.audio).toBe(
      'simplex',
    );
  });

  it.each<[object, string, string]>([
    [{}, 'inaudio', 'inaudio'],
    [{ dtmfSendType: '2833' }, '2833', '2833'],
    [{ dtmfSendType: '2833', calleeDtmfSendType: 'inaudio' }, 'inaudio', '2833'],
    [{ dtmfSendType: '2833', callerDtmfSendType: 'inaudio' }, '2833', 'inaudio'],
  ])('toneSettings %j', (toneSettings, towardsReceiver, towardsDevice) => {
    expect(order({ ...DIRECT, toneSettings }).voice.tones).toEqual({ towardsReceiver, towardsDevice });
  });

  it('has the caller, the receiver and the tones that the request names', () => {
    const said = {
      ...DIRECT,
      callbackSipFrom: '4711',
      defaultEmergencyDestination: '112',
      toneHandler: 'transparent',
      protocolParameters: { sendAlarmStringDelay: 100, resendAlarmInterval: 1_600 },
    };
    expect(order(said)).toMatchObject({
      voice: { fromUser: '4711', receiver: '112', transparent: true },
      stringDelayMs: 100,
      resendAlarmMs: 1_600,
    });
  });
});

it('the device of a request is the provisioned one of its identity', () => {
  const made = order(DIRECT, ({ device }) => device({ deviceId: '12345678:0007' }));
  expect(made.deviceId).toBe('12345678:0007');
  expect(order(DIRECT).deviceId).toBeUndefined();
});

describe('the answer names who hears of the result', () => {
  it.each<[string, (made: Made) => void, object, string]>([
    [
      'the application of the bridge',
      ({ bridge }) => bridge({ ...BRIDGE, callbackBaseUrl: 'https://app.example' }),
      { bridgeId: 'bridge-1' },
      'goes to the application of alarm bridge Bridge (bridge-1)',
    ],
    [
      'a bridge without an application',
      ({ bridge }) => bridge(BRIDGE),
      { bridgeId: 'bridge-1' },
      'has no callbackBaseUrl',
    ],
    ['no bridge', () => undefined, {}, 'no alarm bridge of protocol api'],
  ])('%s', (_, provision, fields, text) => {
    const made = orderTenant();
    provision(made);
    expect(acceptedText('scaip', orderOfUnit(fields as never), made.tenant)).toContain(text);
  });
});
