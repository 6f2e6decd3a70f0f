import { createCipheriv, createSecretKey, type KeyObject } from 'node:crypto';
import { crc16 } from '#appliance/alarm/protocol/framed-ip/index.ts';

/*
 * Valid DC-09 frames, damaged in one way each as panels and networks damage them. The CRC is that of the damaged body,
 * as a panel with a fault of its own computes it; only `wrongCrc` breaks it.
 */

export const KEY = Buffer.from('00112233445566778899AABBCCDDEEFF', 'hex');
const SECRET = createSecretKey(KEY);
const OTHER_SECRET = createSecretKey(Buffer.alloc(16, 7));
/** Provisioned accounts; `ENC1` and `ENC2` have the key. */
export const ACCOUNTS = ['1234', '6BBB', 'pan6501', '61020304', '0AFFE'] as const;
export const KEYED = ['ENC1', '00E2'] as const;
/** When the first frame is sent, epoch ms. */
export const START_MS = Date.parse('2026-09-25T14:12:04Z');

/**
 * The result that an input must have. `deliver`: ACK, and an unknown event at least. `refuse`: DUH or NAK, and a report to a
 * person. `silence`: no answer (the panel repeats), and a line in the log. `any`: an answer or a report.
 */
export type Due = 'deliver' | 'refuse' | 'silence' | 'any';

export interface Damaged {
  readonly kind: Kind;
  /** In the order of their arrival; a stream is cut where a new one begins. */
  readonly segments: readonly Uint8Array[];
  /** The sender shuts its side behind the last segment. */
  readonly ends: boolean;
  readonly due: Due;
  /** Frames that get an answer where `due` is `deliver`, and events that their first arrivals make. */
  readonly answers: number;
  readonly events: number;
  /** Head of the frame, which its answer says again. */
  readonly echo: string;
}

export type Random = () => number;

interface Frame {
  readonly token: string;
  readonly account: string;
  readonly isKeyed: boolean;
  head: string;
  data: string;
  xdata: string;
  time: string;
}

