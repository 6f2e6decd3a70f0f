import { z } from 'zod';
import { destination, digits, hertz, ms, note, whole } from './field.ts';

const toneLength = ms(20, 5_000);
const pause = ms(0, 5_000);

/** Something to play: DTMF digits, one digit, one frequency, silence, or row and column tones in turn. */
const toneSchema = z.union([
  z.strictObject({ digits: digits(32), onMs: toneLength, offMs: pause }),
  z.strictObject({ digit: digits(1), ms: toneLength }),
  z.strictObject({ hz: hertz, ms: toneLength }),
  z.strictObject({ silenceMs: pause }),
  z.strictObject({ stmf: z.literal(true), digits: digits(32) }),
]);

const tones = z.array(toneSchema).max(8);

const trigger = z
  .strictObject({
    send: tones,
    waitBeforeMs: ms(0, 10_000),
    repeatEveryMs: ms(200, 60_000),
    max: whole(0, 10),
  })
  .partial();

const collect = z.strictObject({
  interDigitMs: ms(50, 10_000),
  fullWaitMs: ms(50, 10_000),
  maxToneMs: ms(100, 10_000),
  overallMs: ms(1_000, 300_000),
  quietAfterBadMs: ms(0, 60_000),
});

/** Where the framing is not public, what stands around a string is the customer's to say too. */
const openCollect = collect.extend({
  start: digits(8).or(z.literal('')),
  end: digits(8).or(z.literal('')),
  alphabet: z.string().regex(/^[0-9A-D*#]{2,16}$/, 'must be 2 to 16 of 0-9, A-D, * and #'),
});

const CHECK_METHODS = [
  'none',
  'sumMod15',
  'sumHexByte',
  'sumMod100',
  'sumMod100Complement',
  'weightedMod97',
  'luhn',
  'xorColumn',
  'table',
] as const;

/** A customer's own method: check = sum of value times weight, modulo, complemented when set. */
const checkTable = z
  .strictObject({
    alphabet: z.string().min(1).max(16),
    values: z.array(z.number().int().min(0).max(65_535)).min(1).max(16),
    weights: z.array(z.number().int().min(0).max(65_535)).min(1).max(64),
    modulus: whole(2, 65_536),
    complement: z.boolean(),
    digits: whole(1, 4),
    radix: whole(2, 16),
  })
  .refine(({ alphabet, values }) => alphabet.length === values.length, {
    message: 'must have one number for each symbol of the alphabet',
    path: ['values'],
  });

const check = z.strictObject({
  policy: z.enum(['verify', 'warn', 'ignore', 'learn']),
  method: z.enum(CHECK_METHODS),
  table: checkTable.nullable(),
  maxRejects: whole(0, 10),
});

interface SaidCheck {
  readonly policy?: string | undefined;
  readonly method?: string | undefined;
  readonly table?: unknown;
}

/** Without its table the method makes no check: every string of every device would count as bad. */
const needsTable = <Schema extends z.ZodType<SaidCheck>>(schema: Schema) =>
  schema.refine(
    ({ policy, method, table }) =>
      !(method === 'table' && table === null && (policy === 'verify' || policy === 'warn')),
    { message: 'must have the table of its method for this check policy', path: ['table'] },
  );

/** Every value of every tone profile. */
const said = {
  ...note,
  ...destination,
  enabled: z.boolean(),
  trigger,
  check: needsTable(check.partial()),
  ack: tones,
  ackWithinMs: ms(50, 10_000),
  settleMs: ms(0, 10_000),
};

const framed = { ...said, collect: collect.partial() };

/** When we act as the device. */
const sender = z.strictObject({
  requestWaitMs: ms(1_000, 300_000),
  delayAfterRequestMs: ms(0, 10_000),
  toneOnMs: ms(40, 1_000),
  toneOffMs: ms(40, 1_000),
  ackWaitMs: ms(100, 60_000),
  resendMs: ms(100, 60_000),
  max: whole(1, 20),
});

/** Check digits of what we send. The value in their place, where no method makes them, is named as in the built-in file. */
const sentCheck = check.pick({ method: true, table: true });

const enquiry = z.strictObject({ hz: hertz, ms: ms(50, 5_000), everyMs: ms(200, 60_000) }).partial();

const bs8521 = z.strictObject({
  ...framed,
  /** `groupMs`: length of the request to what is provisioned as a group scheme. */
  trigger: trigger.extend({ groupMs: ms(500, 5_000).optional() }),
  /** The enquiry tone of the device; empty = it has none. */
  prefixes: z
    .array(z.strictObject({ hz: hertz, ms: ms(50, 5_000), everyMs: ms(200, 60_000).optional() }))
    .max(1),
  classify: z.strictObject({ longAMinMs: ms(90, 2_000), dataRequestBMinMs: ms(90, 2_000) }).partial(),
  commands: z
    .strictObject({
      onMs: ms(40, 1_000),
      offMs: ms(40, 1_000),
      longAMs: ms(100, 2_000),
      ackWaitMs: ms(100, 60_000),
      max: whole(1, 20),
      afterClearDownWaitMs: ms(0, 60_000),
    })
    .partial(),
  keepAlive: z.strictObject({ everyMs: ms(5_000), lossMs: ms(10_000) }).partial(),
  sender: sender
    .extend({
      enquiryTone: enquiry
        .omit({ ms: true })
        .extend({ onMs: ms(50, 5_000) })
        .partial(),
      check: sentCheck.extend({ fixed: z.string().regex(/^\d{2}$/, 'must be two digits') }).partial(),
      /** Status 02 or 03 of an alarm without speech. */
      nonSpeechStatus: z.boolean(),
    })
    .partial(),
});

const tt = z.strictObject({
  ...framed,
  commands: z
    .strictObject({
      shortMs: ms(40, 1_000),
      longMs: ms(100, 5_000),
      clearDownMs: ms(500, 10_000),
      echoWaitMs: ms(100, 60_000),
    })
    .partial(),
  group: z
    .strictObject({
      firstWaitMs: ms(500, 60_000),
      nextWaitMs: ms(300, 60_000),
      answerWaitMs: ms(100, 60_000),
      tries: whole(1, 20),
    })
    .partial(),
  sender: sender
    .extend({
      check: sentCheck
        .extend({ withoutTable: z.string().regex(/^[0-9A-D*#]{2}$/, 'must be two of 0-9, A-D, * and #') })
        .partial(),
    })
    .partial(),
});

/** Request in sequential tones, for `dataRequestType` combined, the times of a digit in them, and whether we send in them. */
const tt92 = tt.extend({
  sender: tt.shape.sender.extend({ sequential: z.enum(['whenAsked', 'always', 'never']).optional() }),
  trigger: trigger.extend({ combined: tones.optional() }),
  stmf: z
    .strictObject({
      digitMs: ms(120, 320),
      rowMs: ms(50, 150),
      gapMs: ms(0, 40),
      columnMs: ms(50, 150),
    })
    .partial(),
});

const p100 = z.strictObject({ ...framed, nak: tones });

const cpc = z.strictObject({
  ...said,
  collect: openCollect.partial(),
  variantOrder: z
    .array(z.enum(['KONE', 'AntennaExt', 'Antenna']))
    .length(3)
    .refine((order) => new Set(order).size === 3, { message: 'must name each variant once' }),
  idDigits: z.strictObject({
    default: whole(1, 16),
    min: whole(1, 16).optional(),
    max: whole(1, 16).optional(),
  }),
});

const FIELD_NAMES = ['controllerId', 'deviceId', 'eventCode', 'location', 'check', 'data'] as const;

/** The meaning of one event code of a protocol of the customer's own. */
const eventMeaningSchema = z
  .strictObject({
    deviceType: z.string().max(40),
    statusCode: z.string().max(40),
    location: z.string().max(40),
    audio: z.enum(['none', 'simplex', 'duplex']),
  })
  .partial();

export const eventTableSchema = z
  .record(z.string().min(1).max(40), eventMeaningSchema)
  .refine((table) => Object.keys(table).length <= 500, { message: 'must have at most 500 codes' });

/** Nothing is public: everything is the customer's to say. */
const open = z.strictObject({
  ...said,
  collect: openCollect.partial(),
  nak: tones,
  /** Fields in the order of the string, each with its digits. */
  frame: z
    .array(z.tuple([z.enum(FIELD_NAMES), whole(1, 32)]))
    .max(12)
    .refine((fields) => new Set(fields.map(([name]) => name)).size === fields.length, {
      message: 'must name each field once',
    })
    .nullable(),
  eventTable: eventTableSchema,
});

/** No receiver of ours reads these: they can be described, and not switched on. */
const unread = z.strictObject({
  ...said,
  collect: openCollect.partial(),
  enabled: z.literal(false, { message: 'must be off, because this version cannot receive the protocol' }),
});

/** Protocols that a number of several protocols may be asked in. */
const PROBED = [
  'bs8521',
  'ttnew',
  'tt92',
  'contactId',
  'p100',
  'twon-text',
  'cpc-antenna',
  'rb2000',
] as const;

/** A number of several protocols: how long a device may lead, then who is asked, and how often; 0 = only listened for. */
const multiprotocol = z.strictObject({
  ...destination,
  listenMs: ms(0, 10_000),
  steps: z
    .array(z.strictObject({ profile: z.enum(PROBED), tries: whole(0, 4) }))
    .min(1)
    .refine((steps) => new Set(steps.map(({ profile }) => profile)).size === steps.length, {
      message: 'must name each profile once',
    }),
});

/** Content by built-in tone profile. */
export const TONE_CONTENT = {
  multiprotocol: multiprotocol.partial(),
  bs8521: bs8521.partial(),
  ttnew: tt.partial(),
  tt92: tt92.partial(),
  'tt-burst': unread.partial(),
  rb2000: open.partial(),
  p100: p100.partial(),
  'cpc-antenna': cpc.partial(),
  'twon-text': open.omit({ frame: true, eventTable: true }).partial(),
  contactId: z.strictObject({ ...framed, idleHangUpMs: ms(500, 60_000) }).partial(),
  bsiaFastFormat: unread.partial(),
  siaFsk: unread.partial(),
} as const;
