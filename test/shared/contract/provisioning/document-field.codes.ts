/**
 * Every field that API document 1 names (sections 2.1 to 2.6), with what it allows: values that are taken, values that are
 * refused with a part of the reason, and the value that holds when nothing is said. `true` in place of refusals: the
 * service sets it, and what a request says is ignored. In paths `0` is the first entry of a list.
 */
export type DocumentField = readonly [
  path: string,
  taken: readonly unknown[],
  refused: readonly (readonly [value: unknown, reason: string])[] | true,
  standard?: unknown,
];

const string = (...taken: readonly string[]): DocumentField[1] => (taken.length > 0 ? taken : ['text']);
const NO_STRING = [[7, 'expected string']] as const;
const flag = (path: string, standard: boolean): DocumentField => [
  path,
  [true, false],
  [['yes', 'expected boolean']],
  standard,
];
const text = (path: string, ...taken: readonly string[]): DocumentField => [
  path,
  string(...taken),
  NO_STRING,
];
const needed = (path: string, ...taken: readonly string[]): DocumentField => [
  path,
  string(...taken),
  [
    [undefined, 'expected string'],
    [7, 'expected string'],
  ],
];
const choice = (path: string, values: readonly string[], standard?: string): DocumentField => [
  path,
  values,
  [
    ['other', 'expected one of'],
    [7, 'expected one of'],
  ],
  standard,
];

const REST_AUTHENTICATION: readonly DocumentField[] = [
  text('restAuthentication.0.sub'),
  text('restAuthentication.0.scope'),
  [
    'restAuthentication.0.secret',
    ['a secret'],
    [
      [undefined, 'expected string'],
      ['', 'expected string'],
    ],
  ],
  ['restAuthentication.0.type', ['RS256'], [['none', 'expected one of']], 'RS256'],
  ['restAuthentication.0.requestHeaders', [{ 'X-A': 'b' }], [['X-A: b', 'expected record']]],
];

const HTTPS: DocumentField[2] = [
  ['http://arc.example', 'https://'],
  ['arc.example', 'https://'],
];

/** 2.1, 2.2. Chosen by the project: `protocolMode` is optional, for it says something for tt92 only. */
const ALARM_BRIDGE: readonly DocumentField[] = [
  [
    'protocol',
    [
      'api',
      'bs8521',
      'deviceProvisioned',
      'nowip',
      'scaip',
      'tt92',
      'ttnew',
      'multiprotocol',
      'voicecall',
      'call',
      'nowipcontroller',
      'lacs',
      'p100',
      'cpc-antenna',
    ],
    [
      ['other', "Expected 'scaip'"],
      [undefined, "Expected 'scaip'"],
    ],
  ],
  ['protocolMode', ['dtmf'], [['stmf', 'expected "dtmf"']]],
  needed('name'),
  [
    'destinationMatch',
    ['^scaip$'],
    [
      [undefined, 'expected string'],
      ['(a', 'missing closing )'],
    ],
  ],
  text('description'),
  choice('enforceSpeakListen', ['no', 'speak', 'listen']),
  [
    'defaultHeartbeatInterval',
    [300_000, 600_000],
    [
      [299_999, '300000'],
      ['300000', 'expected number'],
    ],
  ],
  ['customEventMap', [{ rules: [] }], [['rules', 'expected object']]],
  [
    'customerSiteId',
    ['North_1.a-b'],
    [
      ['north:1', 'pattern'],
      ['a b', 'pattern'],
    ],
  ],
  flag('auditRecording', false),
  text('analogueVoiceNumber', 'tel:+46855511000'),
  flag('useVoiceBridge', false),
  [
    'dataRequestInterval',
    [800],
    [
      [0, '>0'],
      ['1600', 'expected number'],
    ],
    1600,
  ],
  text('alarmEventMapperId'),
  flag('useVPNConnection', false),
  choice('fallbackAlarmProtocol', ['bs8521', 'scaip', 'tt92', 'ttnew']),
  [
    'callbackTimeout',
    [5000],
    [
      [0, '>0'],
      ['1', 'expected number'],
    ],
    15_000,
  ],
  choice('toneSettings.calleeDtmfSendType', ['2833', 'inaudio']),
  choice('toneSettings.callerDtmfSendType', ['2833', 'inaudio']),
  choice('toneSettings.dtmfSendType', ['2833', 'inaudio']),
  choice('toneSettings.dataRequestType', ['standard', 'combined'], 'standard'),
  flag('controlCommandsEnabled', true),
  flag('arcDisconnectClearsCall', true),
  text('callbackName'),
  text('callbackDescription'),
  ['callbackBaseUrl', ['https://arc.example/a'], HTTPS],
  ['callbackId', ['made-up'], true],
  ...REST_AUTHENTICATION,
  flag('resolveDeviceFromDeviceCLI', false),
  text('defaultEmergencyDestination'),
  flag('enforceIvrDestination', false),
  text('lacsCallback'),
  ['id', ['made-up'], true],
];

