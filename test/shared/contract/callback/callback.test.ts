import { describe, expect, it } from 'vitest';
import {
  type AlarmEvent,
  codedFrom,
  RECEIVE_LIST,
  type ReceivedAlarmEvent,
  receivedForm,
  SEND_LIST,
  type SourceAlarmEvent,
} from '#shared/alarm-event/index.ts';
import {
  alarmDecisionSchema,
  type NewAlarmbridgeEvent,
  newAlarmbridgeEventSchema,
  type PlatformAlarm,
  platformAlarmSchema,
  receivedAlarmEventSchema,
  SERVICE_ALARM_ERRORS,
  sipMessageReceivedSchema,
} from '#shared/contract/callback/index.ts';

const event: AlarmEvent = {
  controllerId: 'scaip-0001',
  deviceType: codedFrom('deviceType', 'personalTrigger'),
  statusCode: codedFrom('statusCode', 'alarmManual'),
  audio: 'duplex',
  priority: 0,
};
const sourceAlarmEvent: SourceAlarmEvent = {
  protocol: 'scaip',
  raw: '<mrq/>',
  fields: { ref: '1' },
  check: { policy: 'ignore', result: 'none' },
  warnings: ['checkFailed'],
};
const alarmEvent: ReceivedAlarmEvent = receivedForm(event);
const callback = {
  sessionId: 's1',
  ivrServer: '192.0.2.10',
  domain: 'care.example',
  sourceAlarmProtocol: 'scaip',
  protocol: 'scaip',
  sipFrom: 'scaip-0001',
  calledParty: 'scaip',
  callingParty: 'scaip-0001',
  serviceProvider: 'scaip',
  alarmEvent,
  sourceAlarmEvent: { ...sourceAlarmEvent, warnings: [...sourceAlarmEvent.warnings] },
  replyId: 'r1',
  traceId: 't1',
} satisfies NewAlarmbridgeEvent;

describe('newAlarmbridgeEvent', () => {
  it('carries what receivedForm makes', () => {
    expect(newAlarmbridgeEventSchema.parse(callback)).toEqual(callback);
  });
  it('may name site, target protocol and lateness', () => {
    const more = {
      ...callback,
      customerSiteId: 'north',
      targetAlarmProtocol: 'bs8521',
      siteId: 'north-1',
      siteBaseUrl: 'https://192.0.2.10:8443',
      late: true,
    };
    expect(newAlarmbridgeEventSchema.parse(more)).toEqual(more);
  });
  it.each(Object.keys(callback))('is not complete without %s', (name) => {
    const { [name as keyof typeof callback]: _, ...rest } = callback;
    expect(newAlarmbridgeEventSchema.safeParse(rest).success).toBe(false);
  });

  it('has a place for every word of both lists', () => {
    for (const field of [
      'deviceType',
      'statusCode',
      'location',
      'deviceComponent',
      'systemConfig',
    ] as const) {
      for (const word of [...SEND_LIST[field], ...RECEIVE_LIST[field], 'no such word']) {
        const form = receivedForm({ ...event, [field]: codedFrom(field, word) });
        expect(receivedAlarmEventSchema.parse(form), word).toEqual(form);
      }
    }
  });
  it.each([
    { priority: 10 },
    { priority: 0.5 },
    { audio: 'stereo' },
    { deviceType: 'printer' },
    { statusCode: 'cancel' },
    { eventType: 'special' },
  ])('has no place for %j', (part) => {
    expect(receivedAlarmEventSchema.safeParse({ ...alarmEvent, ...part }).success).toBe(false);
  });
});

describe('the decision', () => {
  it.each([{ action: 'drop' }, { action: 'callEmergencyCenter', comment: 'own words' }])(
    '%j is one',
    (decision) => {
      expect(alarmDecisionSchema.parse(decision)).toEqual(decision);
    },
  );
  it.each([[{}], [{ action: 'call' }], [{ action: null }], [null], ['drop'], [[]]])(
    '%j is none',
    (decision) => {
      expect(alarmDecisionSchema.safeParse(decision).success).toBe(false);
    },
  );
});

