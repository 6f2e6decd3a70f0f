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
import { programStreamSchema } from './program-stream.ts';
import { speechInputSchema, speechParamsSchema } from './speech-input.ts';

/** Most phrases of one command; a longer list is a mistake of a program, not a message for a person. */
const MOST_PHRASES = 200;

const manner = {
  repeat: z.number().int().min(1).max(100).optional().meta({ description: 'Number of repeats', example: 2 }),
  repeatPause: z
    .number()
    .min(0)
    .max(600)
    .optional()
    .meta({ description: 'Silence between repeats', 'x-unit': 's' }),
  volume: z
    .number()
    .min(-40)
    .max(20)
    .optional()
    .meta({ description: 'Change of the volume', 'x-unit': 'dB' }),
};
const durationMs = (most: number) =>
  z.number().int().min(1).max(most).meta({ description: 'Duration', 'x-unit': 'ms' });

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
    z.looseObject({
      format: z.literal('file'),
      fileName: z.string().min(1).max(512),
      revision: z.number().int().min(1).optional().meta({
        description:
          'Answer of the upload: the host plays the file of this revision or a later one, and fetches it if need be',
      }),
      ...manner,
    }),
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

/** The digits to listen for (decisions 5, dtmf). */
const dtmfInputSchema = z
  .looseObject({
    maxDigits: z
      .number()
      .int()
      .min(1)
      .max(128)
      .optional()
      .meta({ description: 'Number of digits that completes the input' }),
    minDigits: z.number().int().min(0).max(128).optional().meta({
      description: 'Number of digits before finishOnKey and pattern take effect',
    }),
    finishOnKey: digit.optional().meta({ description: 'Keys that end the input; the key is not reported' }),
    interDigitTimeout: timeoutMs
      .default(4_000)
      .meta({ description: 'Longest pause between digits', 'x-unit': 'ms' }),
    firstDigitTimeout: timeoutMs
      .default(10_000)
      .meta({ description: 'Longest wait for the first digit after the phrases', 'x-unit': 'ms' }),
    pattern: z
      .string()
      .max(512)
      .optional()
      .meta({ description: 'RE2 expression; the input is complete when it matches all digits' }),
    bargeIn: z.boolean().default(true).meta({ description: 'The first digit stops the phrases' }),
    clearBuffer: z
      .boolean()
      .default(false)
      .meta({ description: 'Digits pressed before this command are discarded' }),
  })
  .superRefine(({ pattern, minDigits, maxDigits }, context) => {
    if (minDigits !== undefined && maxDigits !== undefined && minDigits > maxDigits)
      context.addIssue({ code: 'custom', path: ['minDigits'], message: 'must not be above maxDigits' });
    if (pattern === undefined) return;
    const compiled = compilePattern(pattern);
    if (!compiled.ok) context.addIssue({ code: 'custom', path: ['pattern'], message: compiled.error.reason });
  });

const backgroundPrompt = phraseSchema.meta({
  description:
    'Audio that loops beneath the phrases of this command and until the next; repeatPause lies between two rounds',
});

const seconds = (least: number, most: number) => z.number().min(least).max(most);

