import { z } from 'zod';
import { count, labelField, ulidField, wallMs } from './field.ts';

/*
 * The reports of a host about an operation on itself: `data` of events of lane `svc`, by type. Each report is the whole picture,
 * so that the newest one is enough. `op` is that of the twin; a report of another operation than the current one is kept
 * and changes nothing.
 */

const op = ulidField.nullable().default(null);

/** Checks of a commissioning; a host may add its own. `fsync`: p99 of 100 writes, ≤ 100 ms. */
export const COMMISSION_CHECKS = ['clock', 'fsync', 'ports', 'memory', 'peers'] as const;

const checkSchema = z.object({
  name: z.string().min(1).max(32),
  ok: z.boolean(),
  value: z.union([z.string(), z.number()]).optional(),
  limit: z.union([z.string(), z.number()]).optional(),
  /** The text for a technician: the fault and what to do. */
  message: z.string().max(500).default(''),
  /** Where a service is the cause: then the cloud raises `serviceStartFailed`. */
  service: z.string().max(32).optional(),
});

/** Type `commissionChecks`: while `life` is `commissioning`, after the first twin and whenever the result changes. */
export const commissionChecksSchema = z.object({ op, checks: z.array(checkSchema).min(1).max(32) });

/** In this order; `done` = nothing is left here: services moved, no call, lanes flushed or handed to a peer. */
export const DRAIN_STEPS = ['cordon', 'services', 'calls', 'flush', 'done'] as const;

const SERVICE_STATES = ['assigned', 'moving', 'ready', 'moved', 'stopped', 'paused'] as const;

/**
 * Type `drainProgress`: while `life` is `draining`, at every change of step, service or reason, and of the numbers at most
 * every 10 s. Services: `assigned` here → `moving` → `ready` there → `moved`; or `stopped`, or `paused` (doNotReschedule).
 */
export const drainProgressSchema = z.object({
  op,
  step: z.enum(DRAIN_STEPS),
  services: z
    .array(
      z.object({
        name: z.string().min(1).max(32),
        state: z.enum(SERVICE_STATES),
        /** Host that takes it. */
        to: labelField.optional(),
      }),
    )
    .max(64)
    .default([]),
  /** Calls left. */
  calls: z.object({ ordinary: count, alarm: count }).default({ ordinary: 0, alarm: 0 }),
  /** Rows left in the lanes that must be empty, without those that a peer holds. */
  lanes: z.object({ alarm: count, svc: count }).default({ alarm: 0, svc: 0 }),
  /** Host that holds the VIP now. */
  vip: labelField.optional(),
  /**
   * Why it stands still; absent = it goes on. Never said together with `done`. Codes: `noCapacity`, `peerUnreachable`,
   * `callsLeft`, `alarmCallsLeft`, `lanesLeft`, and words that a host adds.
   */
  blocked: z.object({ code: z.string().min(1).max(64), message: z.string().max(500).default('') }).optional(),
});

const overrideSchema = z.object({
  /** `network`, `logLevel`, `service:<name>`, `testMode`, `fallbackNumber`. */
  key: z.string().min(1).max(64),
  value: z.unknown(),
  author: z.string().max(128),
  reason: z.string().max(500).default(''),
  since: wallMs,
  /** Null = until it is cleared (network). */
  expiresAt: wallMs.nullable(),
  /** A technician on site holds it against later revisions. */
  pinned: z.boolean().default(false),
  /** A later revision wants something else. */
  drift: z.boolean().default(false),
});

/** Type `overrides`: all local overrides in force, whenever one comes or goes. */
export const overridesSchema = z.object({ overrides: z.array(overrideSchema).max(100) });

/**
 * POST /edge/v1/wiped (edge listener, certificate of the host): the last word of a host whose twin says `decommissioned`.
 * In order: lanes flushed → services stopped → everything secret wiped but key, certificate and roots → this report, again
 * until it is answered 200 or 403 (it counts no more) → key and identity wiped too.
 */
export const wipeReportSchema = z.object({
  op,
  /** Kinds of removed data: `configuration`, `journal`, `recordings`, `siteKey`, … */
  wiped: z.array(z.string().min(1).max(64)).max(64),
  /** The data that could not be removed, in words; the platform shows it. */
  left: z.array(z.string().max(300)).max(64).default([]),
});

/** Why the roles of a host changed, as it saw it; newer hosts may say others. */
export const ROLE_CAUSES = [
  /** Its program was started, and no other host had them. */
  'started',
  /** `of` had them and does not answer any more. */
  'hostLost',
  /** `of` had them, is there, and gave them up: drained, at fault, or stopping. */
  'handedOver',
  /** `of` had them and goes on serving: this one comes first by its order, or the address was moved to it. */
  'preferred',
  /** It may not serve: `faults` says why; none = it is drained. */
  'notServing',
  /** `of` has them now, by its place in the order or by the address. */
  'takenBy',
  /** `of` is there again; nothing moved. */
  'hostBack',
  'other',
] as const;

/**
 * Type `siteRole`: a host of a site with two or more has other roles than before (`vip` = it holds the address, `leader` = it
 * speaks for the site), has taken over the alarms of hosts that are dead, or sees them again. Together they are the history
 * of failovers.
 */
export const siteRoleSchema = z.object({
  /** Term of the site then. */
  epoch: count,
  /** All that it has now. */
  roles: z.array(z.string().max(32)).max(16),
  gained: z.array(z.string().max(32)).max(16).default([]),
  lost: z.array(z.string().max(32)).max(16).default([]),
  cause: z.string().min(1).max(32),
  of: labelField.optional(),
  /** Hosts whose undelivered alarms it delivers from now on. */
  took: z.array(labelField).max(64).default([]),
  faults: z.array(z.string().max(300)).max(16).default([]),
  /** The host reports a state when it has lasted for so long, so that a flicker is no news: ms before the time of the event. */
  agoMs: z.number().nonnegative().default(0),
});

export type CommissionChecks = z.output<typeof commissionChecksSchema>;
export type DrainProgress = z.output<typeof drainProgressSchema>;
export type LocalOverride = z.output<typeof overrideSchema>;
export type WipeReport = z.output<typeof wipeReportSchema>;
export type SiteRole = z.output<typeof siteRoleSchema>;
