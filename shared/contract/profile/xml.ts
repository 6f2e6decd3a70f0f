import { z } from 'zod';
import { contentTypes, destination, digits, ms, note, whole } from './field.ts';
import { eventTableSchema } from './tone.ts';

const RESPONSE_MODES = ['message', 'in200', 'both'] as const;
const mediaType = z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type');

const scaip = z.strictObject({
  ...note,
  ...destination,
  enabled: z.boolean(),
  contentType: mediaType,
  contentTypesAccepted: contentTypes,
  /** The answer in a MESSAGE of its own, in the 200, or both. */
  responseMode: z.enum(RESPONSE_MODES),
  /** User part of From against `cid`. */
  cidPolicy: z.enum(['off', 'warn', 'reject']),
  holdAfterMs: ms(0, 60_000),
  ackWithinMs: ms(50, 120_000),
  answerCacheMin: whole(3, 240),
  partWaitMs: ms(1_000, 120_000),
  maxTnu: whole(1, 5),
  sender: z
    .strictObject({
      sipWaitMs: ms(500, 60_000),
      answerWaitMs: ms(1_000, 120_000),
      tries: whole(1, 20),
      holdResendMs: ms(5_000, 20_000),
      holdLimitMin: whole(3, 30),
      voiceWithinS: whole(5, 600),
      /** Bodies beyond go deflated; null: never. */
      deflateAboveBytes: whole(100, 65_536).nullable(),
    })
    .partial(),
  voice: z
    .strictObject({
      controlToneMs: ms(100, 500),
      directionRepeatMs: ms(5_000, 600_000),
      clearDownWaitMs: ms(1_000, 60_000),
      simplexDefault: z.enum(['7', '8']),
      callbackWhenAsked: z.boolean(),
      callbackMinutes: whole(1, 60),
      predefinedMedium: z.enum(['sip', 'gsm']).nullable(),
    })
    .partial(),
});

const nowip = z.strictObject({
  ...note,
  ...destination,
  enabled: z.boolean(),
  contentType: mediaType,
  contentTypesAccepted: contentTypes,
  /** Texts that go into what we begin; answers mirror the request's. */
  version: z.string().min(1).max(32),
  mac: z.string().min(1).max(64),
  /** Stands for no data: some controllers fail on an empty element. */
  emptyDataAs: z.string().min(1).max(8),
  ackWithinMs: ms(50, 60_000),
  dedupeMs: ms(1_000),
  messageAfterInviteMs: ms(500, 120_000),
  /** Data of the command keepAlive (type 2). */
  keepAlive: digits(16),
  byeAfterCloseMs: ms(500, 60_000),
  waitMs: z
    .strictObject({
      quick: ms(200, 60_000),
      select: ms(200, 60_000),
      next: ms(200, 60_000),
      parameter: ms(200, 60_000),
    })
    .partial(),
  sender: z
    .strictObject({
      ackWaitMs: ms(500, 60_000),
      tries: whole(1, 20),
      busyRetryMs: ms(100, 60_000),
      busyTries: whole(0, 20),
    })
    .partial(),
});

/** Names of elements from the root's children down, separated by `/`. */
const elementPath = z
  .string()
  .max(200)
  .regex(/^(?:[A-Za-z_][\w.-]*(?:\/[A-Za-z_][\w.-]*){0,7})?$/, 'must be names of elements, separated by /');

/** No schema is public: the customer says where things stand, what codes mean and what is answered. */
const lacs = z.strictObject({
  ...note,
  ...destination,
  enabled: z.boolean(),
  requestRoot: z.string().max(64),
  contentTypesAccepted: contentTypes,
  fieldPaths: z
    .strictObject({
      controllerId: elementPath,
      deviceId: elementPath,
      eventCode: elementPath,
      reference: elementPath,
      time: elementPath,
      location: elementPath,
      callback: elementPath,
    })
    .partial(),
  eventTable: eventTableSchema,
  reply: z
    .strictObject({
      root: z.string().max(64),
      /** XML with `{{field}}` for a field of the request, `{{callback}}` for the number in the answer. */
      template: z.string().max(4_096),
      callbackFrom: z.literal('lacsCallback'),
      contentType: mediaType,
    })
    .partial(),
  responseMode: z.enum(RESPONSE_MODES),
  ackWithinMs: ms(50, 120_000),
});

/** Content by built-in profile of XML in a MESSAGE. */
export const XML_CONTENT = {
  scaip: scaip.partial(),
  nowip: nowip.partial(),
  nowipcontroller: nowip.partial(),
  lacs: lacs.partial(),
} as const;