/** 2.3 */
const ALARM_EVENT_MAPPER: readonly DocumentField[] = [
  ['alarmHandling', ['forward', 'drop'], [['other', 'expected one of']], 'forward'],
  text('description'),
  needed('name'),
  ['id', ['made-up'], true],
  [
    'deviceIdPadLength',
    [0, 8],
    [
      ['8', 'expected number'],
      [-1, '>=0'],
    ],
    0,
  ],
  [
    'controllerIdPadLength',
    [0, 8],
    [
      ['8', 'expected number'],
      [-1, '>=0'],
    ],
    0,
  ],
  ['mappingRules', [{ rules: [] }], [['rules', 'expected object']]],
  text('unknownAlarmEventVoiceDestination', '+46855511009'),
  text('fromDomain', 'care.example'),
  text('voiceCallSipFromUserRewrite', '+46'),
  ['voiceCallSipFromUserMatch', ['^00(\\d+)$'], [['(a', 'missing closing )']]],
  [
    'maxSessionDuration',
    [600],
    [
      ['600', 'expected number'],
      [0, '>=1'],
    ],
    3600,
  ],
  choice('preferredCodec', ['PCMA', 'PCMU']),
  flag('mapDeviceIdToControllerId', false),
  flag('useDeviceIdAsSipFrom', false),
  text('analogueVoiceNumber'),
  flag('useVoiceBridge', false),
  text('callerId'),
  flag('useVoiceCallbackDestinationAsARCSipFrom', false),
  flag('enableDestinationMonitoring', false),
  flag('enforceIvrDestination', false),
  ['targetEndpoint.protocol', ['scaip'], [['other', 'Invalid']]],
  text('targetEndpoint.siaMapping', 'scaip'),
  text('targetEndpoint.sipAuthUser'),
  text('targetEndpoint.sipAuthPassword'),
  ['targetEndpoint.partnerUrl', ['https://arc.example/a'], HTTPS],
  needed('targetEndpoint.destAddr', 'sip:alarm@arc.example'),
  text('targetEndpoint.overrideSipFrom'),
  text('targetEndpoint.defaultVoiceDestination', '+46855511001'),
  text('targetEndpoint.terminatingTrunkGroupId', 'carrier-north'),
  text('targetEndpoint.trunkKey'),
  text('targetEndpoint.backupEndpoint.backupOverrideSipFrom'),
  text('targetEndpoint.backupEndpoint.backupSipAuthPassword'),
  text('targetEndpoint.backupEndpoint.backupDefaultVoiceDestination', '+46855511001'),
  text('targetEndpoint.backupEndpoint.backupSipAuthUser'),
  needed('targetEndpoint.backupEndpoint.backupDestAddr', 'sip:alarm@backup.example'),
];

/** 2.4 */
const CLOUD_SIP_UA: readonly DocumentField[] = [
  needed('name'),
  [
    'destinationMatch',
    ['^ivr$'],
    [
      [undefined, 'expected string'],
      ['(a', 'missing closing )'],
    ],
  ],
  ['callbackBaseUrl', ['https://arc.example/a'], [...HTTPS, [undefined, 'expected string']]],
  text('description'),
  ...REST_AUTHENTICATION,
  flag('forceRtpRelay', false),
  [
    'callbackTimeout',
    [5000],
    [
      ['1', 'expected number'],
      [0, '>0'],
    ],
  ],
  ['callbackId', ['made-up'], true],
  text('callbackName'),
  text('callbackDescription'),
  choice('codecLimit', ['PCMA', 'PCMU']),
  ['id', ['made-up'], true],
];

