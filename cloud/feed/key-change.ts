import type { VerifyKey } from '#shared/contract/site/index.ts';
import type { Log } from '#shared/log.ts';
import { currentRevision, hostsInLifecycle, rowsOfScope, type Store } from '../store/index.ts';
import { SERVED } from './config-key.ts';

/** The keys that sign (`cloud/io/key`), of which one may be taking the place of another. */
export interface ChangingKeys {
  readonly next: VerifyKey | undefined;
  readonly former: { readonly key: VerifyKey; readonly sinceMs: number } | undefined;
  readonly turn: (nowMs: number) => Promise<void>;
  readonly forget: () => Promise<void>;
}

export interface KeyChangePort {
  readonly store: Store;
  readonly keys: ChangingKeys;
  readonly nowMs: () => number;
  /** Brings the platform's rows to the keys that count now. */
  readonly tell: () => Promise<void>;
  readonly log: Log;
}

/** Longer than any health gate: a host that goes back to its last known good has lost the row of the next key. */
export const SETTLED_MS = 10 * 60_000;
/** Chosen: whoever has not taken the next key after so long is not waited for; it follows the key statements once it is back. */
export const WAITED_MS = 30 * 86_400_000;
/** Tokens of devices that the former key has signed last a day. */
export const FORMER_MS = 25 * 3_600_000;

const BATCH = 500;

/**
 * One key after the other, without a host that cannot read:
 *
 *     next sent ── every host has its row, for 10 min ──▶ next signs, former counts ── 25 h ──▶ former withdrawn
 *                   └ or 30 days are over
 *
 * Nothing is remembered here: the row of the next key says since when hosts get it, the row of the keys says the rest.
 * To be called again and again.
 */
export function createKeyChange({ store, keys, nowMs, tell, log }: KeyChangePort): () => Promise<void> {
  async function lagging(rev: number): Promise<number> {
    let behind = 0;
    for (let after = ''; ; ) {
      const batch = await hostsInLifecycle(store, SERVED, after, BATCH);
      behind += batch.filter(({ status }) => status.revPlatform < rev).length;
      const last = batch.at(-1);
      if (last === undefined || batch.length < BATCH) return behind;
      after = last.host.uid;
    }
  }

  async function turnWhenKnown({ kid }: VerifyKey): Promise<void> {
    const rows = await rowsOfScope(store, 'platform', '', await currentRevision(store, 'platform', ''));
    const announced = rows.find(({ entity, id }) => entity === 'verifykey' && id === kid);
    if (announced === undefined) return await tell();
    const age = nowMs() - announced.at;
    if (age < SETTLED_MS) return;
    const behind = await lagging(announced.rev);
    if (behind > 0 && age < WAITED_MS) return;
    await keys.turn(nowMs());
    if (behind > 0)
      log('warn', 'signing_key.changed_early', 'Signed with a new key that some hosts do not know yet', {
        kid,
        behind,
      });
    else log('info', 'signing_key.changed', 'Signed with a new key that every host knows', { kid });
  }

  return async () => {
    const { next, former } = keys;
    if (next !== undefined) return await turnWhenKnown(next);
    if (former === undefined || nowMs() - former.sinceMs < FORMER_MS) return;
    await keys.forget();
    await tell();
    log('info', 'signing_key.withdrawn', 'Withdrew the previous signing key', { kid: former.key.kid });
  };
}