/** A caller waits for an agent (decisions 5, enqueue). */
const enqueueSchema = z
  .looseObject({
    queue: z.string().min(1).max(64).meta({ description: 'Name of the queue', example: 'support' }),
    agents: z
      .array(z.string().min(1).max(256))
      .min(1)
      .max(200)
      .meta({
        description: 'Agents: SIP addresses or numbers, softphones that are signed in too',
        example: ['operator', 'expert'],
      }),
    priority: z.enum(['ordinary', 'alarm']).default('ordinary').meta({
      description: 'alarm: before all ordinary callers of the queue, and never refused by maxLength',
    }),
    ringTime: seconds(5, 300)
      .default(20)
      .meta({ description: 'Longest ringing at one agent', 'x-unit': 's' }),
    wrapUpTime: seconds(0, 3_600)
      .default(0)
      .meta({ description: 'Pause of an agent after a conversation', 'x-unit': 's' }),
    retryTime: seconds(1, 3_600).default(30).meta({
      description: 'Pause before an agent is called again that has not answered',
      'x-unit': 's',
    }),
    maxLength: z.number().int().min(1).max(10_000).optional().meta({
      description: 'Callers that may wait; a further one gets the reason full',
    }),
    maxWait: seconds(1, 86_400).optional().meta({
      description: 'Longest wait; then the caller gets the reason maxWait',
      'x-unit': 's',
    }),
    music: phraseSchema.optional().meta({ description: 'Audio that loops while the caller waits' }),
    announcement: z
      .looseObject({
        phrases: phrasesSchema.min(1).meta({
          description: 'In the Text of cloudtts {position} and {minutes} are replaced',
        }),
        interval: seconds(5, 3_600)
          .default(30)
          .meta({ description: 'Pause between two announcements', 'x-unit': 's' }),
      })
      .optional()
      .meta({ description: 'The first comes at once' }),
  })
  .meta({
    id: 'EnqueueCommand',
    description: 'Queue of a caller for an agent',
    example: { queue: 'support', agents: ['operator'], maxWait: 600 },
  });

const queueResultSchema = z
  .object({
    queue: z.string().meta({ example: 'support' }),
    reason: z.enum(['full', 'maxWait', 'noAgents', 'digits']).meta({
      description: 'noAgents: none of the agents could be reached; digits: the caller has pressed keys',
    }),
    waited: z.number().int().meta({ description: 'Duration of the command', 'x-unit': 's' }),
  })
  .meta({ id: 'QueueResult', description: 'End of a wait without an agent' });

/** Answer to /getIvrCommand (media document 2.2). Further properties are allowed: answers come from strangers. */
export const ivrCommandSchema = z
  .looseObject({
    dtmf: dtmfInputSchema.optional(),
    speech: speechInputSchema.optional().meta({
      description:
        'Speech of the participant as text; with dtmf, a key or the speech ends the input, whichever is first',
    }),
    phrases: phrasesSchema.optional(),
    backgroundPrompt: backgroundPrompt.nullish(),
    backgroundDucking: z.number().min(0).max(60).optional().meta({
      description: 'Attenuation of backgroundPrompt while phrases play; default 12',
      'x-unit': 'dB',
      example: 12,
    }),
    hangup: z.boolean().optional().meta({
      description: 'The IVR leaves after the command; a /callEvent follows',
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
        overwrite: z.boolean().optional().meta({
          description: 'A recording of that name is replaced; absent: the command fails with reason',
        }),
      })
      .optional()
      .meta({ description: 'Recording of the participant after the phrases' }),
    stream: programStreamSchema.optional().meta({
      description:
        'The participant is joined with a program after the phrases; the command is done when the stream is over',
    }),
    enqueue: enqueueSchema.optional().meta({
      description:
        'The participant waits for an agent after the phrases. When an agent answers, the IVR leaves and callAnswered follows; otherwise the command ends with its reason',
    }),
    echo: z.boolean().optional().meta({
      description:
        'The participant hears itself until the next command; getIVRCommandAfter says how long. A command with echo alone takes one second.',
    }),
    name: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Name of the command in a list, for next', example: 'menu' }),
    next: z
      .record(z.string().min(1).max(128), z.string().min(1).max(64))
      .optional()
      .meta({
        description:
          'Name of the command that follows, by result: the digits, the recognised text in lower case, the reason of dtmfParams, speechParams or queue, error, or default; ask: the application is asked',
        example: { '1': 'operator', default: 'menu' },
      }),
    sessionReferenceId: sessionReferenceField,
  })
  .meta({
    id: 'IvrCommand',
    description: 'Next command of an IVR participant',
    example: {
      phrases: [{ format: 'cloudtts', cloudTTSParameters: { Text: 'Press one' } }],
      dtmf: { maxDigits: 1 },
    },
  });

