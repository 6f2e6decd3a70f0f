import { setTimeout as wait } from 'node:timers/promises';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { every } from '#shared/timer/index.ts';
import { sqliteFileOf } from '../io/database/index.ts';
import { digest } from '../io/digest/index.ts';
import { oneAtATime } from '../io/timer/index.ts';
import { LEADER_SHARD, type OwnedShards } from '../monitoring/index.ts';
import {
  initialOwnership,
  isHeld,
  type Ownership,
  type OwnershipEffect,
  type OwnershipInput,
  stepOwnership,
  type Term,
} from '../shard/index.ts';
import {
  dropReplica,
  fencedStore,
  forgetOtherReplicas,
  LeaseLost,
  ownedShards,
  releaseShards,
  renewReplica,
  type Store,
  storeWith,
  takeShards,
} from '../store/index.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Control plane, section 10. `beatMs`: how often a lease is renewed, `leaseMs`: how long it lasts. */
const SOLE = { beatMs: 5_000, leaseMs: 20_000 };
const SHARED = { beatMs: 2_000, leaseMs: 10_000 };
const DUE_MS = 500;
const LOOK_MS = 500;

/** The work that begins and ends with the ownership of shards. */
export interface ShardWork {
  /** `isStart`: what this program owns from its start on. */
  readonly begin: (terms: readonly Term[], isStart: boolean) => Promise<void>;
  readonly end: (shards: readonly string[], why: 'handOver' | 'lost') => Promise<void>;
}

/** The parts of the infrastructure that a lease needs. */
export type LeasePort = Pick<
  Infrastructure,
  'store' | 'leases' | 'storage' | 'log' | 'clock' | 'closing' | 'replica' | 'isSole'
> & { readonly config: Pick<Infrastructure['config'], 'database'> };

/** Ownership of shards: one replica writes what the hosts of a shard report. */
export interface Lease extends OwnedShards {
  /** The name of this replica, one for each start. */
  readonly replica: string;
  /** How long a renewal lasts, ms. */
  readonly leaseMs: number;
  /** The shards of this replica with their terms. */
  readonly owned: () => ReadonlyMap<string, number>;
  /** The store for work that concerns no single host: it fails while another replica leads. */
  readonly store: Store;
  /** Whether this replica does such work. */
  readonly leads: () => boolean;
  /** Shards that another process owned before. */
  readonly takenOver: () => number;
  /** Live replicas, this one among them. */
  readonly replicas: () => number;
  /** Why this process cannot observe its hosts; null = it can. */
  readonly fault: () => string | null;
  /** Begins the work on what is owned, and on every change from now on. Called once. */
  readonly attach: (work: ShardWork) => Promise<void>;
  /** Looks at the rows now: another replica has changed them. */
  readonly look: () => void;
  /** How many brokers this replica reaches; undefined: it does not say. */
  reached: () => number | undefined;
  /** Called when shards are free for others. */
  onFree: () => void;
  /** Called at the very end, when nothing is owned any more. */
  onEnd: () => unknown;
}

/**
 * Registers this replica and takes its shards. With the broker of this program, or on SQLite, it must own all of them: it waits
 * for an owner that may have ended without a word, and throws when another one lives on this database.
 */
