import { z } from 'zod';

/** Chosen: a working day. A person who listens on begins again, and the audit log shows it again. */
export const LONGEST_LISTENING_H = 8;

const filter = z.string().max(200).meta({
  description: 'Only callbacks whose path or masked body contains this text',
  example: 'newAlarmbridgeEvent',
});

/** POST /listening/{domain} */
export const listeningRequestSchema = z
  .strictObject({
    hours: z
      .number()
      .min(0.1)
      .max(LONGEST_LISTENING_H)
      .default(1)
      .meta({ description: 'Duration, at most 8', example: 1, 'x-unit': 'h' }),
    filter: filter.optional(),
    answers: z.boolean().default(false).meta({
      description:
        'true: callbacks of a receiver whose callbackBaseUrl is that of this listening come as ask, whole, and wait for an answer',
      example: false,
    }),
  })
  .meta({
    id: 'ListeningRequest',
    description: 'A developer who wants to follow the callbacks of the tenant',
    example: { hours: 1, filter: 'newAlarmbridgeEvent' },
  });

export const listeningSchema = z
  .strictObject({
    listenId: z.string().meta({ description: 'Id of the listening', example: 'k3v9q8w6m4n2p0r1s5v7t2x4z6' }),
    by: z.string().meta({ description: 'The person or token that opened it', example: 'kim@care.example' }),
    openedAt: z.number().int().meta({ description: 'Begin, epoch ms', example: 1_795_679_286_689 }),
    expiresAt: z.number().int().meta({ description: 'End, epoch ms', example: 1_795_682_886_689 }),
    filter: filter.optional(),
    answers: z.boolean().meta({ description: 'Whether it answers callbacks', example: false }),
    callbackBaseUrl: z.string().meta({
      description: 'callbackBaseUrl of a receiver that this listening answers',
      example: 'https://cloud.example/listen/k3v9q8w6m4n2p0r1s5v7t2x4z6',
    }),
    copies: z.number().int().meta({ description: 'Copies that were sent', example: 12 }),
    follows: z.boolean().meta({ description: 'Whether the stream is read now', example: true }),
  })
  .meta({ id: 'Listening', description: 'A developer who follows callbacks' });

export const listeningAnswerSchema = z
  .strictObject({ success: z.literal(true), listening: listeningSchema })
  .meta({ id: 'ListeningAnswer', description: 'A listening that is open' });

export const listeningListSchema = z
  .strictObject({ success: z.literal(true), listening: z.array(listeningSchema) })
  .meta({ id: 'ListeningList', description: 'All that are open, oldest first' });

/** One callback as a developer sees it: names and numbers are masked, its replyId opens nothing. */
export const callbackCopySchema = z
  .object({
    seq: z.number().int(),
    at: z.number().int().meta({ description: 'Time of the request, epoch ms' }),
    path: z.string().meta({ description: 'Path behind callbackBaseUrl', example: '/newAlarmbridgeEvent' }),
    traceId: z.string(),
    key: z.string().meta({ description: 'Idempotency-Key' }),
    eventSeq: z.number().int(),
    attempt: z.number().int(),
    late: z.boolean(),
    body: z.string().meta({ description: 'The masked JSON text' }),
  })
  .meta({ id: 'CallbackCopy', description: 'A masked copy of one callback; it opens nothing' });

export const callbackCopiesSchema = z
  .strictObject({
    success: z.literal(true),
    copies: z.array(callbackCopySchema.extend({ hostId: z.string() })),
  })
  .meta({ id: 'CallbackCopies', description: 'Copies that hosts still have of a trace, oldest first' });

const event = <N extends string, S extends z.ZodType>(name: N, data: S) =>
  z.strictObject({ event: z.literal(name), id: z.string(), data });

/** One event of `text/event-stream`. */
export const listenedSchema = z
  .discriminatedUnion('event', [
    event('copy', callbackCopySchema.extend({ hostId: z.string() })),
    event('gap', z.strictObject({ hostId: z.string(), dropped: z.number().int() })),
    event('trouble', z.strictObject({ reason: z.string() })),
    event(
      'ask',
      z.strictObject({
        requestId: z.string(),
        path: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string(),
      }),
    ),
  ])
  .meta({ id: 'Listened', description: 'Event of a listening' });

/** POST /listening/{domain}/{listenId}/answer */
export const listenedAnswerSchema = z
  .strictObject({
    requestId: z.string().min(1).max(64).meta({ description: 'requestId of the ask', example: 'q7m4' }),
    status: z.number().int().min(200).max(599).meta({ description: 'HTTP status', example: 200 }),
    headers: z
      .record(z.string().max(64), z.string().max(200))
      .default({})
      .meta({ description: 'Content-Type and Retry-After of the answer', example: {} }),
    body: z
      .string()
      .max(65_536)
      .default('')
      .meta({ description: 'Body of the answer', example: '{"action":"callEmergencyCenter"}' }),
  })
  .meta({ id: 'ListenedAnswer', description: 'The answer of an application to an ask' });

export type ListeningRequest = z.output<typeof listeningRequestSchema>;
export type Listening = z.output<typeof listeningSchema>;
export type CallbackCopy = z.output<typeof callbackCopySchema>;
export type Listened = z.output<typeof listenedSchema>;
export type ListenedAnswer = z.output<typeof listenedAnswerSchema>;
