import { describe, expect, it } from 'vitest';
import { invalid } from '#shared/contract/invalid.ts';
import {
  ALARM_PROTOCOLS,
  type AlarmBridge,
  alarmBridgeRequestSchema,
  alarmBridgeResponseSchema,
  PROTOCOL_FAMILY,
  replicatedAlarmBridgeSchema,
} from '#shared/contract/provisioning/index.ts';

const smallest = { protocol: 'scaip', name: 'SCAIP alarms', destinationMatch: '^scaip$' };

function refusedAt(bridge: object): string | undefined {
  const parsed = alarmBridgeRequestSchema.safeParse(bridge);
  return parsed.success ? undefined : invalid(parsed.error).path;
}

it('fills in the defaults of the document', () => {
  expect(alarmBridgeRequestSchema.parse(smallest)).toEqual({
    ...smallest,
    order: 1000,
    auditRecording: false,
    useVoiceBridge: false,
    dataRequestInterval: 1600,
    useVPNConnection: false,
    callbackTimeout: 15_000,
    controlCommandsEnabled: true,
    arcDisconnectClearsCall: true,
    resolveDeviceFromDeviceCLI: false,
    enforceIvrDestination: false,
  });
});

it.each([
  ['https://arc.example:1023/x', '/callbackBaseUrl'],
  ['https://arc.example:80', '/callbackBaseUrl'],
  ['https://arc.example:0', '/callbackBaseUrl'],
  ['https://arc.example:443/x', undefined],
  ['https://arc.example:1024', undefined],
  ['https://arc.example', undefined],
])('takes no port that an appliance refuses to call: %s', (callbackBaseUrl, path) => {
  expect(refusedAt({ ...smallest, callbackBaseUrl })).toBe(path);
});

it('still reads a bridge that was stored with such a port', () => {
  const stored = {
    ...alarmBridgeRequestSchema.parse(smallest),
    id: 'b1',
    callbackBaseUrl: 'https://arc.example:80',
  };
  expect(replicatedAlarmBridgeSchema.safeParse(stored).success).toBe(true);
});

it('does not switch heartbeat supervision on by itself', () => {
  expect(alarmBridgeRequestSchema.parse(smallest)).not.toHaveProperty('defaultHeartbeatInterval');
});

it('fills in the defaults of nested objects once they are there', () => {
  const bridge = alarmBridgeRequestSchema.parse({
    ...smallest,
    toneSettings: {},
    restAuthentication: [{ secret: 's' }],
  });
  expect(bridge.toneSettings).toEqual({ dtmfSendType: 'inaudio', dataRequestType: 'standard' });
  expect(bridge.restAuthentication).toEqual([{ secret: 's', type: 'RS256' }]);
});

describe('protocol', () => {
  it.each(ALARM_PROTOCOLS)('%s is accepted, with every field of the document beside it', (protocol) => {
    const bridge = {
      ...smallest,
      protocol,
      protocolMode: 'dtmf',
      dataRequestInterval: 1700,
      analogueVoiceNumber: '1',
    };
    expect(alarmBridgeRequestSchema.parse(bridge)).toMatchObject(bridge);
  });
  it('has the fourteen of the document, rb2000, contactId and dc09', () => {
    expect(ALARM_PROTOCOLS).toHaveLength(17);
    expect(Object.values(PROTOCOL_FAMILY).flat()).toEqual(ALARM_PROTOCOLS);
  });
  it.each(['', 'SCAIP', 'dtmf', 7, null, undefined])('%j is refused', (protocol) => {
    expect(refusedAt({ ...smallest, protocol })).toBe('/protocol');
  });
});

const entry = { sub: 'a', scope: 'b', secret: 's', type: 'HS256', requestHeaders: { 'X-A': 'b' } };
const map = {
  rules: [{ when: { sipFrom: '/^1/' }, path: '/a', body: null, set: { a: 1 }, headers: {}, drop: true }],
};

