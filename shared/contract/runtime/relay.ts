import { z } from 'zod';
import { ALARM_STREAM_SCHEMAS } from './alarm-stream.ts';
import { MEDIA_OPERATION_SCHEMAS, MEDIA_OPERATIONS } from './media-call.ts';
import { RECORDING_COMMANDS } from './recording-command.ts';
import { REMOTE_CALL_OPERATIONS, REMOTE_CALL_SCHEMAS } from './remote-call.ts';

const OF_RECORDING = 'callrecording.';
const ALARM_STREAM_OPERATIONS = (
  Object.keys(ALARM_STREAM_SCHEMAS) as readonly (keyof typeof ALARM_STREAM_SCHEMAS)[]
).map((word) => `alarmbridge.${word}` as const);
/** Sessions of media services that run: read, and by GET. */
export const SESSIONS = 'mediaservice.session';
/** Queues of media services: read, and by GET. */
export const QUEUES = 'mediaservice.queue';
/** Operations that read, and by GET as well. */
export const READING_OPERATIONS: readonly string[] = [SESSIONS, QUEUES];
const RECORDING_OPERATIONS = RECORDING_COMMANDS.map((command) => `callrecording.${command}` as const);

/** Runtime operations of documents 2 and 3 that a host answers; each is the last word of its path, where several have it behind the first one. */
export const RUNTIME_OPERATIONS = [
  'devicecommand',
  'hangupalarmcall',
  'takealarm',
  'releasealarm',
  'sendalarmevent',
  'message',
  'handshakes',
  ...MEDIA_OPERATIONS,
  ...REMOTE_CALL_OPERATIONS,
  ...RECORDING_OPERATIONS,
  ...ALARM_STREAM_OPERATIONS,
  SESSIONS,
  QUEUES,
] as const;

/** First word of the path of an operation. */
export const operationBase = (
  operation: RuntimeOperation,
): 'alarmbridge' | 'sipmessage' | 'mediaservice' | 'callrecording' => {
  if (operation.startsWith(OF_RECORDING)) return 'callrecording';
  return isMediaOperation(operation) || READING_OPERATIONS.includes(operation)
    ? 'mediaservice'
    : operation === 'message'
      ? 'sipmessage'
      : 'alarmbridge';
};

/** Last word of the path: `stoprecording` is one of the media service and one of call recording. */
export const operationWord = (operation: RuntimeOperation): string => operation.replace(/^\w+\./, '');

/** Operations whose last word may end in `jwt`: the same by another name (media document 4, decisions 2). */
const JWT_OPERATIONS: readonly RuntimeOperation[] = [...REMOTE_CALL_OPERATIONS, 'hangupremoteparticipant'];

/** The operation that the first and the last word of a path name. */
export const operationAt = (base: string, word: string): RuntimeOperation | undefined =>
  RUNTIME_OPERATIONS.find(
    (each) =>
      operationBase(each) === base &&
      (operationWord(each) === word || (JWT_OPERATIONS.includes(each) && `${each}jwt` === word)),
  );

const isMediaOperation = (operation: string): boolean =>
  Object.hasOwn(MEDIA_OPERATION_SCHEMAS, operation) || Object.hasOwn(REMOTE_CALL_SCHEMAS, operation);

export type RuntimeOperation = (typeof RUNTIME_OPERATIONS)[number];

/** In-call commands are answered when the device has confirmed, or after this (decisions, section 1: 504). */
export const IN_CALL_WAIT_MS = 15_000;
/**
 * The cloud waits longer for the host than the host for the device. Chosen: 3 s for the way there and back, so that the
 * answer about a silent device comes from the host that knows the reason.
 */
export const RELAY_WAIT_MS = IN_CALL_WAIT_MS + 3_000;
/** Longest body that the cloud hands on (control plane 3.6: 413 beyond). */
export const RELAY_BODY_BYTES = 60 * 1024;

/**
 * `args` of the remote operation `api.relay`: a request that came to the cloud. The host judges the caller's own token
 * again: that the cloud asks opens nothing.
 */
export const relayRequestSchema = z.object({
  operation: z.enum(RUNTIME_OPERATIONS),
  domain: z.string().max(253),
  /** Header `Authorization` as the caller sent it. */
  authorization: z.string().max(16_384),
  body: z.json(),
  /** Header `Idempotency-Key` as the caller sent it. 2026-11: new. */
  idempotencyKey: z.string().max(256).optional(),
});

/** `data` of the response: what the caller gets. A refused operation is an answered relay. */
export const relayAnswerSchema = z.object({
  status: z.number().int().min(200).max(599),
  body: z.record(z.string(), z.json()),
});

/** The claims of a `replyId` that name its issuer; the rest of its claims is the host's. */
export const replyIssuerSchema = z.object({ domain: z.string(), host: z.string() });

export type RelayRequest = z.output<typeof relayRequestSchema>;
export type RelayAnswer = z.output<typeof relayAnswerSchema>;
