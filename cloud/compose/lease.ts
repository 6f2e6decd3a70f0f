import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { SHARDS } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { digest } from '../io/digest/index.ts';
import { keptToken } from '../io/key/index.ts';
import { every, oneAtATime } from '../io/timer/index.ts';
import {
  fencedStore,
  releaseShards,
  renewShards,
  type ShardOwner,
  type Store,
  takeShards,
} from '../store/index.ts';
import { clock, type Infrastructure } from './infrastructure.ts';

/** Control plane, section 10. */
const RENEW_MS = 5_000;
const TTL_MS = 20_000;
const LOOK_MS = 500;

/** Ownership of the shards: one control plane writes what hosts say. */
export interface Lease {
  /** Term; one more for each owner. */
  readonly epoch: number;
  /** The store for the reports of hosts: the owner writes to it, and no former owner does. */
  readonly store: Store;
  /** Shards that another process owned before. */
  readonly takenOver: number;
  /** Why this process does not own the shards any more; null = it does. */
  readonly fault: () => string | null;
  /** Called once, when another process has taken them. */
  onLost: () => void;
}

/**
 * Takes all shards; waits for an owner that may have ended without a word. Throws when another one lives on this database.
 * Chosen: one replica owns everything, several at a time come later.
 */
export async function takeLease({ config, store, storage, log, closing }: Infrastructure): Promise<Lease> {
  const installation = digest.sha256(keptToken(join(config.data, 'installation'))).slice(0, 24);
  const owner: ShardOwner = { installation, process: ulid(clock.wallMs(), digest.random(10)) };
  const untilMs = clock.monoMs() + TTL_MS + RENEW_MS;
  let owned: Awaited<ReturnType<typeof takeShards>> = [];
  for (;;) {
    const nowMs = clock.wallMs();
    owned = await store.withTx((tx) => takeShards(tx, SHARDS, owner, nowMs, nowMs + TTL_MS));
    if (owned.length === SHARDS.length) break;
    if (clock.monoMs() > untilMs)
      throw new Error('Another control plane works on this database; stop it, or give this one its own.');
    await wait(LOOK_MS);
  }
  closing.push(() => (fault === null ? store.withTx((tx) => releaseShards(tx, owner)) : undefined));
  let fault: string | null = null;
  const lease: Lease = {
    epoch: Math.max(...owned.map(({ epoch }) => epoch)),
    takenOver: owned.filter(({ epoch }) => epoch > 1).length,
    store: fencedStore(store, owner),
    fault: () => fault,
    onLost: () => undefined,
  };
  const renew = async (): Promise<void> => {
    if (fault !== null) return;
    const kept = await store.withTx((tx) => renewShards(tx, owner, clock.wallMs() + TTL_MS));
    storage.written();
    if (kept === SHARDS.length) return;
    fault = 'another control plane has taken over the hosts';
    log('error', 'lease.lost', 'Another control plane took over the hosts', { kept });
    lease.onLost();
  };
  const notRenewed = (cause: unknown) =>
    log('warn', 'lease.renew_failed', 'Could not renew the lease', { cause: String(cause) });
  closing.push(every(RENEW_MS, oneAtATime(renew, notRenewed)));
  return lease;
}
