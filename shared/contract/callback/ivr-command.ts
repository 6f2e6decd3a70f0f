import { z } from 'zod';
import { compilePattern } from '../../matching/index.ts';
import {
  connectionIdField,
  late,
  origin,
  participantIdField,
  replyIdField,
  sessionReferenceField,
} from './media-field.ts';

/** Most phrases of one command; a longer list is a mistake of a program, not a message for a person. */
const MOST_PHRASES = 200;

const manner = {
  repeat: z
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .meta({ description: 'How often it is heard', example: 2 }),
  repeatPause: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .meta({ description: 'Silence between repeats', 'x-unit': 's' }),
  volume: z.number().min(-40).max(20).optional().meta({ description: 'Louder or softer', 'x-unit': 'dB' }),
};
const durationMs = (most: number) =>
  z.number().int().min(1).max(most).meta({ description: 'How long', 'x-unit': 'ms' });

/** One piece of audio (decisions 5, phrases). */
const phraseSchema = z
  .discriminatedUnion('format', [
    z.looseObject({
      format: z.literal('cloudtts'),
      cloudTTSParameters: z.looseObject({
        Text: z.string().min(1).max(10_000),
        VoiceId: z.string().max(128).optional(),
        LanguageCode: z.string().max(35).optional(),
        TextType: z.enum(['text', 'ssml']).optional(),
        Engine: z.string().max(64).optional(),
      }),
      ...manner,
    }),
    z.looseObject({ format: z.literal('file'), fileName: z.string().min(1).max(512), ...manner }),
    z.looseObject({ format: z.literal('url'), url: z.string().min(1).max(4_096), ...manner }),
    z.looseObject({
      format: z.literal('tone'),
      frequency: z.number().min(50).max(3_800).meta({ description: 'Frequency', 'x-unit': 'Hz' }),
      duration: durationMs(600_000),
      level: z.number().min(-60).max(0).optional().meta({ description: 'Level', 'x-unit': 'dBm0' }),
      ...manner,
    }),
    z.looseObject({ format: z.literal('silence'), duration: durationMs(600_000), ...manner }),
    z.looseObject({
      format: z.literal('dtmf'),
      digits: z.string().regex(/^[0-9A-Da-d*#]{1,64}$/, 'must be 1 to 64 of 0-9, A-D, * and #'),
      duration: durationMs(5_000).optional(),
      ...manner,
    }),
  ])
  .meta({
    id: 'Phrase',
    description: 'Speech, a file, a page, a tone, silence or digits',
    example: { format: 'cloudtts', cloudTTSParameters: { Text: 'Welcome' } },
  });

export const phrasesSchema = z.array(phraseSchema).max(MOST_PHRASES);

const digit = z.string().regex(/^[0-9A-Da-d*#]{1,16}$/, 'must be of 0-9, A-D, * and #');
const timeoutMs = z.number().int().min(1).max(3_600_000);

/** What is listened for (decisions 5, dtmf). */
const dtmfWishSchema = z
  .looseObject({
    maxDigits: z.number().int().min(1).max(128).optional().meta({ description: 'Done with so many digits' }),
    minDigits: z.number().int().min(0).max(128).optional().meta({
      description: 'finishOnKey and pattern count from so many digits on',
    }),
    finishOnKey: digit.optional().meta({ description: 'Any of these keys ends it and is not reported' }),
    interDigitTimeout: timeoutMs
      .default(4_000)
      .meta({ description: 'Longest pause between digits', 'x-unit': 'ms' }),
    firstDigitTimeout: timeoutMs
      .default(10_000)
      .meta({ description: 'Longest wait for the first digit once all is played', 'x-unit': 'ms' }),
    pattern: z
      .string()
      .max(512)
      .optional()
      .meta({ description: 'RE2: done when the digits match as a whole' }),
    bargeIn: z.boolean().default(true).meta({ description: 'The first digit stops what is playing' }),
    clearBuffer: z
      .boolean()
      .default(false)
      .meta({ description: 'Forget digits pressed before this command' }),
  })
  .superRefine(({ pattern, minDigits, maxDigits }, context) => {
    if (minDigits !== undefined && maxDigits !== undefined && minDigits > maxDigits)
      context.addIssue({ code: 'custom', path: ['minDigits'], message: 'must not be above maxDigits' });
    if (pattern === undefined) return;
    const compiled = compilePattern(pattern);
    if (!compiled.ok) context.addIssue({ code: 'custom', path: ['pattern'], message: compiled.error.reason });
  });

const backgroundPrompt = phraseSchema.meta({
  description: 'Loops beneath this command and between it and the next; repeatPause lies between two rounds',
});

/** Answer to /getIvrCommand (media document 2.2). Further properties are allowed: answers come from strangers. */
export const ivrCommandSchema = z
  .looseObject({
    dtmf: dtmfWishSchema.optional(),
    phrases: phrasesSchema.optional(),
    backgroundPrompt: backgroundPrompt.nullish(),
    hangup: z.boolean().optional().meta({
      description: 'The IVR leaves once the command is executed; a /callEvent follows',
    }),
    getIVRCommandAfter: z
      .number()
      .min(0)
      .max(86_400)
      .optional()
      .meta({ description: 'Pause before the next /getIvrCommand', 'x-unit': 's', example: 5 }),
    record: z
      .looseObject({
        fileName: z.string().min(1).max(512),
        maxDuration: z.number().positive().max(7_200).optional().meta({ 'x-unit': 's' }),
        silenceTimeout: z.number().positive().max(600).optional().meta({ 'x-unit': 's' }),
        finishOnKey: digit.optional(),
        beep: z.boolean().optional(),
      })
      .optional()
      .meta({ description: 'Record what the participant says, after the phrases' }),
    echo: z.boolean().optional().meta({ description: 'The participant hears itself until the next command' }),
    sessionReferenceId: sessionReferenceField,
  })
  .meta({
    id: 'IvrCommand',
    description: 'What an IVR participant does next',
    example: {
      phrases: [{ format: 'cloudtts', cloudTTSParameters: { Text: 'Press one' } }],
      dtmf: { maxDigits: 1 },
    },
  });

const DTMF_REASONS = [
  'maxDigits',
  'finishOnKey',
  'pattern',
  'interDigitTimeout',
  'firstDigitTimeout',
  'hangup',
] as const;

/** Digits of one command. `dtmfMatch` is what was pressed, without the key that finished it. */
export const dtmfParamsSchema = z
  .object({
    dtmfMatch: z.string().meta({ example: '42' }),
    reason: z.enum(DTMF_REASONS).meta({ description: 'What ended it; hangup: the call or the IVR ended' }),
  })
  .meta({ id: 'DtmfParams', description: 'Digits that were pressed' });

const playResult = z.enum(['completed', 'interrupted', 'error']);

export const getIvrCommandSchema = z
  .object({
    ...origin,
    connectionId: connectionIdField,
    participantId: participantIdField.meta({ description: 'Who is connected to the IVR' }),
    replyId: replyIdField,
    lastCommandResult: z
      .object({
        phrases: playResult.optional().meta({ description: 'How the phrases went, all in all' }),
        record: playResult.optional().meta({ description: 'How the recording went' }),
        reason: z.string().optional().meta({ description: 'Why something was not done' }),
      })
      .optional()
      .meta({ description: 'Absent in the first request' }),
    dtmfParams: dtmfParamsSchema.optional(),
    late,
  })
  .meta({ id: 'GetIvrCommand', description: 'An IVR participant asks what to do; live' });

export type AskedIvrCommand = z.output<typeof ivrCommandSchema>;
export type GetIvrCommand = z.output<typeof getIvrCommandSchema>;
export type DtmfParams = z.output<typeof dtmfParamsSchema>;
export type DtmfWish = z.output<typeof dtmfWishSchema>;
export type MediaPhrase = z.output<typeof phraseSchema>;
