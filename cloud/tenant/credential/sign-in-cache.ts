import type { Result } from '#shared/result.ts';
import type { Store } from '../../store/index.ts';
import type { SignIn } from './bearer.ts';
import type { Principal } from './principal.ts';

/** Longest that a sign-in is believed without asking again: another program may write to the same database. */
const BELIEVED_MS = 1_000;
const KEPT = 10_000;

interface Known {
  readonly result: Result<Principal>;
  readonly epoch: number;
  readonly atMs: number;
}

/**
 * The same answers, given again for a second: verifying a signature or joining four tables costs more than the request
 * it stands before. A change of who may come in (a revoked token, a key, a role, a tenant) acts at once, for it makes
 * everything forgotten; refusals are never kept.
 */
export function cachedSignIn(signIn: SignIn, store: Pick<Store, 'accessEpoch'>): SignIn {
  const known = new Map<string, Known>();
  return async (token, domain, nowMs) => {
    const name = `${domain ?? ''} ${token}`;
    const before = known.get(name);
    const epoch = store.accessEpoch();
    if (before !== undefined && before.epoch === epoch && Math.abs(nowMs - before.atMs) < BELIEVED_MS)
      return before.result;
    const result = await signIn(token, domain, nowMs);
    if (known.size >= KEPT) known.clear();
    // A value that was read during a write carries the number from before, and is asked again.
    if (result.ok) known.set(name, { result, epoch, atMs: nowMs });
    else known.delete(name);
    return result;
  };
}