/** 2.5 */
const DEVICE: readonly DocumentField[] = [
  [
    'deviceId',
    ['north:12345678:0042', 'A-b._:~+9'],
    [
      [undefined, 'expected string'],
      ['a b', 'pattern'],
      ['å', 'pattern'],
    ],
  ],
  choice('authType', ['credentials', 'deviceid', 'disabled']),
  choice('srtp', ['negotiated', 'alwaysWithTLS', 'always', 'never']),
  choice('deviceType', [
    'sipDevice',
    'alarmbridgeGroupSchemeController',
    'alarmbridgeGroupSchemeUnit',
    'alarmbridgeConnectGateway',
    'alarmbridgeAlarmUnit',
    'jwtAuthenticatedOnDemandDevice',
    'alarmbridgeConnect',
    'groupScheme',
    'alarmUnit',
  ]),
  ['lastConfigured', [1_770_000_000_000], true],
  text('trunkGroupId'),
  [
    'groupId',
    ['installer-north'],
    [
      ['owner-north', 'pattern'],
      ['installer-', 'pattern'],
    ],
  ],
  ['description', ['', 'a'.repeat(200)], [['a'.repeat(201), '<=200']]],
  text('deviceCLI', '+46855511000'),
  text('macAddress', '02:00:5e:10:00:01'),
  text('serviceData.alarmBridge.voiceDestination'),
  text('serviceData.alarmBridge.emergencyDestination'),
  text('serviceData.alarmBridge.destinationRewrite'),
  [
    'serviceData.alarmBridge.heartbeatInterval',
    [600_000],
    [
      ['1', 'expected number'],
      [0, '>0'],
    ],
  ],
  ['serviceData.alarmBridge.alarmProtocol', ['scaip', 'tt92'], [['other', 'expected one of']]],
  ['serviceData.alarmBridge.usePredefinedDestination', [true], [['yes', 'expected boolean']]],
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.deviceType',
    ['fallDetector'],
    [['other thing', 'expected one of']],
  ],
  text('serviceData.alarmBridge.overrideInAlarmEvent.controllerId'),
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.deviceComponent',
    ['button1'],
    [['other thing', 'expected one of']],
  ],
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.systemConfig',
    ['localUnitAndController'],
    [['other thing', 'expected one of']],
  ],
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.location',
    ['kitchen'],
    [['other thing', 'expected one of']],
  ],
  ['serviceData.alarmBridge.overrideInAlarmEvent.audio', ['duplex'], [['other thing', 'expected one of']]],
  text('serviceData.alarmBridge.overrideInAlarmEvent.deviceId'),
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.statusCode',
    ['alarm'],
    [['other thing', 'expected one of']],
  ],
  [
    'serviceData.alarmBridge.overrideInAlarmEvent.priority',
    [0, 9],
    [
      ['9', 'expected number'],
      [10, '<=9'],
    ],
  ],
  ['heartbeatStatus', ['online'], true],
  ['heartbeatExpiration', [1], true],
  ['success', [true], true],
  ['reason', ['text'], true],
];

/** 2.5, what belongs to one `authType`. */
const DEVICE_WITH_CREDENTIALS: readonly DocumentField[] = [
  ['ha1', ['939e7578ed9e3c518a452acee763bce9'], [['secret', 'MD5 or SHA-256']]],
];
const DEVICE_WITH_USERID: readonly DocumentField[] = [
  ['authType', ['userid'], []],
  ['password', ['correct horse'], [[undefined, 'is mandatory when authType is userid']]],
  text('authorized.domain', 'care.example'),
  ['authorized.invite', ['^1'], [['(a', 'missing closing )']]],
  ['authorized.register', [true, false], [['yes', 'expected boolean']]],
];

/** 2.6 */
const PROFILE: readonly DocumentField[] = [
  text('firstName'),
  text('lastName'),
  text('phone'),
  text('company'),
  ['email', ['ada@care.example'], [['ada', 'email']]],
  ['emailConsent', [1_770_000_000], [['now', 'expected number']]],
];
const PROFILE_CREATION: readonly DocumentField[] = [
  ...PROFILE,
  text('authProvider'),
  text('otherInfo'),
  text('useCase'),
  ['termsAgreed', [1_770_000_000], [['now', 'expected number']]],
  ['profileReviewed', [true, false], [['yes', 'expected boolean']]],
  text('deploymentSize'),
];

export const DOCUMENT_FIELDS = {
  alarmBridge: ALARM_BRIDGE,
  alarmEventMapper: ALARM_EVENT_MAPPER,
  cloudSipUa: CLOUD_SIP_UA,
  device: DEVICE,
  deviceWithCredentials: DEVICE_WITH_CREDENTIALS,
  deviceWithUserid: DEVICE_WITH_USERID,
  profile: PROFILE,
  profileCreation: PROFILE_CREATION,
} as const;