/** Field, values that are accepted, values that are refused and where; the field itself when nothing is said. */
const ROWS: readonly (readonly [
  field: string,
  good: readonly unknown[],
  bad: readonly (readonly [unknown, string?])[],
])[] = [
  ['protocolMode', ['dtmf'], [['stmf'], [null]]],
  ['name', ['a', 'å b'], [[''], [undefined], [5]]],
  ['destinationMatch', ['.', '^(a|b)$'], [['(a'], ['a(?=b)'], [''], [undefined], ['a'.repeat(513)]]],
  ['order', [0, -1, 999.5, 1000], [['1'], [null]]],
  ['description', ['', 'text'], [[1]]],
  ['enforceSpeakListen', ['no', 'speak', 'listen'], [['yes'], ['']]],
  ['defaultHeartbeatInterval', [300_000, 86_400_000], [[299_999], ['300000'], [300_000.5], [2 ** 31]]],
  [
    'customEventMap',
    [map, { rules: [] }, { ...map, otherwise: 'default' }],
    [
      [{}, '/customEventMap/rules'],
      [{ rules: [{ typo: 1 }] }, '/customEventMap/rules/0/typo'],
      [{ rules: [{ when: { a: {} } }] }, '/customEventMap/rules/0/when/a'],
      [{ rules: [{ when: { a: '/(/' } }] }, '/customEventMap/rules/0/when/a'],
      [{ rules: [{}, { path: 'x' }] }, '/customEventMap/rules/1/path'],
      [{ rules: [], otherwise: 'drop' }, '/customEventMap/otherwise'],
    ],
  ],
  ['customerSiteId', ['north', 'N_1.a-b'], [['north:1'], ['a b'], [''], ['å']]],
  ['auditRecording', [true, false], [['true'], [1]]],
  ['analogueVoiceNumber', ['gsm:+4685', '+4685'], [[1]]],
  ['useVoiceBridge', [true], [['no']]],
  ['dataRequestInterval', [1, 1600], [[0], [-1], ['1600']]],
  ['alarmEventMapperId', ['01j9'], [[1]]],
  ['useVPNConnection', [true], [[0]]],
  ['fallbackAlarmProtocol', ['bs8521', 'scaip', 'tt92', 'ttnew'], [['api'], ['']]],
  ['callbackTimeout', [1, 15_000], [[0], [-5], ['15000'], [2 ** 31]]],
  [
    'toneSettings',
    [
      {
        dtmfSendType: '2833',
        calleeDtmfSendType: 'inaudio',
        callerDtmfSendType: '2833',
        dataRequestType: 'combined',
      },
    ],
    [
      [{ dtmfSendType: 2833 }, '/toneSettings/dtmfSendType'],
      [{ dataRequestType: 'both' }, '/toneSettings/dataRequestType'],
      [{ calleeDtmfSendType: 'info' }, '/toneSettings/calleeDtmfSendType'],
      [{ callerDtmfSendType: 'info' }, '/toneSettings/callerDtmfSendType'],
      [{ tones: 1 }, '/toneSettings/tones'],
    ],
  ],
  ['controlCommandsEnabled', [false], [['x']]],
  ['arcDisconnectClearsCall', [false], [['x']]],
  ['voiceCallSource', ['any', 'strict'], [['none'], [true]]],
  ['callbackName', ['a'], [[1]]],
  ['callbackDescription', ['a'], [[1]]],
  [
    'callbackBaseUrl',
    ['https://arc.example', 'https://arc.example:8443/a/b'],
    [['http://arc.example'], ['https://'], ['arc.example'], ['HTTPS//x'], ['https://user:pw@arc.example']],
  ],
  [
    'restAuthentication',
    [[], [entry], [{ secret: '<secret>' }]],
    [
      [entry],
      [[{ sub: 'a' }], '/restAuthentication/0/secret'],
      [[entry, { ...entry, type: 'none' }], '/restAuthentication/1/type'],
      [[{ ...entry, secret: '' }], '/restAuthentication/0/secret'],
      [[{ ...entry, key: 'x' }], '/restAuthentication/0/key'],
      [[{ ...entry, requestHeaders: { 'X-A': 'a\r\nb' } }], '/restAuthentication/0/requestHeaders/X-A'],
      [[{ ...entry, requestHeaders: { 'X A': 'a' } }], '/restAuthentication/0/requestHeaders/X A'],
    ],
  ],
  ['resolveDeviceFromDeviceCLI', [true], [['x']]],
  ['defaultEmergencyDestination', ['sip:a@b.example', '112'], [[112]]],
  ['enforceIvrDestination', [true], [['x']]],
  ['lacsCallback', ['1'], [[1]]],
  ['protocolProfile', ['own'], [[''], [1]]],
];

