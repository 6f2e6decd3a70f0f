import { z } from 'zod';
import { count, ulidField, version, wallMs } from './field.ts';

/** Most events of one batch. */
export const BATCH_LIMIT = 100;

/** One event of the outbox on its way up. */
const eventItemSchema = z.object({
  /** Host-wide counter, ascending within a lane. */
  seq: count,
  /** The seq sent before it in this lane; 0 = the first one. Rows that a quota dropped are skipped. */
  prev: count,
  /** Made at capture; the cloud knows repetitions by it. */
  id: ulidField,
  type: z.string().min(1).max(64),
  ts: wallMs,
  /** Monotonic milliseconds within `boot`. */
  mono: z.number().nonnegative(),
  boot: count,
  epoch: count,
  svc: z.string().max(32).optional(),
  data: z.record(z.string(), z.unknown()).default({}),
  /** Sent after an outage. */
  late: z.boolean().default(false),
  /** Rows before this one are lost for good; set when an acknowledgement went back. */
  gap: z.boolean().optional(),
  /** W3C traceparent. */
  tp: z.string().max(64).optional(),
  /** Adopted from a dead peer: where it came from. */
  origin: z.object({ uid: ulidField, boot: count, seq: count }).optional(),
});

const mono = z.number().nonnegative();

/** Most boots that a host remembers: rows of older ones have long been sent. */
export const MOST_BOOTS = 16;

/** The notes of a host about the boots of its machine, over all runs of its program; times in ms as records count them. */
export const bootNotesSchema = z
  .array(
    z.object({
      boot: count,
      /** When a program that counts so was first started in it: smaller numbers were counted otherwise. */
      from: mono,
      /** The first moment at which the wall clock was right. */
      right: z.object({ mono, ts: wallMs }).optional(),
    }),
  )
  .max(MOST_BOOTS);

/** The clock of the host as a batch leaves it; `mono` counts as in the items. */
const batchClockSchema = z.object({
  boot: count,
  mono,
  /** Smaller numbers of this boot were counted by an older program, from its own start. */
  from: mono.default(0),
  /** The wall clock has a source; absent: unknown. */
  sync: z.boolean().optional(),
  /** First moment of each boot at which the wall clock was right, on both clocks; for boots that the items name. */
  pairs: z
    .array(z.object({ boot: count, from: mono.default(0), mono, ts: wallMs }))
    .max(MOST_BOOTS)
    .default([]),
});

/** up/ev/{lane} (QoS 1): events of one lane; resent until dn/ack covers them. */
export const eventBatchSchema = z.object({
  v: version,
  sid: ulidField,
  items: z.array(eventItemSchema).min(1).max(BATCH_LIMIT),
  /** Absent: sent by an older host, whose `mono` began with each start of its program. */
  clk: batchClockSchema.optional(),
});

/** dn/ack (QoS 1): per lane, every item up to this seq is committed in the cloud's database. */
export const eventAckSchema = z.object({
  v: version,
  ack: z.object({ alarm: count, svc: count, audit: count, usage: count }).partial(),
  /** Every record up to this seq of the host's record store is committed. */
  rec: count.optional(),
});

/**
 * `data` of an event of type `deviceHeartbeat`: a supervised device fell silent or came back. `expiration` in epoch
 * milliseconds. The data of an event that is a platform alarm is that alarm as the callbacks carry it.
 */
export const deviceHeartbeatDataSchema = z.object({
  deviceId: z.string().min(1).max(256),
  status: z.enum(['online', 'offline']),
  expiration: wallMs,
});

/**
 * Type of an event of lane `usage`: supervised devices that are well, each with its expiration, epoch milliseconds. Said at checks,
 * so that the platform can show it; who falls silent or comes back is a `deviceHeartbeat`, and that counts.
 */
export const DEVICES_SEEN = 'devicesSeen';

/** Its `data`. */
export const devicesSeenDataSchema = z.object({
  devices: z.array(z.tuple([z.string().min(1).max(256), wallMs])).max(5_000),
});

/** Type of an event of lane `audit`: a person heard a recording at the site. */
export const RECORDING_READ = 'recordingRead';

/** Its `data`. */
export const recordingReadDataSchema = z.object({
  /** `key:<kid>`, or `token:<begin of its hash>`. */
  actor: z.string().min(1).max(200),
  fileName: z.string().min(1).max(256),
});

/**
 * Type of an event of lane `audit`: what a host did on its own authority, or let a person at the machine do. Control plane,
 * section 12: the audit of the edge is joined by `seq`.
 */
export const HOST_ACT = 'hostAct';

/**
 * Its `data`; no secrets, and no numbers of people. Acts of this version: `override` and `overrideOver` (of the configuration, by
 * a person on site), `bundle` (a revision came by file), `lastKnownGood` (a revision was given up), `technician` (at the page of the machine), `digestFallback` (a
 * device is offered MD5 alone). A newer host may know
 * others.
 */
export const hostActDataSchema = z.object({
  action: z.string().regex(/^[a-zA-Z]{1,32}$/),
  /** The person, as the machine knows people; absent: the host by itself. */
  by: z.string().max(200).optional(),
  detail: z
    .record(z.string().max(64), z.union([z.string().max(1000), z.number(), z.boolean(), z.null()]))
    .default({}),
});

/** Types of events of lane `alarm` that stand until they are cleared; one per host, `error` and service. */
export const STANDING_ALARMS = ['monitoringAlarm', 'diskPressure', 'clockUnsynchronised'] as const;
export type StandingAlarm = (typeof STANDING_ALARMS)[number];

/**
 * `data` of an event of one of these types: the alarm as the callbacks carry it (media and sites document, part 6). A probe
 * of the host saw a problem (`raised`), or saw it go (`cleared`); each is said once, the cloud repeats what stands.
 */
export const standingAlarmDataSchema = z.object({
  /** The error of a `monitoringAlarm`. */
  error: z.enum(['serviceStartFailed', 'serviceFailure', 'lowMemory']).optional(),
  errorDetails: z
    .looseObject({
      status: z.enum(['raised', 'cleared']).default('raised'),
      severity: z.enum(['info', 'warning', 'major', 'critical']).default('major'),
      message: z.string().max(1000).default(''),
      service: z.string().max(32).optional(),
    })
    .default({ status: 'raised', severity: 'major', message: '' }),
  /**
   * The site posts it to the tenant itself (the cloud was away, `alarmFromEdge`), with the id of the event as
   * Idempotency-Key. Without it the cloud posts it, with the same key.
   */
  told: z.boolean().default(false),
});

export type EventItem = z.output<typeof eventItemSchema>;
export type EventBatch = z.output<typeof eventBatchSchema>;
export type HostActData = z.input<typeof hostActDataSchema>;
export type BootNote = z.output<typeof bootNotesSchema>[number];
export type BatchClock = z.output<typeof batchClockSchema>;
export type EventAck = z.output<typeof eventAckSchema>;
export type DeviceHeartbeatData = z.output<typeof deviceHeartbeatDataSchema>;
export type StandingAlarmData = z.output<typeof standingAlarmDataSchema>;