export async function takeLease({
  config,
  store,
  leases,
  storage,
  log,
  clock,
  closing,
  replica,
  isSole,
}: LeasePort): Promise<Lease> {
  const isSqlite = sqliteFileOf(config.database) !== undefined;
  const { beatMs, leaseMs } = isSqlite ? SOLE : SHARED;
  let state = initialOwnership(replica, SHARDS, isSqlite ? Number.POSITIVE_INFINITY : leaseMs);
  let work: ShardWork | undefined;
  let orders: Promise<void> = Promise.resolve();
  let takenOver = 0;
  let lostAll = false;
  let isOver = false;
  let looking: Promise<void> = Promise.resolve();
  const stores = new Map<string, { readonly epoch: number; readonly store: Store }>();

  /** Orders are carried out one after the other; those that begin or end work wait until there is any. */
  function step(input: OwnershipInput): void {
    const { state: next, effects } = stepOwnership(state, input, digest.sha256);
    state = next;
    for (const effect of effects)
      orders = orders
        .then(() => carryOut(effect))
        .catch((cause: unknown) =>
          log('warn', 'lease.change_failed', 'Could not carry out a change of the owned shards', {
            change: effect.kind,
            cause: String(cause),
          }),
        );
  }

  /** The end of a handover orders a release: what orders have ordered meanwhile is waited for, too. */
  async function allOrders(): Promise<void> {
    let last: Promise<void>;
    do {
      last = orders;
      await last;
    } while (last !== orders);
  }

  async function carryOut(effect: OwnershipEffect): Promise<void> {
    switch (effect.kind) {
      case 'take': {
        const taken = await leases.withTx((tx) => takeShards(tx, effect.shards, replica, leaseMs));
        takenOver += taken.filter(({ epoch }) => epoch > 1).length;
        step({ kind: 'taken', terms: taken });
        return;
      }
      case 'begin':
        log('info', 'lease.taken', 'Took shards of hosts', { shards: effect.terms.length });
        await work?.begin(
          effect.terms.filter(({ sh, epoch }) => state.held.get(sh) === epoch),
          false,
        );
        return;
      case 'end':
        if (effect.why === 'lost')
          log(
            'error',
            'lease.lost',
            'Lost shards of hosts: another control plane owns them, or the database is away',
            {
              shards: effect.shards.length,
            },
          );
        await work?.end(effect.shards, effect.why).finally(() => {
          if (effect.why === 'handOver') step({ kind: 'handedOver', shards: effect.shards });
        });
        return;
      case 'release':
        await leases.withTx((tx) =>
          releaseShards(
            tx,
            effect.terms.map((term) => ({ ...term, owner: replica })),
          ),
        );
        log('info', 'lease.released', 'Released shards of hosts', { shards: effect.terms.length });
        lease.onFree();
    }
  }

  const looked = async (): Promise<void> => {
    const askedMs = clock.monoMs();
    const view = await leases.withTx((tx) => renewReplica(tx, replica, leaseMs, lease.reached()));
    if (!isSqlite) clock.read({ askedMs, answeredMs: clock.monoMs(), databaseMs: view.databaseMs });
    storage.written();
    const replicas = isSole ? view.replicas.filter(({ id }) => id === replica) : view.replicas;
    step({ kind: 'seen', askedMs, view: { ...view, replicas } });
    lostAll = isSole && state.held.size < SHARDS.length;
  };
  /** None at the end: a look registers this replica, and its own hint that shards are free would bring one. */
  const look = (): Promise<void> => {
    if (!isOver) looking = looked();
    return looking;
  };
  const notRenewed = (cause: unknown) =>
    log('warn', 'lease.renew_failed', 'Could not renew the lease', { cause: String(cause) });

  const isOwned = (sh: string): boolean => isHeld(state, sh, clock.monoMs());
  const storeOf = (sh: string): Store => {
    const epoch = state.held.get(sh) ?? state.leaving.get(sh);
    if (epoch === undefined) return refusing(store, sh);
    const known = stores.get(sh);
    if (known?.epoch === epoch) return known.store;
    const fenced = fencedStore(store, { sh, owner: replica, epoch });
    stores.set(sh, { epoch, store: fenced });
    return fenced;
  };
  const round = oneAtATime(look, notRenewed, 'one more');
  const lease: Lease = {
    replica,
    leaseMs,
    owned: () => state.held,
    owns: isOwned,
    ownsAll: () => isSole || (state.held.size === SHARDS.length && isOwned(LEADER_SHARD)),
    storeOf,
    store: storeWith(store, { withTx: (run) => storeOf(LEADER_SHARD).withTx(run) }),
    leads: () => isOwned(LEADER_SHARD),
    takenOver: () => takenOver,
    replicas: () => state.live.length,
    fault: () => faultOf(state, lostAll, clock.monoMs()),
    attach: async (attached) => {
      await orders;
      work = attached;
      const terms = [...state.held].map(([sh, epoch]) => ({ sh, epoch }));
      orders = orders.then(() => attached.begin(terms, true));
      await orders;
    },
    look: round,
    reached: () => undefined,
    onFree: () => undefined,
    onEnd: () => undefined,
  };

  if (isSqlite) await leases.withTx((tx) => forgetOtherReplicas(tx, replica));
  await look();
  if (isSole) {
    const untilMs = clock.monoMs() + leaseMs + beatMs;
    for (;;) {
      const taken = await leases.withTx((tx) => takeShards(tx, SHARDS, replica, leaseMs, isSqlite));
      takenOver += taken.filter(({ epoch }) => epoch > 1).length;
      if ((await ownedShards(leases, replica)).length === SHARDS.length) break;
      if (clock.monoMs() > untilMs)
        throw new Error(
          'Another control plane works on this database; stop it, or give this one its own. Several need PostgreSQL and an external broker.',
        );
      await wait(LOOK_MS);
      await look();
    }
    await look();
  }
  await orders;
  closing.push(async () => {
    step({ kind: 'stop' });
    await allOrders();
    isOver = true;
    await looking.catch(() => undefined);
    await leases.withTx(async (tx) => {
      const terms = await ownedShards(tx, replica);
      await releaseShards(tx, terms);
      await dropReplica(tx, replica);
    });
    lease.onFree();
    await lease.onEnd();
  });
  closing.push(every(beatMs, round));
  closing.push(every(DUE_MS, () => step({ kind: 'due', atMs: clock.monoMs() })));
  return lease;
}

function faultOf(state: Ownership, lostAll: boolean, atMs: number): string | null {
  if (lostAll) return 'another control plane has taken over the hosts';
  return atMs < state.untilMs ? null : 'the database has not been reached since the lease ended';
}

const refusing = (store: Store, sh: string): Store =>
  storeWith(store, {
    withTx: () =>
      Promise.reject(new LeaseLost(`another control plane has taken over the hosts of shard ${sh}`)),
  });
