/**
 * Topics of the management tree (version 1):
 *
 *     carillon/1/{sh}/{tenant}/{siteId}/{uid}/up/{state | hb | cfg | res | rec | ev/{lane}}
 *     carillon/1/{sh}/{tenant}/{siteId}/{uid}/dn/{twin | ack | req}
 *     carillon/1/{sh}/cp/state
 *
 * Ids are of `[a-z0-9-]` only, so none can carry a wildcard or a level.
 */
const ROOT = 'carillon/1';

/** Order in which the lanes of the outbox are sent. */
export const LANES = ['alarm', 'svc', 'audit', 'usage'] as const;
export type Lane = (typeof LANES)[number];

export type UpLeaf = 'up/state' | 'up/hb' | 'up/cfg' | 'up/res' | 'up/rec' | `up/ev/${Lane}`;
export type DownLeaf = 'dn/twin' | 'dn/ack' | 'dn/req';
export type Leaf = UpLeaf | DownLeaf;

/** Where in the tree a host stands. `tenant` is the tenant's id, not its domain. */
export interface HostPlace {
  readonly sh: string;
  readonly tenant: string;
  readonly siteId: string;
  readonly uid: string;
}

/** The place of the made-up host of a broker check: no tenant has this id, for ids of tenants have 26 signs. */
export const CHECK_PLACE = { tenant: 'brokercheck', siteId: 'broker-check' } as const;

export interface HostTopic extends HostPlace {
  readonly leaf: Leaf;
}

/** SHA-256 of the UTF-8 text, lower-case hex. */
export type Sha256 = (text: string) => string;

/** Shard of a host, `00` … `3f`: the first 6 bits of SHA-256(uid). Both sides compute it. */
export const shardOf = (uid: string, sha256: Sha256): string =>
  (Number.parseInt(sha256(uid).slice(0, 2), 16) >> 2).toString(16).padStart(2, '0');

/** All shards, `00` … `3f`. */
export const SHARDS: readonly string[] = Array.from({ length: 64 }, (_, i) =>
  i.toString(16).padStart(2, '0'),
);

export const topicOf = ({ sh, tenant, siteId, uid }: HostPlace, leaf: Leaf): string =>
  `${ROOT}/${sh}/${tenant}/${siteId}/${uid}/${leaf}`;

/** Where the owner of a shard says that it lives. */
export const cpStateTopic = (sh: string): string => `${ROOT}/${sh}/cp/state`;

/** The filter that a host subscribes below its own place; every `dn` topic at once. */
export const downFilter = ({ sh, tenant, siteId, uid }: HostPlace): string =>
  `${ROOT}/${sh}/${tenant}/${siteId}/${uid}/dn/+`;

/** The filter of everything that the hosts of a shard say. */
export const upFilter = (sh: string): string => `${ROOT}/${sh}/+/+/+/up/#`;

/** The filters of everything that they say but their heartbeats. */
export const reportFilters = (sh: string): string[] =>
  ['state', 'cfg', 'res', 'rec', 'ev/+'].map((leaf) => `${ROOT}/${sh}/+/+/+/up/${leaf}`);

/** The filter of their heartbeats. */
export const heartbeatFilter = (sh: string): string => `${ROOT}/${sh}/+/+/+/up/hb`;

/** The filter by which a replica hears the answers to its questions, from hosts of every shard. */
export const ANSWER_FILTER = `${ROOT}/+/+/+/+/up/res`;

const LEAVES: ReadonlySet<string> = new Set<Leaf>([
  'up/state',
  'up/hb',
  'up/cfg',
  'up/res',
  'up/rec',
  ...LANES.map((lane) => `up/ev/${lane}` as const),
  'dn/twin',
  'dn/ack',
  'dn/req',
]);

const HOST_TOPIC =
  /^carillon\/1\/([0-3][0-9a-f])\/([a-z0-9]+)\/([a-z0-9-]{1,63})\/([a-z0-9]+)\/((?:up|dn)\/[a-z/]+)$/;

/** Takes a host's topic apart; undefined for any other topic, also one with wildcards. */
export function parseTopic(topic: string): HostTopic | undefined {
  const [, sh, tenant, siteId, uid, leaf] = HOST_TOPIC.exec(topic) ?? [];
  if (sh === undefined || tenant === undefined || siteId === undefined || uid === undefined) return undefined;
  return isLeaf(leaf) ? { sh, tenant, siteId, uid, leaf } : undefined;
}

const isLeaf = (text: string | undefined): text is Leaf => text !== undefined && LEAVES.has(text);

/** The shard of a `cp/state` topic, undefined for any other topic. */
export const cpStateShard = (topic: string): string | undefined =>
  /^carillon\/1\/([0-3][0-9a-f])\/cp\/state$/.exec(topic)?.[1];

/** The lane of an event leaf. */
export const laneOf = (leaf: Leaf): Lane | undefined => LANES.find((lane) => leaf === `up/ev/${lane}`);
