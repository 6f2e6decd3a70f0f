import { z } from 'zod';
import { RECEIVE_LIST } from '../../alarm-event/index.ts';

const time = z.number().int().nonnegative();

/** Version of the record's shape. A reader keeps members that it does not know. */
export const RECORD_VERSION = 1;

/** Most bytes of one record as JSON; lists and long texts are cut until it fits, and `cut` says so. */
export const RECORD_LIMIT_BYTES = 4_096;

/**
 * - `alarm`: an alarm that was received.
 * - `alarmSent`: an alarm event that was sent on to a receiver.
 * - `call`: a voice call between parties.
 * - `mediaService`: a call that a media service took or made.
 * - `cloudUserAgent`: a call of a cloud SIP user agent.
 * - `recording`: a session of a recording service.
 * - `message`: a SIP message between parties.
 * - `attempt`: refused or unidentified attempts of one source in one minute, counted.
 */
export const RECORD_KINDS = [
  'alarm',
  'alarmSent',
  'call',
  'mediaService',
  'cloudUserAgent',
  'recording',
  'message',
  'attempt',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/**
 * - `running`: the session goes on; the end replaces this record.
 * - `done`: it reached its purpose: delivered and answered, or spoken.
 * - `refused`: this product or the other side said no.
 * - `unanswered`: no person accepted it.
 * - `failed`: an error ended it.
 * - `interrupted`: the program ended in the middle, and nothing goes on with it.
 */
export const RECORD_RESULTS = ['running', 'done', 'refused', 'unanswered', 'failed', 'interrupted'] as const;
export type RecordResult = (typeof RECORD_RESULTS)[number];

const id = z.string().min(1).max(128);
const word = z.string().min(1).max(64);
const name = z.string().min(1).max(256);
/** A number, or the user part of an address, as the tenant lets it leave the site. */
const party = z.string().max(256);
const durationMs = z.number().int().nonnegative();

/** Moments of a session, epoch ms by the clock of the host. */
const recordTimesSchema = z
  .object({
    arrived: time.meta({ description: 'First packet or request' }),
    stored: time.meta({ description: 'Durable in the journal of the host' }),
    callbackAnswered: time.meta({ description: 'First accepted answer of the application' }),
    deviceAnswered: time.meta({ description: 'Answer or acknowledgement sent to the device' }),
    voiceJoined: time.meta({ description: 'Both parties hear each other' }),
    ended: time.meta({ description: 'End of the session' }),
  })
  .partial();

/** Quality of the audio of one party. */
const recordLegSchema = z.object({
  leg: word.meta({ description: 'Party, for example device, centre or caller' }),
  codec: word.optional().meta({ description: 'Codec' }),
  received: z.number().int().nonnegative().optional().meta({ description: 'Packets received' }),
  lost: z.number().int().nonnegative().optional().meta({ description: 'Packets lost' }),
  jitterMs: z.number().nonnegative().optional().meta({ description: 'Interarrival jitter, ms' }),
  roundTripMs: z.number().nonnegative().optional().meta({ description: 'Round trip, ms' }),
  mos: z.number().min(1).max(5).optional().meta({ description: 'Mean opinion score, estimated' }),
});

/** How well a conversation in tones went. */
const recordToneSchema = z.object({
  firstTry: z.boolean().optional().meta({ description: 'Understood without a repeat' }),
  requests: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'Number of requests to the device' }),
  badStrings: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .meta({ description: 'Number of strings that failed their check' }),
  levelDbm0: z.number().optional().meta({ description: 'Level, dBm0' }),
  twistDb: z.number().optional().meta({ description: 'High group against low group, dB' }),
});

const recordDeliverySchema = z.object({
  count: z.number().int().nonnegative().meta({ description: 'Number of callbacks' }),
  failed: z
    .number()
    .int()
    .nonnegative()
    .meta({ description: 'Number of attempts without an accepted answer' }),
  lastStatus: z.number().int().optional().meta({ description: 'HTTP status of the last answer' }),
  lastReason: z
    .string()
    .max(256)
    .optional()
    .meta({ description: 'Reason why the application did not accept the last attempt' }),
});

