/** Key by its path in the content: values that are taken, then values that are refused. */
export type Row = readonly [path: string, taken: readonly unknown[], refused: readonly unknown[]];

const TONE = { digits: 'DB', onMs: 80, offMs: 80 };
const TONES: readonly [unknown[], unknown[]] = [
  [
    [],
    [TONE],
    [{ digit: 'B', ms: 600 }],
    [{ hz: 1400, ms: 100 }, { silenceMs: 100 }],
    [{ stmf: true, digits: '0' }],
  ],
  [
    null,
    'B',
    [{}],
    [{ digits: 'E', onMs: 80, offMs: 80 }],
    [{ digits: 'D', onMs: 80 }],
    [{ digit: 'DB', ms: 80 }],
    [{ digit: 'D', ms: 10 }],
    [{ hz: 100, ms: 100 }],
    [{ silenceMs: -1 }],
    Array(9).fill(TONE),
  ],
];
const number = (path: string, least: number, most: number): Row => [
  path,
  [least, most],
  [least - 1, most + 1, least + 0.5, String(least), null],
];
const flag = (path: string): Row => [path, [true, false], [0, 'true', null]];
const one = (path: string, names: readonly string[]): Row => [path, names, ['', 'other', 1, null]];
const text = (path: string, most: number): Row => [
  path,
  ['x', 'x'.repeat(most)],
  ['', 'x'.repeat(most + 1), 1, null],
];

export const TABLE = {
  alphabet: '01',
  values: [0, 1],
  weights: [1],
  modulus: 10,
  complement: false,
  digits: 2,
  radix: 10,
};
const METHODS = [
  'none',
  'sumMod15',
  'sumHexByte',
  'sumMod100',
  'sumMod100Complement',
  'weightedMod97',
  'luhn',
];

