import { describe, expect, it } from 'vitest';
import {
  alarmEventMapperRequestSchema,
  alarmEventMapperResponseSchema,
  TARGET_FAMILY,
} from '#shared/contract/provisioning/index.ts';
import { type FieldRow, fieldTable, flag, NAME, refusalOf, tellsEveryField, text } from './field-table.ts';

const target = { protocol: 'scaip', destAddr: 'sip:alarm@arc.example' };
const smallest = { name: 'North', targetEndpoint: target };

const pad = (field: string): FieldRow => [field, [0, 12, 32], [[-1], [33], [1.5], ['8']]];
const called = (field: string): FieldRow => [
  field,
  ['+46855511000', '112', 'sip:desk@arc.example', 'tel:+468555', 'tel:112;phone-context=+46', 'desk'],
  [[''], ['two words'], ['<sip:a@b>'], [112]],
];
const ROWS: readonly FieldRow[] = [
  NAME,
  text('description'),
  [
    'alarmHandling',
    ['forward', 'callback', 'drop'],
    [['send'], [''], ['voiceOnly', '/targetEndpoint/defaultVoiceDestination', 'mandatory']],
  ],
  [
    'targetEndpoint',
    [target],
    [
      [undefined, '/targetEndpoint', 'mandatory when alarmHandling is forward'],
      [{ protocol: 'pigeon' }, '/targetEndpoint/protocol'],
      [{ destAddr: 'sip:a@b' }, '/targetEndpoint/protocol'],
    ],
  ],
  [
    'mappingRules',
    [{ rules: [] }, { rules: [{ when: { sipFrom: '/^1/' }, set: { 'alarmEvent.priority': 9 } }] }],
    [
      [{}, '/mappingRules/rules'],
      [{ rules: [{ when: { a: '/(/' } }] }, '/mappingRules/rules/0/when/a'],
      [{ rules: [{ typo: 1 }] }, '/mappingRules/rules/0/typo', 'not known'],
    ],
  ],
  pad('deviceIdPadLength'),
  pad('controllerIdPadLength'),
  flag('mapDeviceIdToControllerId'),
  flag('useDeviceIdAsSipFrom'),
  flag('useVoiceCallbackDestinationAsARCSipFrom'),
  ['fromDomain', ['care.example', '192.0.2.1', '[2001:db8::1]'], [[''], ['a b'], ['sip:a'], [1]]],
  text('callerId'),
  called('unknownAlarmEventVoiceDestination'),
  text('analogueVoiceNumber'),
  flag('useVoiceBridge'),
  ['maxSessionDuration', [1, 3600, 86_400], [[0], [86_401], ['3600'], [1.5]]],
  ['preferredCodec', ['PCMA', 'PCMU'], [['GSM'], ['']]],
  flag('enableDestinationMonitoring'),
  flag('enforceIvrDestination'),
  ['protocolProfile', ['bs8521-slow', 'scaip'], [[''], ['a/b'], ['-a'], [1]]],
];

fieldTable(alarmEventMapperRequestSchema, smallest, ROWS);
fieldTable(alarmEventMapperRequestSchema, { ...smallest, voiceCallSipFromUserRewrite: '+$1' }, [
  ['voiceCallSipFromUserMatch', ['^00(\\d+)$'], [['(a'], [''], [undefined, undefined, 'belong together']]],
]);
fieldTable(alarmEventMapperRequestSchema, { ...smallest, voiceCallSipFromUserMatch: '^00(\\d+)$' }, [
  [
    'voiceCallSipFromUserRewrite',
    ['', '+$1', '$$'],
    [[undefined, undefined, 'belong together'], ['$2', undefined, 'has 1 groups'], [1]],
  ],
]);
tellsEveryField(alarmEventMapperResponseSchema.shape, ROWS, [
  'voiceCallSipFromUserMatch',
  'voiceCallSipFromUserRewrite',
  'id',
]);

it('fills in the defaults', () => {
  expect(alarmEventMapperRequestSchema.parse(smallest)).toEqual({
    ...smallest,
    alarmHandling: 'forward',
    deviceIdPadLength: 0,
    controllerIdPadLength: 0,
    mapDeviceIdToControllerId: false,
    useDeviceIdAsSipFrom: false,
    useVoiceCallbackDestinationAsARCSipFrom: false,
    useVoiceBridge: false,
    maxSessionDuration: 3600,
    enableDestinationMonitoring: false,
    enforceIvrDestination: false,
  });
});

/** Each family: an address of its form, one for the backup, and what is no address there. */
const FAMILIES = [
  ['sipMessage', 'sip:alarm@arc.example', 'sips:alarm@backup.example', ['+468555', 'arc.example:5060', '']],
  ['call', '+46855511000', 'sip:alarm@backup.example', ['two words', '']],
  [
    'ipReceiver',
    'receiver.example:12300',
    '[2001:db8::1]:65535',
    ['receiver.example', 'h:0', 'h:65536', 'sip:a@b', ''],
  ],
] as const;

