import { type HashText, shardOwners } from './rendezvous.ts';

/** Longer than the replicas take, one after the other, to be back at a broker that was started again. */
const SETTLED_MS = 10_000;

/** A replica as its row shows it. Times in rows are those of the clock of the database, epoch ms. */
export interface ReplicaSeen {
  readonly id: string;
  readonly until: number;
  /** How many brokers it reaches; null: it does not say. */
  readonly brokers?: number | null;
  /** Since when it has been so many. */
  readonly brokersSince?: number | null;
}

/** The lease of a shard as its row shows it. */
export interface LeaseSeen {
  readonly sh: string;
  readonly owner: string;
  readonly epoch: number;
  readonly until: number;
}

/** All rows, read in the transaction that renewed those of this replica. */
export interface ShardView {
  readonly databaseMs: number;
  readonly replicas: readonly ReplicaSeen[];
  readonly leases: readonly LeaseSeen[];
}

export interface Term {
  readonly sh: string;
  /** One more for each owner. */
  readonly epoch: number;
}

interface Plan {
  /** Replicas that share the shards, in the order of their names. */
  readonly among: readonly string[];
  readonly owners: ReadonlyMap<string, string>;
}

/**
 * The shards of one replica.
 *
 *     free ──take──▶ held ──another replica should own it, or stop──▶ leaving ──handedOver──▶ released
 *                     │ the lease ran out by the own clock, or another term stands in the row
 *                     └──────────────────────────────▶ lost
 */
export interface Ownership {
  readonly self: string;
  /** How long a renewed lease lasts, ms. */
  readonly leaseMs: number;
  /** All shards there are. */
  readonly shards: readonly string[];
  /** Term of each shard that is held. */
  readonly held: ReadonlyMap<string, number>;
  /** Term of each shard whose work ends, before its lease is given back. */
  readonly leaving: ReadonlyMap<string, number>;
  /** Monotonic ms; from then on nothing is held. */
  readonly untilMs: number;
  /** Live replicas at the last look, this one among them. */
  readonly live: readonly string[];
  /** The owner that each shard should have, computed when the replicas that share them change. */
  readonly plan: Plan;
  readonly stopping: boolean;
}

/** Times in inputs are monotonic ms of this replica. */
export type OwnershipInput =
  /** Rows were renewed and read. `askedMs`: before the question left, so that the lease is never thought longer than it is. */
  | { readonly kind: 'seen'; readonly askedMs: number; readonly view: ShardView }
  /** Shards that an order to take has brought, with their terms. */
  | { readonly kind: 'taken'; readonly terms: readonly Term[] }
  /** The work on these shards has ended: what was known is in the rows. */
  | { readonly kind: 'handedOver'; readonly shards: readonly string[] }
  | { readonly kind: 'due'; readonly atMs: number }
  | { readonly kind: 'stop' };

/** `handOver`: write what is known, then report `handedOver`. `lost`: another one writes by now; write nothing. */
export type EndReason = 'handOver' | 'lost';

export type OwnershipEffect =
  | { readonly kind: 'take'; readonly shards: readonly string[] }
  | { readonly kind: 'begin'; readonly terms: readonly Term[] }
  | { readonly kind: 'end'; readonly shards: readonly string[]; readonly why: EndReason }
  | { readonly kind: 'release'; readonly terms: readonly Term[] };

export interface OwnershipStep {
  readonly state: Ownership;
  readonly effects: readonly OwnershipEffect[];
}

export const initialOwnership = (self: string, shards: readonly string[], leaseMs: number): Ownership => ({
  self,
  leaseMs,
  shards,
  held: new Map(),
  leaving: new Map(),
  untilMs: Number.NEGATIVE_INFINITY,
  live: [],
  plan: { among: [], owners: new Map() },
  stopping: false,
});

/** Whether this replica may act for a shard now. */
export const isHeld = ({ held, untilMs }: Ownership, sh: string, atMs: number): boolean =>
  atMs < untilMs && held.has(sh);

export function stepOwnership(state: Ownership, input: OwnershipInput, hash: HashText): OwnershipStep {
  switch (input.kind) {
    case 'seen':
      return seen(state, input.askedMs, input.view, hash);
    case 'taken':
      return taken(state, input.terms);
    case 'handedOver':
      return handedOver(state, input.shards);
    case 'due':
      return input.atMs < state.untilMs ? { state, effects: [] } : lost(state, [...state.held.keys()]);
    case 'stop':
      return leave({ ...state, stopping: true }, [...state.held.keys()]);
  }
}

