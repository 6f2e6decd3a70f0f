import { z } from 'zod';
import { count, ulidField, version, wallMs } from './field.ts';

/** Most events of one batch. */
export const BATCH_LIMIT = 100;

/** One event of the outbox on its way up. */
export const eventItemSchema = z.object({
  /** Host-wide counter, ascending within a lane. */
  seq: count,
  /** The seq sent before it in this lane; 0 = the first one. What a quota dropped is skipped. */
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
  /** Rows before this one are gone for good; set when an acknowledgement went back. */
  gap: z.boolean().optional(),
  /** W3C traceparent. */
  tp: z.string().max(64).optional(),
  /** Adopted from a dead peer: where it came from. */
  origin: z.object({ uid: ulidField, boot: count, seq: count }).optional(),
});

/** up/ev/{lane} (QoS 1): events of one lane; resent until dn/ack covers them. */
export const eventBatchSchema = z.object({
  v: version,
  sid: ulidField,
  items: z.array(eventItemSchema).min(1).max(BATCH_LIMIT),
});

/** dn/ack (QoS 1): per lane, every item up to this seq is committed in the cloud's database. */
export const eventAckSchema = z.object({
  v: version,
  ack: z.object({ alarm: count, svc: count, audit: count, usage: count }).partial(),
});

/**
 * `data` of an event of type `deviceHeartbeat` (lane `svc`): a supervised device fell silent or came back.
 * `expiration` in epoch milliseconds.
 */
export const deviceHeartbeatDataSchema = z.object({
  deviceId: z.string().min(1).max(256),
  status: z.enum(['online', 'offline']),
  expiration: wallMs,
});

/**
 * `data` of an event whose type is the `error` of a monitoringAlarm (`serviceStartFailed`, `serviceFailure`, `lowMemory`),
 * lane `alarm`. One alarm per host, error and service.
 */
export const edgeAlarmDataSchema = z.object({
  status: z.enum(['raised', 'cleared']),
  severity: z.enum(['info', 'warning', 'major', 'critical']).default('major'),
  message: z.string().max(1000).default(''),
  service: z.string().max(32).optional(),
  value: z.union([z.string(), z.number()]).optional(),
  threshold: z.union([z.string(), z.number()]).optional(),
  condition: z.string().max(200).optional(),
});

export type EventItem = z.output<typeof eventItemSchema>;
export type EventBatch = z.output<typeof eventBatchSchema>;
export type EventAck = z.output<typeof eventAckSchema>;
export type DeviceHeartbeatData = z.output<typeof deviceHeartbeatDataSchema>;
export type EdgeAlarmData = z.output<typeof edgeAlarmDataSchema>;