const CHECK: readonly Row[] = [
  one('check.policy', ['verify', 'warn', 'ignore', 'learn']),
  one('check.method', [...METHODS, 'xorColumn', 'table']),
  [
    'check.table',
    [null, TABLE],
    [
      {},
      { ...TABLE, values: [1] },
      { ...TABLE, modulus: 1 },
      { ...TABLE, radix: 17 },
      { ...TABLE, more: 1 },
      'table',
    ],
  ],
  number('check.maxRejects', 0, 10),
];
const COLLECT: readonly Row[] = [
  number('collect.interDigitMs', 50, 10_000),
  number('collect.fullWaitMs', 50, 10_000),
  number('collect.maxToneMs', 100, 10_000),
  number('collect.overallMs', 1_000, 300_000),
  number('collect.quietAfterBadMs', 0, 60_000),
];
const OPEN_COLLECT: readonly Row[] = [
  ...COLLECT,
  ['collect.start', ['', 'D#'], ['E', 'D'.repeat(9), 1]],
  ['collect.end', ['', '#'], ['E', '#'.repeat(9), 1]],
  ['collect.alphabet', ['01', '0123456789ABCD*#'], ['0', 'EF', '', 1]],
];
const SAID: readonly Row[] = [
  flag('enabled'),
  ['confidence', ['mostly'], [1]],
  ['unconfirmed', [[], ['check.method']], ['all', [1]]],
  ['trigger.send', ...TONES],
  number('trigger.waitBeforeMs', 0, 10_000),
  number('trigger.repeatEveryMs', 200, 60_000),
  number('trigger.max', 0, 10),
  ...CHECK,
  ['ack', ...TONES],
  number('ackWithinMs', 50, 10_000),
  number('settleMs', 0, 10_000),
];
const FRAMED = [...SAID, ...COLLECT];
const SENDER: readonly Row[] = [
  number('sender.requestWaitMs', 1_000, 300_000),
  number('sender.delayAfterRequestMs', 0, 10_000),
  number('sender.toneOnMs', 40, 1_000),
  number('sender.toneOffMs', 40, 1_000),
  number('sender.ackWaitMs', 100, 60_000),
  number('sender.resendMs', 100, 60_000),
  number('sender.max', 1, 20),
  one('sender.check.method', METHODS),
  ['sender.check.table', [null, TABLE], [{}, 1]],
];
const TT: readonly Row[] = [
  ...FRAMED,
  number('commands.shortMs', 40, 1_000),
  number('commands.longMs', 100, 5_000),
  number('commands.clearDownMs', 500, 10_000),
  number('commands.echoWaitMs', 100, 60_000),
  number('group.firstWaitMs', 500, 60_000),
  number('group.nextWaitMs', 300, 60_000),
  number('group.answerWaitMs', 100, 60_000),
  number('group.tries', 1, 20),
  ...SENDER,
  ['sender.check.withoutTable', ['37', '*#'], ['7', '123', 'x1', 37]],
];
const EVENTS: Row = [
  'eventTable',
  [{}, { '1': { deviceType: 'fixedTrigger', statusCode: 'alarm', location: 'kitchen', audio: 'duplex' } }],
  [[], { '1': { device: 'x' } }, { '1': { audio: 'loud' } }, { '': {} }, 'table'],
];
const OPEN: readonly Row[] = [
  ...SAID,
  ...OPEN_COLLECT,
  ['nak', ...TONES],
  [
    'frame',
    [
      null,
      [],
      [
        ['controllerId', 8],
        ['eventCode', 2],
        ['check', 2],
      ],
    ],
    [
      [['other', 1]],
      [['data', 0]],
      [['data', 33]],
      [
        ['data', 1],
        ['data', 2],
      ],
      'fields',
    ],
  ],
  EVENTS,
];
const UNREAD: readonly Row[] = [...SAID.slice(1), ...OPEN_COLLECT, ['enabled', [false], [true, 'false']]];
const CONTENT_TYPES: Row = [
  'contentTypesAccepted',
  [['*'], ['application/xml', 'text/xml']],
  [[], ['xml'], '*', [1]],
];
const media = (path: string): Row => [path, ['application/xml', 'text/plain'], ['xml', '', '*', 1]];
const NOWIP: readonly Row[] = [
  flag('enabled'),
  ['confidence', ['mostly'], [1]],
  ['unconfirmed', [[]], ['x']],
  media('contentType'),
  CONTENT_TYPES,
  text('version', 32),
  text('mac', 64),
  text('emptyDataAs', 8),
  number('ackWithinMs', 50, 60_000),
  number('dedupeMs', 1_000, 1_800_000),
  number('messageAfterInviteMs', 500, 120_000),
  ['keepAlive', ['0', 'A#'], ['', 'x', 1, '0'.repeat(17)]],
  number('byeAfterCloseMs', 500, 60_000),
  ...['quick', 'select', 'next', 'parameter'].map((name) => number(`waitMs.${name}`, 200, 60_000)),
  number('sender.ackWaitMs', 500, 60_000),
  number('sender.tries', 1, 20),
  number('sender.busyRetryMs', 100, 60_000),
  number('sender.busyTries', 0, 20),
];
const SCAIP: readonly Row[] = [
  flag('enabled'),
  ['confidence', ['exact'], [1]],
  ['unconfirmed', [[]], ['x']],
  media('contentType'),
  CONTENT_TYPES,
  one('responseMode', ['message', 'in200', 'both']),
  one('cidPolicy', ['off', 'warn', 'reject']),
  number('holdAfterMs', 0, 60_000),
  number('ackWithinMs', 50, 120_000),
  number('answerCacheMin', 3, 240),
  number('partWaitMs', 1_000, 120_000),
  number('maxTnu', 1, 5),
  number('sender.sipWaitMs', 500, 60_000),
  number('sender.answerWaitMs', 1_000, 120_000),
  number('sender.tries', 1, 20),
  number('sender.holdResendMs', 5_000, 20_000),
  number('sender.holdLimitMin', 3, 30),
  number('sender.voiceWithinS', 5, 600),
  ['sender.deflateAboveBytes', [100, 65_536, null], [99, 65_537, 100.5, '100']],
  number('voice.controlToneMs', 100, 500),
  number('voice.directionRepeatMs', 5_000, 600_000),
  number('voice.clearDownWaitMs', 1_000, 60_000),
  one('voice.simplexDefault', ['7', '8']),
  flag('voice.callbackWhenAsked'),
  number('voice.callbackMinutes', 1, 60),
  ['voice.predefinedMedium', ['sip', 'gsm', null], ['tel', 1]],
];
const PATH = (name: string): Row => [
  `fieldPaths.${name}`,
  ['', 'id', 'head/unit.id'],
  ['/id', 'a//b', '1a', 'a b', 1],
];
const LACS: readonly Row[] = [
  flag('enabled'),
  ['confidence', ['not public'], [1]],
  ['unconfirmed', [['everything']], ['x']],
  ['requestRoot', ['', 'lacs'], ['x'.repeat(65), 1]],
  CONTENT_TYPES,
  ...['controllerId', 'deviceId', 'eventCode', 'reference', 'time', 'location', 'callback'].map(PATH),
  EVENTS,
  ['reply.root', ['', 'answer'], ['x'.repeat(65), 1]],
  ['reply.template', ['', '<answer>{{callback}}</answer>'], ['x'.repeat(4_097), 1]],
  ['reply.callbackFrom', ['lacsCallback'], ['other', 1]],
  media('reply.contentType'),
  one('responseMode', ['message', 'in200', 'both']),
  number('ackWithinMs', 50, 120_000),
];
const DC07: readonly Row[] = [
  flag('enabled'),
  ['confidence', ['exact'], [1]],
  ['unconfirmed', [['timeWindowS']], ['x']],
  one('lengthPolicy', ['warn', 'ignore', 'reject']),
  number('ackWithinMs', 50, 60_000),
  number('dedupeMin', 1, 240),
  number('supervision.marginPct', 0, 200),
  number('supervision.marginMinS', 0, 3_600),
];