function seen(before: Ownership, askedMs: number, view: ShardView, hash: HashText): OwnershipStep {
  const own = new Map(
    view.leases
      .filter(({ owner, until }) => owner === before.self && until > view.databaseMs)
      .map(({ sh, epoch }) => [sh, epoch]),
  );
  const released = [...before.held].filter(([sh, epoch]) => own.get(sh) !== epoch).map(([sh]) => sh);
  const { state: kept, effects } = lost(before, released);
  const alive = view.replicas.filter(({ until }) => until > view.databaseMs);
  const live = alive.map(({ id }) => id);
  const plan = planned(before, reaching(alive, view.databaseMs), hash);
  const state: Ownership = { ...kept, live, plan, untilMs: askedMs + before.leaseMs };
  if (state.stopping) return { state, effects };
  const { owners } = plan;
  // An answer to an order to take that got lost: the row says what has happened.
  const found = [...own].filter(([sh]) => !state.held.has(sh) && !state.leaving.has(sh));
  const began = taken(
    state,
    found.map(([sh, epoch]) => ({ sh, epoch })),
  );
  const left = leave(
    began.state,
    [...began.state.held.keys()].filter((sh) => owners.get(sh) !== state.self),
  );
  const occupied = new Set(
    view.leases.filter(({ owner, until }) => owner !== '' && until > view.databaseMs).map(({ sh }) => sh),
  );
  const free = state.shards.filter((sh) => owners.get(sh) === state.self && !occupied.has(sh));
  const take: OwnershipEffect[] = free.length === 0 ? [] : [{ kind: 'take', shards: free }];
  return { state: left.state, effects: [...effects, ...began.effects, ...left.effects, ...take] };
}

/** The plan of before where the same replicas share the shards: hundreds of hashes in their order are a millisecond at each look. */
function planned({ shards, plan }: Ownership, replicas: readonly string[], hash: HashText): Plan {
  const among = replicas.toSorted();
  const isSame = among.length === plan.among.length && among.every((id, at) => id === plan.among[at]);
  return isSame ? plan : { among, owners: shardOwners(shards, among, hash) };
}

/**
 * The replicas that may own shards. Chosen: one that has reached fewer brokers than another one for a while owns none, for hosts at the
 * broker that it misses are unheard until they move, or for good where there is one broker. A broker that all of them miss changes nothing.
 */
function reaching(alive: readonly ReplicaSeen[], databaseMs: number): string[] {
  const settled = alive.flatMap(({ id, brokers, brokersSince }) =>
    typeof brokers === 'number' && databaseMs - (brokersSince ?? databaseMs) >= SETTLED_MS
      ? [{ id, brokers }]
      : [],
  );
  const most = Math.max(...settled.map(({ brokers }) => brokers));
  const behind = new Set(settled.filter(({ brokers }) => brokers < most).map(({ id }) => id));
  return alive.map(({ id }) => id).filter((id) => !behind.has(id));
}

function taken(state: Ownership, terms: readonly Term[]): OwnershipStep {
  const fresh = terms.filter(({ sh, epoch }) => state.held.get(sh) !== epoch);
  if (fresh.length === 0) return { state, effects: [] };
  const held = new Map([...state.held, ...fresh.map(({ sh, epoch }) => [sh, epoch] as const)]);
  const next = { ...state, held };
  const begin: OwnershipEffect = { kind: 'begin', terms: fresh };
  if (!state.stopping) return { state: next, effects: [begin] };
  // They came while the replica ends: they are given back unused.
  return { state, effects: [{ kind: 'release', terms: fresh }] };
}

function leave(state: Ownership, shards: readonly string[]): OwnershipStep {
  if (shards.length === 0) return { state, effects: [] };
  const held = new Map(state.held);
  const leaving = new Map(state.leaving);
  for (const sh of shards) {
    leaving.set(sh, held.get(sh) ?? 0);
    held.delete(sh);
  }
  return { state: { ...state, held, leaving }, effects: [{ kind: 'end', shards, why: 'handOver' }] };
}

function lost(state: Ownership, shards: readonly string[]): OwnershipStep {
  if (shards.length === 0) return { state, effects: [] };
  const held = new Map([...state.held].filter(([sh]) => !shards.includes(sh)));
  return { state: { ...state, held }, effects: [{ kind: 'end', shards, why: 'lost' }] };
}

function handedOver(state: Ownership, shards: readonly string[]): OwnershipStep {
  const terms = shards.flatMap((sh) => {
    const epoch = state.leaving.get(sh);
    return epoch === undefined ? [] : [{ sh, epoch }];
  });
  if (terms.length === 0) return { state, effects: [] };
  const leaving = new Map([...state.leaving].filter(([sh]) => !shards.includes(sh)));
  return { state: { ...state, leaving }, effects: [{ kind: 'release', terms }] };
}
