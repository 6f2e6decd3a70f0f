import { z } from 'zod';
import { LANES, labelField, scopeField, ulidField } from '../feed/index.ts';

const version = z.literal(1);
/** A part of a recording travels as one message. */
export const RECORDING_PART_BYTES = 1_048_576;

const count = z.number().int().nonnegative();
const serviceName = z.string().min(1).max(32);

/** A member of a site, as the scope `site` of the configuration carries it (entity `host`). */
export const memberSchema = z.object({
  uid: ulidField,
  hostId: labelField,
  /** SPKI PEM of the key in its certificate; no other key is let in, and validity dates do not count. */
  publicKey: z.string().min(1),
  siteBaseUrl: z.string().optional(),
  /** Ascending: who leads without a VIP, and who holds whose rows. */
  order: z.number(),
});

/** The state that a host sends each second, and its answer. */
export const helloSchema = z.object({
  v: version,
  uid: ulidField,
  /** Term of the site, and who raised it. */
  epoch: count,
  owner: ulidField.or(z.literal('')),
  /** Its journal can be written: it takes rows. */
  ready: z.boolean(),
  /** It serves: configured, and not being drained. */
  serving: z.boolean(),
  /** It holds the VIP; absent: the site has none, as far as it knows. */
  vip: z.boolean().optional(),
  /**
   * Revisions of the scopes that all hosts of the site share, as it has them. A host that is behind and has no WAN asks at
   * once.
   */
  cfg: z.object({ tenant: count, site: count, platform: count }).optional(),
  /** Labels that it was given. These five are absent in what an older host says. */
  labels: z.array(z.string().max(128)).max(50).optional(),
  memory: z.object({ freeMb: z.number().nonnegative(), freePct: z.number().min(0).max(100) }).optional(),
  /** Its services that are not well. */
  sick: z.array(serviceName).max(20).optional(),
  /** It is being drained: services that want another place, and the one that each has (uid). */
  moving: z
    .array(z.object({ service: serviceName, to: ulidField.nullish() }))
    .max(20)
    .optional(),
  /** Said by the leader: where the service of a host that is drained goes; null: no host may take it. */
  placed: z
    .array(z.object({ of: ulidField, service: serviceName, to: ulidField.nullable() }))
    .max(200)
    .optional(),
});

/** A row as its journal keeps it; columns that a newer host adds are kept. */
const row = z.looseObject({ id: z.string().min(1).max(256) });

/**
 * `session`, `event`, `outbox`: the row. `done`: its receiver has it, or it was given up. `acked`: the cloud has every row
 * of the lane up to `seq`.
 */
const copyWriteSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('session'), row }),
  z.object({ kind: z.literal('event'), row }),
  z.object({ kind: z.literal('outbox'), row }),
  z.object({ kind: z.literal('done'), id: z.string().min(1).max(256) }),
  z.object({ kind: z.literal('acked'), lane: z.enum(LANES), seq: count }),
]);

export const copySchema = z.object({
  v: version,
  from: ulidField,
  /** Counts requests of one life of the sender. */
  n: count,
  writes: z.array(copyWriteSchema).max(2_000),
});

/** Ids of rows that the sender has not delivered; what the other does with them in its place ends with this. */
export const stateSchema = z.object({
  v: version,
  from: ulidField,
  ids: z.array(z.string()).max(5_000),
  /** When each was made, epoch ms, in the order of `ids`; absent: said by an older host. */
  madeAt: z.array(z.number()).max(5_000).optional(),
  /** Ids of rows of the one that is asked, of which the sender keeps a copy and does not know that anybody has them. */
  held: z.array(z.string()).max(5_000).optional(),
  /** When each of `held` was made, epoch ms. */
  heldAt: z.array(z.number()).max(5_000).optional(),
});

export const stateAnswerSchema = z.object({
  /** Delivered, by either host. */
  done: z.array(z.string()),
  /** Not held: they must be copied. */
  lacking: z.array(z.string()),
  /** Rows of `held` that are delivered, or given up; absent: an older host. */
  over: z.array(z.string()).optional(),
  /** Rows of `held` that are not on its disk, though they would still be there; it died before they were written. */
  unknown: z.array(z.string()).optional(),
});

export const forwardSchema = z.object({
  v: version,
  from: ulidField,
  operation: z.string().max(64),
  domain: z.string().max(256),
  authorization: z.string().max(16_384).optional(),
  body: z.unknown(),
});

export const forwardAnswerSchema = z.object({
  status: z.number().int().min(200).max(599),
  body: z.record(z.string(), z.unknown()),
});

/** Asks for signed bytes of the configuration; whoever carries them need not be trusted. */
export const feedAskSchema = z.discriminatedUnion('ask', [
  z.object({ v: version, ask: z.literal('twin') }),
  z.object({ v: version, ask: z.literal('manifest'), scope: scopeField, since: count }),
  z.object({ v: version, ask: z.literal('keys') }),
  z.object({ v: version, ask: z.literal('page'), sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
]);

/** `text` is a compact JWS, key statements in lines, or bytes in base64; absent: it is not to be had here. */
export const feedAnswerSchema = z.object({
  text: z.string().optional(),
  notModified: z.boolean().optional(),
});

/** Asks for a part of a recording that another host of the site has made. */
export const recordingAskSchema = z.object({
  v: version,
  fileName: z.string().min(1).max(512),
  offset: count,
  /** At most so many bytes; 0: only whether the host has it. */
  length: z.number().int().min(0).max(RECORDING_PART_BYTES),
  /** The bytes go on to the control plane, which gets no recording that it has taken already. */
  forCloud: z.boolean().optional(),
});

export const recordingPartSchema = z.object({
  /** Length of the whole file, bytes. */
  size: count,
  /** The same while the file is the same. */
  mark: z.string().max(64),
  /** Base64. */
  bytes: z.string(),
});

export type MemberRow = z.output<typeof memberSchema>;
export type Hello = z.output<typeof helloSchema>;
export type CopyWrite = z.output<typeof copyWriteSchema>;
export type Copy = z.output<typeof copySchema>;
export type State = z.output<typeof stateSchema>;
export type StateAnswer = z.output<typeof stateAnswerSchema>;
export type Forward = z.output<typeof forwardSchema>;
export type ForwardAnswer = z.output<typeof forwardAnswerSchema>;
export type FeedAsk = z.output<typeof feedAskSchema>;
export type FeedAnswer = z.output<typeof feedAnswerSchema>;
export type RecordingAsk = z.output<typeof recordingAskSchema>;
export type RecordingPart = z.output<typeof recordingPartSchema>;