const pick = <T>(random: Random, of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
const digits = (random: Random, length: number): string =>
  String(Math.floor(random() * 10 ** length)).padStart(length, '0');

const SIA_FORMS = [
  'Nri1/BA$',
  'NFA$',
  'Nri2/id7/OP$',
  'Nti10:11/ri1/PA$',
  'ORP$',
  'Nri1/BA$^hall^',
  'NBA$/FA$',
];
const XDATA = ['', '', '[Ihall]', '[V#1234]', '[X012E34.567][Y55N12.345]', '[M0123456789AB]'];

function validFrame(random: Random, atMs: number, isKeyed = random() < 0.2): Frame {
  const account = isKeyed ? pick(random, KEYED) : pick(random, ACCOUNTS);
  const token = pick(random, ['SIA-DCS', 'SIA-DCS', 'ADM-CID']);
  const receiver = random() < 0.3 ? `R${digits(random, 1)}` : '';
  const data =
    token === 'SIA-DCS'
      ? pick(random, SIA_FORMS).replaceAll('$', digits(random, 3))
      : `1${pick(random, ['131', '110', '602', '3A1'])} ${digits(random, 2)} ${digits(random, 3)}`;
  return {
    token,
    account,
    isKeyed,
    head: `${digits(random, 3)}1${receiver}L0#${account}`,
    data: `#${random() < 0.8 ? account : ''}|${data}`.replace(/^#\|/, '|'),
    xdata: pick(random, XDATA),
    time: isKeyed || random() < 0.4 ? timeText(atMs) : '',
  };
}

function timeText(atMs: number): string {
  const iso = new Date(atMs).toISOString();
  return `_${iso.slice(11, 19)},${iso.slice(5, 7)}-${iso.slice(8, 10)}-${iso.slice(0, 4)}`;
}

function sealed(random: Random, plain: Uint8Array, key = SECRET): string {
  const padding = Buffer.alloc(16 - (plain.length % 16), 65 + Math.floor(random() * 26));
  const cipher = createCipheriv('aes-128-cbc', key, Buffer.alloc(16)).setAutoPadding(false);
  return Buffer.concat([cipher.update(Buffer.concat([padding, plain])), cipher.final()])
    .toString('hex')
    .toUpperCase();
}

const contentOf = ({ data, xdata, time }: Frame): string => `${data}]${xdata}${time}`;

function bodyOf(random: Random, frame: Frame, options: { key?: KeyObject; bar?: string } = {}): string {
  const { token, head, isKeyed } = frame;
  if (!isKeyed) return `"${token}"${head}[${contentOf(frame)}`;
  const plain = Buffer.from(`${options.bar ?? '|'}${contentOf(frame)}`, 'latin1');
  return `"*${token}"${head}[${sealed(random, plain, options.key)}`;
}

const latin1 = (body: string): Buffer => Buffer.from(body, 'latin1');

function framed(body: Uint8Array): Buffer {
  const head = (value: number) => value.toString(16).toUpperCase().padStart(4, '0');
  return Buffer.concat([latin1(`\n${head(crc16(body))}${head(body.length)}`), body, latin1('\r')]);
}

const eventsIn = ({ data }: Frame): number => (/BA\d+\/FA/.test(data) ? 2 : 1);

type Made = Partial<Omit<Damaged, 'kind'>> & { readonly body?: string | Buffer; readonly frame: Frame };
type Maker = (random: Random, atMs: number) => Made;

/** The damage is in the text of the frame; the due result follows from the text that is left. */
const textDamage =
  (damage: (body: string, random: Random) => string): Maker =>
  (random, atMs) => {
    const frame = validFrame(random, atMs);
    const whole = bodyOf(random, frame);
    // The first quote is what the CRC begins with.
    const body = `"${damage(whole.slice(1), random)}`;
    return { frame, body, due: dueOfText(body, frame), events: 1 };
  };

/** The damage is in one part of a plain frame, or of the content under the key: the account stays named. */
const partDamage =
  (damage: (frame: Frame, random: Random) => void): Maker =>
  (random, atMs) => {
    const frame = validFrame(random, atMs);
    damage(frame, random);
    return { frame, body: bodyOf(random, frame), due: 'deliver', events: 1 };
  };

const at = (text: string, random: Random): number => Math.floor(random() * (text.length + 1));
const SEPARATOR = /["[\]|/#^*_-]/g;
const separatorIn = (body: string, random: Random): number => {
  const places = [...body.matchAll(SEPARATOR)].map(({ index }) => index);
  return pick(random, places);
};

/** Damage by kind. The order is that of the table in the README. */
const DAMAGE = {
  none: partDamage(() => {}),
  letterCase: textDamage((body, random) =>
    random() < 0.5
      ? body.toLowerCase()
      : body.replace(/[a-z]/gi, (sign) => (random() < 0.3 ? swapped(sign) : sign)),
  ),
  padding: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const blank = () => ' '.repeat(Math.floor(random() * 3));
    frame.head = frame.head.replace(/[RL#]/g, (sign) => `${blank()}${sign}${blank()}`) + blank();
    frame.data = frame.data.replace(/[|/]/g, (sign) => `${blank()}${sign}`);
    if (!frame.isKeyed) frame.time += blank();
    return { frame, body: bodyOf(random, frame), due: 'deliver', events: 1 };
  },
  order: partDamage((frame, random) => {
    const [, sequence = '', receiver = '', line = '', account = ''] =
      /^(\d+)(R\d)?(L0)(#\w+)$/.exec(frame.head) ?? [];
    frame.head = receiver === '' ? `${sequence}${line}${account}` : `${sequence}${account}${receiver}${line}`;
    const modifiers = /^([^|]*\|[NO])((?:[a-z]{2}[\d:]+\/)+)([A-Z]{2}\d+)(.*)$/.exec(frame.data);
    if (modifiers !== null && random() < 0.5)
      frame.data = `${modifiers[1]}${modifiers[3]}/${modifiers[2]}${modifiers[4]}`;
  }),
  noSlash: partDamage((frame) => {
    frame.data = frame.data.replaceAll('/', '');
  }),
  missingSeparator: textDamage((body, random) => {
    const place = separatorIn(body, random);
    return body.slice(0, place) + body.slice(place + 1);
  }),
  doubledSeparator: textDamage((body, random) => {
    const place = separatorIn(body, random);
    return body.slice(0, place) + body[place] + body.slice(place);
  }),
  strayByte: textDamage((body, random) => {
    const place = at(body, random);
    return body.slice(0, place) + String.fromCharCode(Math.floor(random() * 256)) + body.slice(place);
  }),
  lostByte: textDamage((body, random) => {
    const place = at(body, random);
    return body.slice(0, place) + body.slice(place + 1);
  }),
  accountForm: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const other = pick(random, [
      frame.account.toLowerCase(),
      frame.account.toUpperCase(),
      `00${frame.account}`,
      frame.account.replace(/^0+/, ''),
    ]);
    frame.head = frame.head.replace(`#${frame.account}`, `#${other}`);
    return { frame, body: bodyOf(random, frame), due: 'deliver', events: 1 };
  },
  accountInDataOnly: (random, atMs) => {
    const frame = validFrame(random, atMs, false);
    frame.head = frame.head.replace(/#.*$/, '');
    frame.data = frame.data.replace(/^#?\w*\|/, `${random() < 0.5 ? '#' : ''}${frame.account}|`);
    return { frame, body: bodyOf(random, frame), due: 'deliver', events: 1 };
  },
  head: partDamage((frame, random) => {
    frame.head = frame.head
      .replace(/L0/, pick(random, ['L', 'LFFFFFF', 'L 0', '']))
      .replace(/^\d+/, (sequence) => pick(random, [sequence, '000A', '00000', '1', '']));
  }),
  otherData: partDamage((frame, random) => {
    const signs = Array.from({ length: Math.floor(random() * 30) }, () =>
      String.fromCharCode(0x20 + Math.floor(random() * 95)),
    );
    frame.data = `#${frame.account}|${signs.join('').replace(/[[\]]/g, '')}`;
  }),
  severalBlocks: partDamage((frame, random) => {
    frame.data += `${pick(random, ['][', '|', ']['])}${frame.data}`;
  }),
  charset: (random, atMs) => {
    const frame = validFrame(random, atMs, false);
    frame.data = `#${frame.account}|NBA${digits(random, 3)}^§^`;
    frame.xdata = '[I§]';
    const [front = '', ...rest] = bodyOf(random, frame).split('§');
    const text = pick(random, [
      Buffer.from('Küche Straße', 'utf8'),
      Buffer.from('Küche Straße', 'latin1'),
      Buffer.from('Кухня 厨房', 'utf8'),
      Buffer.from('Hall', 'utf16le'),
      Buffer.from([0xff, 0xfe, 0x80, 0xc3, 0x28, 0xe2, 0x82]),
    ]);
    const body = Buffer.concat([latin1(front), ...rest.flatMap((part) => [text, latin1(part)])]);
    return { frame, body, due: 'deliver', events: 1 };
  },
  length: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    bytes.write(pick(random, ['0000', '0FFF', '00zz', '    ']), 5, 'latin1');
    return { frame, segments: [bytes], due: 'deliver', events: eventsIn(frame) };
  },
  crcForm: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    const hex = latin1(bytes.subarray(1, 5).toString('latin1').toLowerCase());
    const raw = Buffer.from(bytes.subarray(1, 5).toString('latin1'), 'hex');
    const crc = random() < 0.5 ? hex : raw;
    const segments = [Buffer.concat([bytes.subarray(0, 1), crc, bytes.subarray(5)])];
    return { frame, segments, due: 'deliver', events: eventsIn(frame) };
  },
  noLineFeed: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const segments = [framed(latin1(bodyOf(random, frame))).subarray(1)];
    return { frame, segments, due: 'deliver', events: eventsIn(frame) };
  },
  halfClosed: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    const segments = [bytes.subarray(0, random() < 0.5 ? undefined : -1)];
    return { frame, segments, ends: true, due: 'deliver', events: eventsIn(frame) };
  },
  torn: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    const segments = [bytes.subarray(0, 1 + Math.floor(random() * (bytes.length - 3)))];
    return { frame, segments, ends: true, due: 'silence' };
  },
  severalFrames: (random, atMs) => {
    const frames = Array.from({ length: 2 + Math.floor(random() * 4) }, () => validFrame(random, atMs));
    const unique = frames.filter((one, place) => frames.findIndex(({ head }) => head === one.head) === place);
    const noise = pick(random, ['', '', '\r\n', '\0', 'OK']);
    const segments = [
      Buffer.concat(unique.flatMap((one) => [framed(latin1(bodyOf(random, one))), latin1(noise)])),
    ];
    const events = unique.reduce((sum, one) => sum + eventsIn(one), 0);
    return { frame: unique[0] as Frame, segments, due: 'deliver', answers: unique.length, events, echo: '' };
  },
  noReturnBetween: (random, atMs) => {
    const [one, other] = [validFrame(random, atMs), validFrame(random, atMs)];
    other.head = other.head.replace(/^\d+/, '9999');
    const bytes = [one, other].map((frame) => framed(latin1(bodyOf(random, frame))));
    const segments = [Buffer.concat([(bytes[0] as Buffer).subarray(0, -1), bytes[1] as Buffer])];
    const events = eventsIn(one) + eventsIn(other);
    return { frame: one, segments, due: 'deliver', answers: 2, events, echo: '' };
  },
  manySegments: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    const segments: Buffer[] = [];
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + 1 + Math.floor(random() * 12));
      segments.push(bytes.subarray(from, to));
      from = to;
    }
    return { frame, segments, due: 'deliver', events: eventsIn(frame) };
  },
  doubled: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    return { frame, segments: [bytes, bytes], due: 'deliver', answers: 2, events: eventsIn(frame) };
  },
  contentUnderKey: (random, atMs) => {
    const frame = validFrame(random, atMs, true);
    if (random() < 0.5) frame.data = frame.data.toLowerCase();
    return {
      frame,
      body: bodyOf(random, frame, { bar: pick(random, ['', ' |', '||']) }),
      due: 'deliver',
      events: 1,
    };
  },
  wrongKey: (random, atMs) => {
    const frame = validFrame(random, atMs, true);
    return { frame, body: bodyOf(random, frame, { key: OTHER_SECRET }), due: 'refuse' };
  },
  wrongTime: (random, atMs) => {
    const frame = validFrame(random, atMs + pick(random, [-3_600_000, -60_000, 30_000, 86_400_000]), true);
    return { frame, body: bodyOf(random, frame), due: 'refuse' };
  },
  noKeyHere: (random, atMs) => {
    const frame = { ...validFrame(random, atMs, false), isKeyed: true };
    return { frame, body: bodyOf(random, frame), due: 'refuse' };
  },
  otherToken: (random, atMs) => {
    const frame = { ...validFrame(random, atMs, false), token: pick(random, ['VIS-XXX', 'SIA-PUL', 'X']) };
    return { frame, body: bodyOf(random, frame), due: 'refuse' };
  },
  wrongCrc: (random, atMs) => {
    const frame = validFrame(random, atMs);
    const bytes = framed(latin1(bodyOf(random, frame)));
    const place = 10 + Math.floor(random() * (bytes.length - 12));
    bytes[place] = bytes[place] === 0x41 ? 0x42 : 0x41;
    return { frame, segments: [bytes], due: 'silence' };
  },
} as const satisfies Record<string, Maker>;