/** Every key of every profile that a tenant can change. */
const BY_ROOT: Readonly<Record<string, readonly [kind: string, rows: readonly Row[]]>> = {
  bs8521: [
    'tone',
    [
      ...FRAMED,
      [
        'prefixes',
        [[], [{ hz: 1850, ms: 250 }], [{ hz: 1850, ms: 250, everyMs: 3_000 }]],
        [[{ hz: 1 }], 'D#', [1]],
      ],
      number('classify.longAMinMs', 90, 2_000),
      number('classify.dataRequestBMinMs', 90, 2_000),
      number('commands.onMs', 40, 1_000),
      number('commands.offMs', 40, 1_000),
      number('commands.longAMs', 100, 2_000),
      number('commands.ackWaitMs', 100, 60_000),
      number('commands.max', 1, 20),
      number('commands.afterClearDownWaitMs', 0, 60_000),
      number('keepAlive.everyMs', 5_000, 1_800_000),
      number('keepAlive.lossMs', 10_000, 1_800_000),
      ...SENDER,
      number('trigger.groupMs', 500, 5_000),
      ['sender.nonSpeechStatus', [true, false], ['yes', 1]],
      ['sender.check.fixed', ['37'], ['7', '123', '*1', 37]],
      number('sender.enquiryTone.hz', 200, 3_600),
      number('sender.enquiryTone.onMs', 50, 5_000),
      number('sender.enquiryTone.everyMs', 200, 60_000),
    ],
  ],
  ttnew: ['tone', TT],
  tt92: [
    'tone',
    [
      ...TT,
      ['trigger.combined', ...TONES],
      one('sender.sequential', ['whenAsked', 'always', 'never']),
      number('stmf.digitMs', 120, 320),
      number('stmf.rowMs', 50, 150),
      number('stmf.gapMs', 0, 40),
      number('stmf.columnMs', 50, 150),
    ],
  ],
  'tt-burst': ['tone', UNREAD],
  rb2000: ['tone', OPEN],
  p100: ['tone', [...FRAMED, ['nak', ...TONES]]],
  'cpc-antenna': [
    'tone',
    [
      ...SAID,
      ...OPEN_COLLECT,
      [
        'variantOrder',
        [
          ['KONE', 'AntennaExt', 'Antenna'],
          ['Antenna', 'AntennaExt', 'KONE'],
        ],
        [['KONE'], ['KONE', 'KONE', 'Antenna'], 'KONE', []],
      ],
      [
        'idDigits',
        [{ default: 8 }, { min: 1, max: 16, default: 6 }],
        [{}, { default: 0 }, { default: 17 }, 8],
      ],
    ],
  ],
  'twon-text': ['tone', OPEN.slice(0, -2)],
  contactId: ['tone', [...FRAMED, number('idleHangUpMs', 500, 60_000)]],
  bsiaFastFormat: ['tone', UNREAD],
  siaFsk: ['tone', UNREAD],
  multiprotocol: [
    'tone',
    [
      number('listenMs', 0, 10_000),
      [
        'steps',
        [
          [{ profile: 'tt92', tries: 1 }],
          [
            { profile: 'cpc-antenna', tries: 0 },
            { profile: 'bs8521', tries: 4 },
          ],
        ],
        [
          [],
          'tt92',
          ['tt92'],
          [{ profile: 'tt92' }],
          [{ profile: 'scaip', tries: 1 }],
          [{ profile: 'tt92', tries: 5 }],
          [
            { profile: 'tt92', tries: 1 },
            { profile: 'tt92', tries: 2 },
          ],
        ],
      ],
    ],
  ],
  scaip: ['xml', SCAIP],
  nowip: ['xml', NOWIP],
  nowipcontroller: ['xml', NOWIP],
  lacs: ['xml', LACS],
  dc09: [
    'ip',
    [
      ...DC07,
      number('timeWindowS.ahead', 0, 86_400),
      number('timeWindowS.behind', 0, 86_400),
      one('timeWindowUnencrypted', ['off', 'on']),
      number('sender.ackWaitMs', 5_000, 60_000),
      number('sender.tries', 1, 20),
    ],
  ],
  dc07: ['ip', DC07],
};

export const at = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value);

/** Members that any of them may have. */
const UNKNOWN_DEVICE: Row = [
  'unknownDeviceType',
  ['specialFunction', 'auxInput'],
  ['', 'unknown', 'elevator', 1, null],
];

export const TABLE_OF: typeof BY_ROOT = Object.fromEntries(
  Object.entries(BY_ROOT).map(([root, [kind, rows]]) => [root, [kind, [...rows, UNKNOWN_DEVICE]]]),
);
