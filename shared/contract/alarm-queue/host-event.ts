import { z } from 'zod';

/** The retained state of a control plane that has an alarm queue names this ability. */
export const ALARM_QUEUE_CAPABILITY = 'queue.alarm';

/** Type of an event of lane `alarm`: an alarm waits in the alarm queue, or its call there has changed. */
export const ALARM_QUEUED = 'alarmQueued';

const epochMs = z.number().int().nonnegative().max(Number.MAX_SAFE_INTEGER);

/** The call of the person who has taken the alarm, as the host of the alarm sees it. */
export const QUEUE_CALLS = ['none', 'ringing', 'talking', 'ended'] as const;

/**
 * Its `data`. Each event is the whole picture, and the newest one of a session counts. `none`: no person is called; `ended`: the
 * session is over at the host, and no person can be joined with the device any more.
 */
export const alarmQueuedDataSchema = z.object({
  sessionId: z.string().min(1).max(64),
  traceId: z.string().max(64),
  /** Id of its record. */
  recordId: z.string().max(64).optional(),
  /** Handle of its operations. It stays out of the log of the tenant. */
  replyId: z.string().max(4_096),
  call: z.enum(QUEUE_CALLS),
  /** Cause of this picture, in one sentence. */
  reason: z.string().max(1_000).default(''),
  /** The person with `call` `ended`: handled, cleared or unanswered, as the record says it. */
  outcome: z.string().max(64).optional(),
  /** Begin of the alarm, epoch ms. */
  since: epochMs,
  protocol: z.string().max(64),
  receiver: z.string().max(200).optional(),
  deviceId: z.string().max(256).optional(),
  controllerId: z.string().max(256).optional(),
  customerSiteId: z.string().max(200).optional(),
  statusCode: z.string().max(100).optional(),
  location: z.string().max(200).optional(),
  /** The device has speech: it can be called back. */
  hasVoice: z.boolean(),
  /** The device is in its call now. */
  isDeviceHere: z.boolean(),
  /** Calls to people of its emergency list so far. */
  called: z.number().int().nonnegative(),
});

export type AlarmQueuedData = z.output<typeof alarmQueuedDataSchema>;