describe.each(FAMILIES)('a target of family %s', (family, destAddr, backupDestAddr, wrong) => {
  const [protocol] = TARGET_FAMILY[family];
  const target = { protocol, destAddr };
  const refused = (targetEndpoint: object) =>
    refusalOf(alarmEventMapperRequestSchema, { ...smallest, targetEndpoint })?.path;

  it.each(TARGET_FAMILY[family])('takes %s', (protocol) => {
    expect(refused({ ...target, protocol })).toBeUndefined();
  });
  it.each(wrong)('is not at %j', (address) => {
    expect(refused({ ...target, destAddr: address })).toBe('/targetEndpoint/destAddr');
    expect(refused({ ...target, backupEndpoint: { backupDestAddr: address } })).toBe(
      '/targetEndpoint/backupEndpoint/backupDestAddr',
    );
  });
  it('takes every field of the document', () => {
    const whole = {
      ...target,
      siaMapping: 'scaip',
      sipAuthUser: 'u',
      sipAuthPassword: 'p',
      partnerUrl: 'https://arc.example/alarm',
      overrideSipFrom: 'centre',
      defaultVoiceDestination: '+468555',
      terminatingTrunkGroupId: 'north',
      trunkKey: 'k',
      backupEndpoint: {
        backupDestAddr,
        backupOverrideSipFrom: 'centre',
        backupSipAuthUser: 'u',
        backupSipAuthPassword: 'p',
        backupDefaultVoiceDestination: '+468555',
      },
    };
    expect(alarmEventMapperRequestSchema.parse({ ...smallest, targetEndpoint: whole })).toMatchObject({
      targetEndpoint: whole,
    });
  });
  it.each([
    [{ sipAuthPassword: '' }, 'sipAuthPassword'],
    [{ siaMapping: 'a b' }, 'siaMapping'],
    [{ partnerUrl: 'http://arc.example' }, 'partnerUrl'],
    [{ defaultVoiceDestination: 'a b' }, 'defaultVoiceDestination'],
    [{ terminatingTrunkGroupId: 'a b' }, 'terminatingTrunkGroupId'],
    [{ trunkKey: '' }, 'trunkKey'],
    [{ overrideSipFrom: 1 }, 'overrideSipFrom'],
    [{ sipAuthUser: 1 }, 'sipAuthUser'],
    [{ destAddr: undefined }, 'destAddr'],
    [{ backupEndpoint: {} }, 'backupEndpoint/backupDestAddr'],
    [{ backupEndpoint: { backupDestAddr, destAddr } }, 'backupEndpoint/destAddr'],
    [
      { backupEndpoint: { backupDestAddr, backupSipAuthPassword: '' } },
      'backupEndpoint/backupSipAuthPassword',
    ],
    [{ typo: 1 }, 'typo'],
  ])('refuses %j', (more, path) => {
    expect(refused({ ...target, ...more })).toBe(`/targetEndpoint/${path}`);
  });
});

describe('a callback target', () => {
  const callback = { protocol: 'callback', partnerUrl: 'https://arc.example/alarm' };
  const refused = (targetEndpoint: object) =>
    refusalOf(alarmEventMapperRequestSchema, { ...smallest, targetEndpoint })?.path;
  it('takes credentials and a second URL', () => {
    const restAuthentication = [{ secret: 's', type: 'HS256' }];
    const backupEndpoint = { backupDestAddr: 'https://backup.example/alarm' };
    expect(refused({ ...callback, restAuthentication, backupEndpoint })).toBeUndefined();
  });
  it.each([
    [{ ...callback, partnerUrl: undefined }, '/targetEndpoint/partnerUrl'],
    [
      { ...callback, backupEndpoint: { backupDestAddr: 'http://b.example' } },
      '/targetEndpoint/backupEndpoint/backupDestAddr',
    ],
    [{ ...callback, dc09: {} }, '/targetEndpoint/dc09'],
    [{ ...target, restAuthentication: [] }, '/targetEndpoint/restAuthentication'],
  ])('%j is refused', (body, path) => {
    expect(refused(body)).toBe(path);
  });
});

describe('dc09 of a target', () => {
  const refused = (dc09: object) =>
    refusalOf(alarmEventMapperRequestSchema, {
      ...smallest,
      targetEndpoint: { protocol: 'sia-dcs', destAddr: 'receiver.example:12300', dc09 },
    })?.path;
  it.each([
    {},
    { account: '1234', line: '1', receiver: 'A', transport: 'udp' },
    { key: 'aF'.repeat(16) },
    { key: '<secret>' },
    { supervisionInterval: 10_000 },
  ])('takes %j', (dc09) => {
    expect(refused(dc09)).toBeUndefined();
  });
  it.each([
    [{ account: '12' }, 'account'],
    [{ account: 'xyz1' }, 'account'],
    [{ line: '1234567' }, 'line'],
    [{ receiver: 'G' }, 'receiver'],
    [{ key: 'abc' }, 'key'],
    [{ transport: 'tls' }, 'transport'],
    [{ supervisionInterval: 9_999 }, 'supervisionInterval'],
    [{ port: 1 }, 'port'],
  ])('refuses %j', (dc09, field) => {
    expect(refused(dc09)).toBe(`/targetEndpoint/dc09/${field}`);
  });
});

describe('alarmHandling', () => {
  it.each([
    [{ alarmHandling: 'drop' }, undefined],
    [{ alarmHandling: 'callback' }, undefined],
    [{ alarmHandling: 'voiceOnly' }, '/targetEndpoint'],
    [{ alarmHandling: 'voiceOnly', targetEndpoint: { protocol: 'voicecall', destAddr: '112' } }, undefined],
    [
      { alarmHandling: 'voiceOnly', targetEndpoint: { ...target, defaultVoiceDestination: '112' } },
      undefined,
    ],
  ])('%j is refused at %s', (body, path) => {
    expect(refusalOf(alarmEventMapperRequestSchema, { name: 'a', ...body })?.path).toBe(path);
  });
});
