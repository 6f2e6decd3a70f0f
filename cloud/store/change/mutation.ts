import { and, eq, lt } from 'drizzle-orm';
import type { Failure, Result } from '#shared/result.ts';
import { fail, ok } from '#shared/result.ts';
import type { Store, Tx } from '../sql/store.ts';
import { type Actor, lockTenant } from './audit.ts';

const DAY_MS = 86_400_000;

/** One mutating request: for which tenant, by whom, and how to know it again. */
export interface Call {
  /** Tenant id; empty for the platform's own resources. */
  readonly tenant: string;
  /** The tenant's name as the API spells it; empty like `tenant`. */
  readonly domain: string;
  readonly actor: Actor;
  /** `If-Match` of the request. */
  readonly ifMatch?: string;
  /** `Idempotency-Key` of the request, and a hash over what was asked. */
  readonly once?: { readonly key: string; readonly fingerprint: string };
}

class Rollback extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.reason);
    this.failure = failure;
  }
}

/**
 * One request, one transaction. A failure that `work` returns rolls back like an exception and comes out as the same
 * failure. With an idempotency key the first success is kept for 24 h and given again; the key with another request is
 * `idempotencyKeyReused`. The value must be JSON and must hold no secret, for it is stored as it is.
 */
export async function mutate<T>(
  store: Store,
  call: Call,
  work: (tx: Tx) => Promise<Result<T>>,
): Promise<Result<T>> {
  try {
    return await store.withTx(async (tx) => {
      await lockTenant(tx, call.tenant);
      const before = await firstAnswer<T>(tx, call);
      if (before !== undefined) return before;
      const result = await work(tx);
      if (!result.ok) throw new Rollback(result.error);
      await keepAnswer(tx, call, result.value);
      return result;
    });
  } catch (error) {
    if (error instanceof Rollback) return { ok: false, error: error.failure };
    throw error;
  }
}

/** Claims the key, or gives the answer of the request that had it. */
async function firstAnswer<T>(tx: Tx, { tenant, once, actor }: Call): Promise<Result<T> | undefined> {
  if (once === undefined) return undefined;
  const t = tx.tables.idempotency;
  await tx.db.delete(t).where(lt(t.at, actor.at - DAY_MS));
  const claimed = await tx.db
    .insert(t)
    .values({ tenant, key: once.key, fingerprint: once.fingerprint, answer: null, at: actor.at })
    .onConflictDoNothing()
    .returning({ key: t.key });
  if (claimed.length > 0) return undefined;
  const [row] = await tx.db
    .select()
    .from(t)
    .where(and(eq(t.tenant, tenant), eq(t.key, once.key)));
  return row?.fingerprint === once.fingerprint
    ? ok(row.answer as T)
    : fail(
        'idempotencyKeyReused',
        'This Idempotency-Key was used for another request within 24 h; send a new one.',
      );
}

async function keepAnswer(tx: Tx, { tenant, once }: Call, answer: unknown): Promise<void> {
  if (once === undefined) return;
  const t = tx.tables.idempotency;
  await tx.db
    .update(t)
    .set({ answer })
    .where(and(eq(t.tenant, tenant), eq(t.key, once.key)));
}