export type Kind = keyof typeof DAMAGE;
export const KINDS = Object.keys(DAMAGE) as readonly Kind[];

export function damaged(kind: Kind, random: Random, atMs: number): Damaged {
  const { frame, body, ...made } = (DAMAGE[kind] as Maker)(random, atMs);
  const bytes = typeof body === 'string' ? latin1(body) : body;
  return {
    kind,
    segments: bytes === undefined ? [] : [framed(bytes)],
    ends: false,
    due: 'any',
    answers: 1,
    events: 0,
    echo: bytes === undefined ? frame.head : '',
    ...made,
  };
}

const swapped = (sign: string): string =>
  sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase();

const TOKEN = /^"[\s"]*(\*?)[\s"]*(SIA[\s_-]*DCS|ADM[\s_-]*CID)(?![A-Z-])/i;
const bare = (account: string): string => account.toUpperCase().replace(/^0+(?=.)/, '');

/** The rule without the decoder: token and account still stand in the text, and no other account does. */
function dueOfText(body: string, { account, isKeyed }: Frame): Due {
  const token = TOKEN.exec(body);
  if (token === null || (token[1] === '*') !== isKeyed) return 'any';
  // CR ends the frame early; a key exchange is refused; lower case and other signs in cipher text leave no content.
  if (/\r|\[\s*K/i.test(body)) return 'any';
  const bracket = body.indexOf('[');
  if (bracket === -1 && isKeyed) return 'any';
  const head = bracket === -1 ? body : body.slice(0, bracket);
  const content = bracket === -1 ? '' : body.slice(bracket);
  if (isKeyed && !/^\[(?:[0-9A-F]{32})+$/i.test(content)) return 'any';
  const named = [
    ...head.matchAll(/#\s*([^\s#|[\]"]*)/g),
    ...content.matchAll(/^\[*\s*#?\s*([^\s#|[\]"]*)\s*\|/g),
  ]
    .map(([, name = '']) => name)
    .filter((name) => name !== '');
  if (named.length === 0) return 'any';
  return named.every((name) => bare(name) === bare(account)) ? 'deliver' : 'any';
}