describe.each(ROWS)('%s', (field, good, bad) => {
  it.each(good.map((value) => [value]))('accepts %j', (value) => {
    const parsed = alarmBridgeRequestSchema.parse({ ...smallest, [field]: value });
    expect(parsed).toHaveProperty(field);
  });
  it.each(bad)('refuses %j', (value, path = `/${field}`) => {
    expect(refusedAt({ ...smallest, [field]: value })).toBe(path);
  });
});

it('has a row for every field', () => {
  const shape = alarmBridgeResponseSchema.options.flatMap(({ shape }) => Object.keys(shape));
  const tested = [
    ...ROWS.map(([field]) => field),
    'protocol',
    'dc09',
    'emergencyCallList',
    'id',
    'callbackId',
  ];
  expect(new Set(tested)).toEqual(new Set(shape));
});

describe('dc09', () => {
  const receiver = { ...smallest, protocol: 'dc09' };
  it.each([
    { key: '0'.repeat(32) },
    { key: 'aF'.repeat(24) },
    { key: 'aF'.repeat(32) },
    { key: '<secret>' },
    { supervisionInterval: 30_000 },
    { supervisionInterval: 90_000_000 },
    { timeWindowS: {} },
    { timeWindowS: { ahead: 0, behind: 600 } },
    { encryptionRequired: true },
  ])('accepts %j', (dc09) => {
    expect(alarmBridgeRequestSchema.parse({ ...receiver, dc09 })).toHaveProperty('dc09.encryptionRequired');
  });
  it.each([
    [{ key: 'xyz' }, '/dc09/key'],
    [{ key: '0'.repeat(40) }, '/dc09/key'],
    [{ supervisionInterval: 29_999 }, '/dc09/supervisionInterval'],
    [{ supervisionInterval: 90_000_001 }, '/dc09/supervisionInterval'],
    [{ timeWindowS: { ahead: -1 } }, '/dc09/timeWindowS/ahead'],
    [{ timeWindowS: { behind: 1.5 } }, '/dc09/timeWindowS/behind'],
    [{ encryptionRequired: 'yes' }, '/dc09/encryptionRequired'],
    [{ port: 1 }, '/dc09/port'],
  ])('refuses %j', (dc09, path) => {
    expect(refusedAt({ ...receiver, dc09 })).toBe(path);
  });
  it('belongs to the IP receiver only', () => {
    expect(refusedAt({ ...smallest, dc09: {} })).toBe('/dc09');
  });
  it('fills in the time window', () => {
    const bridge: AlarmBridge = alarmBridgeRequestSchema.parse({ ...receiver, dc09: { timeWindowS: {} } });
    expect(bridge).toMatchObject({
      dc09: { timeWindowS: { ahead: 20, behind: 40 }, encryptionRequired: false },
    });
  });
});

describe('a body', () => {
  it('that GET gave can be PUT: what only the service sets is ignored', () => {
    const got = { ...alarmBridgeRequestSchema.parse(smallest), id: '01j9', callbackId: 'c', success: true };
    expect(alarmBridgeRequestSchema.parse(got)).toEqual(alarmBridgeRequestSchema.parse(smallest));
    const { success: _, ...answer } = got;
    expect(alarmBridgeResponseSchema.parse(answer)).toEqual(answer);
  });
  it.each(['destinationmatch', 'Name', 'constructor', '__proto__', 'a/b'])(
    'with the unknown property %s is refused',
    (name) => {
      const body: unknown = JSON.parse(`{"${name}": 1, ${JSON.stringify(smallest).slice(1)}`);
      expect(refusedAt(body as object)).toBe(`/${name.replace('/', '~1')}`);
    },
  );
  it.each([[[]], ['text'], [null], [5]])('%j is refused', (body) => {
    expect(alarmBridgeRequestSchema.safeParse(body).success).toBe(false);
  });
  it('with several faults names each of them', () => {
    const parsed = alarmBridgeRequestSchema.safeParse({
      ...smallest,
      name: '',
      typo: 1,
      callbackTimeout: -1,
    });
    expect(parsed.error && invalid(parsed.error).issues.map(({ path }) => path)).toEqual([
      '/name',
      '/callbackTimeout',
      '/typo',
    ]);
  });
  it('with a bad pattern names the position in it', () => {
    const parsed = alarmBridgeRequestSchema.safeParse({ ...smallest, destinationMatch: 'ab(?=c)' });
    expect(parsed.error && invalid(parsed.error)).toMatchObject({
      code: 'invalid',
      path: '/destinationMatch',
      position: 2,
      reason: expect.stringContaining('position 2'),
    });
  });
});