it('a SIP message is thirteen texts', () => {
  const message = {
    callId: 'c',
    received: '192.0.2.30',
    sourcePort: '5060',
    fromDomain: 'd',
    fromUser: 'u',
    fromURI: 'sip:u@d',
    to: 'sip:t@d',
    replyTo: 'sip:u@192.0.2.30',
    targetDomain: 'd',
    contentType: 'text/plain',
    body: '',
    protocol: 'tls',
    replyId: 'r',
  };
  expect(sipMessageReceivedSchema.parse(message)).toEqual(message);
  for (const name of Object.keys(message)) {
    expect(sipMessageReceivedSchema.safeParse({ ...message, [name]: 5060 }).success, name).toBe(false);
  }
});

describe('a platform alarm', () => {
  const head = { domain: 'care.example', time: 1_790_000_000_000, traceId: 't1', siteId: 'north' };
  const alarms: readonly PlatformAlarm[] = [
    {
      type: 'authError',
      ...head,
      deviceId: 'a',
      reason: 'wrong digest',
      method: 'MESSAGE',
      requestUri: 'sip:a@b',
    },
    {
      type: 'unknownDevice',
      ...head,
      deviceId: 'a',
      protocol: 'scaip',
      sipFrom: 'a',
      sourceIp: '192.0.2.1',
      alarmEvent,
    },
    { type: 'deviceHeartbeat', ...head, deviceId: 'a', status: 'offline', expiration: 1 },
    ...SERVICE_ALARM_ERRORS.map((error) => ({ type: 'serviceAlarm' as const, ...head, error })),
    {
      type: 'callbackFailed',
      ...head,
      callback: '/newAlarmbridgeEvent',
      error: 'timeout',
      fallback: 'notHandled',
    },
    {
      type: 'monitoringAlarm',
      ...head,
      error: 'lowMemory',
      errorDetails: { value: 1, status: 'raised', severity: 'major' },
    },
    { type: 'destinationDown', ...head, destination: 'sip:a@b' },
    { type: 'destinationUp', ...head, destination: 'sip:a@b' },
    {
      type: 'configRejected',
      ...head,
      hostId: 'h1',
      errors: [{ code: 'patternInvalid', path: '/a', msg: 'x' }],
    },
    { type: 'certificateExpiring', ...head, subject: 'h1', expiresAt: 1 },
    { type: 'clockUnsynchronised', ...head, hostId: 'h1' },
    { type: 'diskPressure', ...head, hostId: 'h1', freeBytes: 1, late: true },
    { type: 'drainBlocked', ...head, hostId: 'h1', errorDetails: { status: 'raised', message: 'm' } },
    { type: 'duplicateIdentity', ...head, hostId: 'h1' },
    { type: 'newCallEventError', ...head, error: 'newCall response empty', sessionId: 's' },
    { type: 'callEventError', ...head, error: 'No response to callEvent request', status: 500 },
    { type: 'ivrCommandError', ...head, error: 'phraseError', errorDetails: { reason: 'x' } },
    {
      type: 'callError',
      ...head,
      error: 'Invalid sip address: x',
      participantId: 'p',
      user: 'u',
      callId: 'c',
    },
    { type: 'sessionError', ...head, error: 'maxDuration' },
    { type: 'emergencyFallback', ...head, error: 'triggeredByAlways' },
  ];

  it.each(alarms)('$type is known', (alarm) => {
    expect(platformAlarmSchema.parse(alarm)).toEqual(alarm);
  });
  it('has been tried with every type', () => {
    const types = platformAlarmSchema.options.map(({ shape }) => shape.type.value);
    expect(new Set(alarms.map(({ type }) => type))).toEqual(new Set(types));
  });
  it.each([
    { type: 'somethingElse', ...head },
    { ...head },
    { type: 'deviceHeartbeat', ...head, deviceId: 'a', status: 'asleep', expiration: 1 },
    { type: 'serviceAlarm', ...head, error: 'x' },
    { type: 'authError', time: 1, deviceId: 'a', reason: 'x' },
    { type: 'destinationUp', domain: 'a.example', destination: 'x' },
  ])('%j is none', (alarm) => {
    expect(platformAlarmSchema.safeParse(alarm).success).toBe(false);
  });
});
