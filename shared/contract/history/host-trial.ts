import { z } from 'zod';

/** Epoch milliseconds. */
const wallMs = z.number().int().nonnegative();

/** Most alarms that one host looks at, the newest first. */
export const MOST_TRIED_ALARMS = 20_000;
/** Most kinds of difference that one host tells apart; a further one is counted in `others`. */
export const MOST_DIFFERENCES = 100;
/** Most examples of one difference. */
export const MOST_EXAMPLES = 10;

/** The fields of a receiver that its choice and its callbacks depend on; secrets are none of them. */
export const triedReceiverSchema = z.object({
  id: z.string().min(1).max(128),
  name: z.string().max(512),
  protocol: z.string().max(64),
  destinationMatch: z.string().max(512),
  order: z.number().int().optional(),
  fallbackAlarmProtocol: z.string().max(64).optional(),
  alarmEventMapperId: z.string().max(128).optional(),
  callbackBaseUrl: z.string().max(2_048).optional(),
  customerSiteId: z.string().max(128).optional(),
  resolveDeviceFromDeviceCLI: z.boolean().optional(),
  customEventMap: z.looseObject({ rules: z.array(z.looseObject({})) }).optional(),
});
export type TriedReceiver = z.output<typeof triedReceiverSchema>;

/**
 * `args` of `history.try`: receivers in place of those of the same id, or beside them, tried on the alarms that came between `from`
 * and `to`. `ids`: the answer names each alarm, so that the cloud counts those of several hosts once.
 */
export const historyTrialArgsSchema = z.object({
  receivers: z.array(triedReceiverSchema).max(1_000),
  from: wallMs,
  to: wallMs,
  ids: z.boolean().default(false),
});
export type HistoryTrialArgs = z.output<typeof historyTrialArgsSchema>;

/**
 * The effect of a draft on one alarm, the gravest first:
 * - `refused`: no receiver takes it.
 * - `dropped`: an event map drops an event of it that its application gets today.
 * - `receiver`: another receiver takes it.
 * - `changed`: the same receiver takes it, and its callback differs.
 * - `taken`: a receiver takes it, and none does without the draft.
 */
export const HISTORY_EFFECTS = ['refused', 'dropped', 'receiver', 'changed', 'taken'] as const;
export type HistoryEffect = (typeof HISTORY_EFFECTS)[number];

const namedSchema = z.object({ id: z.string(), name: z.string() });

/** Alarms with the same difference. Members are paths, never values: what a device said does not leave the site by this. */
export const historyDifferenceSchema = z.object({
  effect: z.enum(HISTORY_EFFECTS),
  /** The receiver without the draft; absent: none. */
  before: namedSchema.optional(),
  /** The receiver with the draft; absent: none. */
  after: namedSchema.optional(),
  /** Members of the callback or of the receiver that differ. */
  fields: z.array(z.string()),
  alarms: z.number().int().positive(),
  /** The newest of them. */
  examples: z.array(z.object({ traceId: z.string(), at: wallMs })).max(MOST_EXAMPLES),
});
export type HistoryDifference = z.output<typeof historyDifferenceSchema>;

/**
 * `data` of the answer to `history.try`. `alarms`, where it was asked for: each alarm that was tried as a mark of eight signs, followed by
 * the position of its difference in `differences`, or by nothing.
 */
export const historyTrialDataSchema = z.object({
  /** Revision of the tenant's configuration that the draft was compared with. */
  revision: z.number().int().nonnegative(),
  /** Time of the oldest alarm that was looked for; later than asked where the limit was reached. */
  from: wallMs,
  tried: z.number().int().nonnegative(),
  /** Alarms whose arrival the journal does not tell in full; they are not among `tried`. */
  untried: z.number().int().nonnegative(),
  /** A limit was reached: older alarms were not looked at. */
  cut: z.boolean(),
  differences: z.array(historyDifferenceSchema).max(MOST_DIFFERENCES),
  /** Alarms with a difference beyond the limit of `differences`. */
  others: z.number().int().nonnegative(),
  alarms: z.array(z.string()).default([]),
});
export type HistoryTrialData = z.output<typeof historyTrialDataSchema>;

/** Length of the mark of an alarm in `alarms`. */
export const ALARM_MARK_SIGNS = 8;
