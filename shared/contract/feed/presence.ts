import { z } from 'zod';
import { count, lifeField, scopeField, ulidField, version, wallMs } from './field.ts';

/**
 * Words of `cap`: deltas of the configuration, requests of version 1, and that the host reports drains (`drainProgress`),
 * the checks of its commissioning (`commissionChecks`), its wipe, and that it calls people from a list (`emergencyCallList`). The cloud does not wait for checks that a host cannot
 * report; a drain is never done without a report and stops at its deadline, a wipe is given up after 30 days.
 */
const CAPABILITIES = ['cfg.delta', 'rpc.1', 'drain.1', 'check.1', 'wipe.1', 'list.1'] as const;
export type Capability = (typeof CAPABILITIES)[number];

/**
 * up/state (QoS 1, retained): what a host says of itself after every CONNACK, and its last word.
 * Unknown members are ignored everywhere, so that either side may be the newer one.
 */
export const birthSchema = z.object({
  v: version,
  st: z.literal('on'),
  /** One per CONNECT. */
  sid: ulidField,
  /** Made when the process starts. One that comes back after another was seen shows two machines with one identity. */
  inst: ulidField.optional(),
  /** Counts births of one `sid`; sequences are never reset by a birth. */
  birthNo: count,
  /** Counter in the journal, one more for each boot of the kernel. */
  boot: count,
  ts: wallMs,
  clk: z.object({ sync: z.boolean(), src: z.string().optional(), offMs: z.number().optional() }).optional(),
  twinRev: count,
  sw: z.record(z.string(), z.string()).default({}),
  hw: z
    .object({ serial: z.string().optional(), ramMb: count.optional(), diskMb: count.optional() })
    .default({}),
  net: z.object({ ifs: z.array(z.string()), prefix: count.optional() }).optional(),
  /** The abilities of this program beyond the floor of version 1: `Capability`, and those that newer ones add. */
  cap: z.array(z.string()).default([]),
  cfg: z.object({ tenant: count, site: count, host: count, platform: count, lkg: z.boolean().default(true) }),
  /** Per lane: sequence of the last event acknowledged by the cloud, and of the newest one held. */
  ev: z.record(z.string(), z.tuple([count, count])).default({}),
  life: lifeField,
  epoch: count,
  roles: z.array(z.string()).default([]),
  /** Chosen: where customers reach the runtime API of the site. */
  siteBaseUrl: z.string().max(300).optional(),
});

export const STOP_REASONS = ['drain', 'update', 'shutdown', 'poweroff'] as const;

/** up/state: the will (without `why`), or a graceful stop published before DISCONNECT; `eta` in seconds. */
const offSchema = z.object({
  v: version,
  st: z.literal('off'),
  sid: ulidField,
  why: z.enum(STOP_REASONS).optional(),
  eta: count.optional(),
});

export const stateSchema = z.discriminatedUnion('st', [birthSchema, offSchema]);

/** up/hb (QoS 0; 1 in profile `high`), about 400 bytes. */
export const heartbeatSchema = z.object({
  v: version,
  sid: ulidField,
  /** Counts heartbeats of this `sid`. */
  n: count,
  ts: wallMs,
  /** Seconds since boot. */
  up: count,
  twinRev: count,
  /** Applied revisions: tenant, site, host, platform. */
  cfg: z.tuple([count, count, count, count]),
  /** 1 = all applied configuration passed its health gate. */
  lkg: z.union([z.literal(0), z.literal(1)]).default(1),
  life: lifeField,
  epoch: count,
  m: z
    .object({
      memFreeMb: z.number(),
      /** Memory in use, percent. */
      memPct: z.number(),
      load1: z.number(),
      /** Disk in use, percent. */
      diskPct: z.number(),
      fsyncP99Ms: z.number(),
      tempC: z.number(),
    })
    .partial()
    .default({}),
  /** State of each engine: `ok`, else a word for what is wrong. */
  svc: z.record(z.string(), z.string()).default({}),
  calls: count.default(0),
  alarms1h: count.default(0),
  /** Rows waiting for the uplink per lane, and the age of the oldest in seconds. */
  out: z.record(z.string(), count).default({}),
  peers: z.record(z.string(), z.string()).default({}),
  /** As in the birth, for they change without one (2026-11-23); absent: an older host. */
  roles: z.array(z.string()).optional(),
  certDays: z.number().int().optional(),
  /** Local overrides in force. */
  ovr: count.default(0),
});

/** The fault that a NACK names: the code, the place in the document, and a sentence. */
const faultSchema = z.object({ code: z.string(), path: z.string().default(''), msg: z.string() });

/**
 * up/cfg (QoS 1): `applied` = committed and engines notified, `ack` = health gate passed, `nack` = refused, `applied` says
 * what stands instead.
 */
export const configReportSchema = z.object({
  v: version,
  sid: ulidField,
  scope: scopeField,
  rev: count,
  nonce: z.string().max(64),
  res: z.enum(['applied', 'ack', 'nack']),
  applied: count,
  ms: count.optional(),
  err: z.array(faultSchema).default([]),
});

/** cp/state (QoS 1, retained): the owner of the shard; also its will, with `st` off. */
export const ownerStateSchema = z.object({
  v: version,
  st: z.enum(['on', 'off']),
  sid: ulidField,
  epoch: count.optional(),
  why: z.literal('shutdown').optional(),
  /** Abilities of this control plane beyond version 1. */
  cap: z.array(z.string()).default([]),
});

/** Keepalive of the owner's connection to a broker, s: after half of it more the broker says that the owner is away. */
export const OWNER_KEEPALIVE_S = 15;
/** A host leaves a broker whose owner has been away for so long, s, and up to twice that: not all at once. */
export const OWNER_WAIT_S = 30;

/** A connection of a host that lasted for less ends no back-off: the next loss goes on with the one before. */
export const STABLE_CONNECTION_MS = 60_000;
/** The longest wait of a host between two tries to connect, ms, by how long it has tried (control plane, section 3.2). */
export const longestWaitMs = (triedMs: number): number =>
  triedMs < 180_000 ? 15_000 : triedMs < 600_000 ? 60_000 : 300_000;

export type Birth = z.output<typeof birthSchema>;
export type Off = z.output<typeof offSchema>;
export type HostState = z.output<typeof stateSchema>;
export type Heartbeat = z.output<typeof heartbeatSchema>;
export type ConfigReport = z.output<typeof configReportSchema>;
export type ConfigFault = z.output<typeof faultSchema>;
export type OwnerState = z.output<typeof ownerStateSchema>;
