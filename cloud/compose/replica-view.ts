import { hostname } from 'node:os';
import type { ReplicaShown } from '#shared/contract/site/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import { describeReplica, type ReplicaView, readReplicas } from '../store/index.ts';
import type { Infrastructure } from './infrastructure.ts';
import type { Lease } from './lease.ts';

/** A row that was removed and made again is described again after so long. */
const DESCRIBE_MS = 60_000;

/**
 * The replicas as their operator sees them. A replica describes itself in its row; a row is removed when its
 * replica ends in order, and an hour after the end of its lease.
 */
export function showReplicas(
  { store, log, closing }: Pick<Infrastructure, 'store' | 'log' | 'closing'>,
  { replica, leaseMs }: Pick<Lease, 'replica' | 'leaseMs'>,
  version: string,
): () => Promise<readonly ReplicaShown[]> {
  const notDescribed = (cause: unknown): void =>
    log('warn', 'replica.describe_failed', 'Could not write the version of this replica to its row', {
      cause: String(cause),
    });
  const detail = { version, machine: hostname() };
  const describe = oneAtATime(() => store.withTx((tx) => describeReplica(tx, replica, detail)), notDescribed);
  describe();
  closing.push(repeat(DESCRIBE_MS, describe));
  return async () => shownReplicas(await readReplicas(store), replica, leaseMs);
}

/** Rows as the API shows them. */
export const shownReplicas = (
  { databaseMs, replicas, leases }: ReplicaView,
  self: string,
  leaseMs: number,
): ReplicaShown[] =>
  replicas.map(({ id, startedAt, until, version, machine }) => ({
    id,
    live: until > databaseMs,
    answering: id === self,
    ...(version !== null && { version }),
    ...(machine !== null && { machine }),
    startedAt,
    lastSeenAt: until - leaseMs,
    leaseUntil: until,
    shards: leases
      .filter(({ owner, until: leaseUntil }) => owner === id && leaseUntil > databaseMs)
      .map(({ sh }) => sh),
  }));