/** Chosen: a menu has fewer commands; a longer list is a mistake of a program. */
const MOST_COMMANDS = 100;
/** The name in `next` that no command may have. */
export const ASK = 'ask';

/** A command, or a list of commands that need no request in between. */
export const ivrAnswerSchema = z
  .union([
    ivrCommandSchema,
    z
      .array(ivrCommandSchema)
      .min(1)
      .max(MOST_COMMANDS)
      .meta({ description: 'Commands one after another, as next says; then the application is asked' }),
  ])
  .meta({ id: 'IvrAnswer', description: 'Next command of an IVR participant, or a list of commands' });

/** The fault of the names in a list, with its place. */
export function commandListFault(
  list: readonly AskedIvrCommand[],
): { readonly path: string; readonly reason: string } | undefined {
  const names = list.flatMap(({ name }) => (name === undefined ? [] : [name]));
  const twice = names.findIndex((name, index) => name === ASK || names.indexOf(name) < index);
  if (twice >= 0)
    return { path: '/name', reason: `${names[twice]} must be the name of one command, and not ${ASK}` };
  for (const [index, { next = {} }] of list.entries())
    for (const [result, name] of Object.entries(next))
      if (name !== ASK && !names.includes(name))
        return { path: `/${index}/next/${result}`, reason: `no command of the list has the name ${name}` };
  return undefined;
}

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
    reason: z.enum(DTMF_REASONS).meta({ description: 'Cause of the end; hangup: the call or the IVR ended' }),
  })
  .meta({ id: 'DtmfParams', description: 'Pressed digits' });

const playResult = z.enum(['completed', 'interrupted', 'error']);

export const getIvrCommandSchema = z
  .object({
    ...origin,
    connectionId: connectionIdField,
    participantId: participantIdField.meta({ description: 'Participant that is connected to the IVR' }),
    replyId: replyIdField,
    lastCommandResult: z
      .object({
        phrases: playResult.optional().meta({ description: 'Result of all phrases' }),
        failedPhrases: z
          .array(
            z.object({
              phrase: z.number().int().meta({ description: 'Place in phrases, from 0' }),
              error: z.enum(['phraseError', 'phraseRemoteCacheTimeout']),
              reason: z.string().meta({ description: 'One sentence for a person' }),
            }),
          )
          .optional()
          .meta({ description: 'Phrases that were not heard; the others were played' }),
        record: playResult.optional().meta({ description: 'Result of the recording' }),
        stream: playResult.optional().meta({
          description: 'Result of the stream; completed: the program has closed, or stopstream ended it',
        }),
        queue: queueResultSchema.optional(),
        steps: z
          .array(
            z.object({
              command: z.number().int().meta({ description: 'Place in the list, from 0' }),
              name: z.string().optional(),
              dtmfParams: dtmfParamsSchema.optional(),
              speechParams: speechParamsSchema.optional(),
            }),
          )
          .optional()
          .meta({ description: 'Commands of a list that were executed, in their order' }),
        reason: z
          .string()
          .optional()
          .meta({ description: 'Cause of a failure, or of an end that the command did not ask for' }),
      })
      .optional()
      .meta({ description: 'Result of the previous command; absent in the first request' }),
    dtmfParams: dtmfParamsSchema.optional(),
    speechParams: speechParamsSchema.optional(),
    late,
  })
  .meta({ id: 'GetIvrCommand', description: 'An IVR participant requests a command; live' });

export type AskedIvrCommand = z.output<typeof ivrCommandSchema>;
export type EnqueueCommand = z.output<typeof enqueueSchema>;
export type GetIvrCommand = z.output<typeof getIvrCommandSchema>;
export type DtmfParams = z.output<typeof dtmfParamsSchema>;
export type DtmfInput = z.output<typeof dtmfInputSchema>;
export type MediaPhrase = z.output<typeof phraseSchema>;
