import { z } from 'zod';
import { count, type Life, lifeField, PROFILES, ulidField, version, wallMs } from './field.ts';

/** Where a scope stands: its revision and the hash of all its rows. */
const pointerSchema = z.object({
  rev: count,
  /** `sha256:` and 64 hex digits, see `resultHash`. */
  h: z.string().regex(/^sha256:[0-9a-f]{64}$/),
});

/** `typ` of the JWS header of a twin. */
export const TWIN_TYP = 'carillon-twin';

/**
 * dn/twin (QoS 1, retained) and GET /edge/v1/twin: wanted state of one host, as the payload of a compact JWS (EdDSA,
 * `typ` carillon-twin, `kid`). Refused by the host with a wrong signature, a foreign `uid` or a lower `twinRev`.
 */
export const twinSchema = z.object({
  v: version,
  uid: ulidField,
  twinRev: count,
  life: lifeField,
  /** Operation that this `life` belongs to; what the host reports about it repeats the id. Null = none is under way. */
  op: ulidField.nullable().default(null),
  /** For a drain: services pause and stay assigned here. */
  doNotReschedule: z.boolean().default(false),
  /** The deadline of a drain, epoch milliseconds. */
  deadline: wallMs.nullable().default(null),
  /** For a drain: at the deadline ordinary calls are ended, alarm calls never. Without it the host goes on serving. */
  force: z.boolean().default(false),
  /** The reason of the operation, as a person gave it. */
  reason: z.string().max(500).optional(),
  /** Static network of the host; null = as it is (DHCP). */
  net: z
    .object({ ifs: z.array(z.string()), prefix: count })
    .nullable()
    .default(null),
  hb: z.object({ profile: z.enum(PROFILES) }),
  /** Seconds over which hosts spread what all of them would do at once. */
  jitterS: z.number().nonnegative(),
  /** Seconds over which the hosts of the tenant spread the fetches of what has changed for them alone. Absent = `jitterS`. */
  fetchS: z.number().nonnegative().optional(),
  cfg: z.object({
    tenant: pointerSchema,
    site: pointerSchema,
    host: pointerSchema,
    platform: pointerSchema,
  }),
  /** Brokers, each `mqtts://host:port`: a host that loses one tries the next. Absent = those of its enrolment. */
  brokers: z.array(z.string().max(300)).max(8).optional(),
  sw: z
    .object({ channel: z.string(), target: z.string().optional(), window: z.string().optional() })
    .optional(),
});

/**
 * Intents as a twin carries them. A host gets `decommissioned` from the moment it must leave: it flushes its lanes, wipes
 * itself and says so (`wipeReportSchema`).
 */
export const twinLife = (life: Life): Life => (life === 'decommissioning' ? 'decommissioned' : life);

export type Twin = z.output<typeof twinSchema>;
export type Pointer = z.output<typeof pointerSchema>;
