import { z } from 'zod';

/** Payloads are at most this long, and a broker may cut at a little more. */
export const PAYLOAD_LIMIT_BYTES = 65_536;
/** A page of configuration unpacks to at most so much, whoever reads it: a small file must not become all of the memory. */
export const PAGE_PLAIN_BYTES = 64 * 1_048_576;

/** Version of the payloads; another one is answered with NACK or an error response. */
export const version = z.literal(1);

export const ulidField = z
  .string()
  .regex(/^[0-9a-hjkmnp-tv-z]{26}$/, { message: 'must be a ULID in lower case' });

/** Site and host names. */
export const labelField = z
  .string()
  .regex(/^[a-z0-9-]{1,63}$/, { message: 'must be 1 to 63 characters of a-z, 0-9 and -' });

export const count = z.number().int().nonnegative();

/** Epoch milliseconds. */
export const wallMs = z.number().int().nonnegative();

const LIFE_STATES = [
  'claimed',
  'commissioning',
  'active',
  'draining',
  'drained',
  'quarantined',
  'decommissioning',
  'decommissioned',
] as const;

/** Intent for a host, as its twin carries it. */
export type Life = (typeof LIFE_STATES)[number];

export const lifeField = z.enum(LIFE_STATES);

/** In the order in which they need each other: secrets of a tenant open by a key that the scope of the host brings. */
export const SCOPES = ['platform', 'host', 'tenant', 'site'] as const;

/** Each scope of the configuration has a counter of its own. */
export type FeedScope = (typeof SCOPES)[number];

export const scopeField = z.enum(SCOPES);

export const PROFILES = ['high', 'standard', 'economy'] as const;
export type Profile = (typeof PROFILES)[number];

/** Heartbeat interval T of each supervision profile, seconds. */
export const HEARTBEAT_S: { readonly [P in Profile]: number } = { high: 10, standard: 30, economy: 120 };