/** The common event as a callback carries it, without free text. */
const recordEventSchema = z
  .object({
    controllerId: z.string().max(128),
    deviceId: z.string().max(128),
    deviceType: z.enum([...RECEIVE_LIST.deviceType, 'unknown']),
    statusCode: z.string().max(64),
    location: z.string().max(64),
    deviceComponent: z.string().max(64),
    systemConfig: z.string().max(64),
    audio: z.string().max(32),
    priority: z.number().int().min(0).max(9),
  })
  .partial();

/** One session as its host describes it; the control plane adds tenant, site and host from the host's own identity. */
export const sessionRecordSchema = z.object({
  v: z.number().int().positive().meta({ description: 'Version of the shape' }),
  /** One id for start and end, the same after a restart and after a take-over by the other host. */
  recordId: z
    .string()
    .regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { message: 'must be a ULID in lower case' })
    .meta({ description: 'Record' }),
  kind: z.enum(RECORD_KINDS).meta({ description: 'Kind of session' }),
  at: time.meta({ description: 'Arrival, epoch ms by the clock of the host' }),
  result: z.enum(RECORD_RESULTS).meta({ description: 'Result' }),
  reason: z.string().max(256).optional().meta({ description: 'Reason of the result' }),
  traceId: id.optional().meta({ description: 'Trace of the session' }),
  sessionId: id.optional().meta({ description: 'Session' }),
  deviceId: id.optional().meta({ description: 'Provisioned device' }),
  controllerId: id.optional().meta({ description: 'Controller' }),
  customerSiteId: id.optional().meta({ description: "Customer's own name of the place" }),
  from: party.optional().meta({ description: 'Caller' }),
  to: party.optional().meta({ description: 'Called number or address' }),
  receiver: id.optional().meta({ description: 'Alarm bridge or service that took it' }),
  receiverName: name.optional().meta({ description: 'Name of the bridge or service' }),
  rule: z.string().max(256).optional().meta({ description: 'Rule that picked the receiver' }),
  protocol: word.optional().meta({ description: 'Alarm protocol' }),
  eventType: word.optional().meta({ description: 'Kind of device of the event' }),
  statusCode: word.optional().meta({ description: 'Status of the event' }),
  event: recordEventSchema.optional().meta({ description: 'Common event' }),
  times: recordTimesSchema.default({}).meta({ description: 'Moments, epoch ms' }),
  durationMs: durationMs.optional().meta({ description: 'Length of the session, ms' }),
  speechMs: durationMs.optional().meta({ description: 'Length of the speech, ms' }),
  tries: z.number().int().nonnegative().optional().meta({ description: 'Number of tries' }),
  tones: recordToneSchema.optional().meta({ description: 'Conversation in tones' }),
  legs: z.array(recordLegSchema).max(8).optional().meta({ description: 'Audio of each party' }),
  recordings: z.array(name).max(8).optional().meta({ description: 'File names of recordings' }),
  transcripts: z
    .number()
    .int()
    .positive()
    .optional()
    .meta({ description: 'Number of recordings whose words are recognised' }),
  streams: z
    .array(name)
    .max(8)
    .optional()
    .meta({ description: 'Programs that heard the call: scheme and host of each stream' }),
  prompts: z
    .array(name)
    .max(8)
    .optional()
    .meta({ description: 'Files of the prompt storage that a media service played' }),
  deliveries: recordDeliverySchema.optional().meta({ description: 'Callbacks' }),
  acceptedBy: party.optional().meta({ description: 'Destination that accepted' }),
  requestUri: party.optional().meta({ description: 'Request URI' }),
  source: z.string().max(64).optional().meta({ description: 'Source address' }),
  trunk: id.optional().meta({ description: 'Trunk' }),
  configRevision: z.number().int().nonnegative().optional().meta({ description: 'Revision of the tenant' }),
  program: word.optional().meta({ description: 'Version of the program' }),
  restarts: z.number().int().nonnegative().optional().meta({ description: 'Restarts of a host in between' }),
  warnings: z.array(z.string().max(128)).max(16).optional().meta({ description: 'Tolerated deviations' }),
  /** Kind `attempt` only. */
  attempts: z.number().int().positive().optional().meta({ description: 'Number of attempts in the minute' }),
  cut: z.boolean().optional().meta({ description: 'Lists or texts were cut to the limit' }),
});

export type SessionRecord = z.output<typeof sessionRecordSchema>;
