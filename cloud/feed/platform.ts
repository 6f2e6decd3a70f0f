import { canonicalJson } from '#shared/contract/feed/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import { currentRevision, type Reader, recordChange, rowsOfScope, type Store } from '../store/index.ts';

/** The configuration that every host gets, of any tenant. */
export interface PlatformRows {
  /** PEM of the roots. */
  readonly ca: string;
  /** With the statements by which each followed the one before it. */
  readonly verifyKeys: readonly (VerifyKey & { readonly chain?: readonly string[] })[];
  readonly publicUrl: string;
}

/** By which hosts that have missed a change of the signing key believe the one that signs now; the newest row has the longest. */
export async function keyStatements(from: Reader): Promise<readonly string[]> {
  const rows = await rowsOfScope(from, 'platform', '', await currentRevision(from, 'platform', ''));
  const chains = rows.flatMap(({ entity, body }) =>
    entity === 'verifykey' ? [(body as { readonly chain?: readonly string[] }).chain ?? []] : [],
  );
  return chains.reduce((longer, chain) => (chain.length > longer.length ? chain : longer), []);
}

/** Writes the platform's own scope, where it is not what it should be: at start, and after a change of keys. */
export async function bringUpPlatform(store: Store, rows: PlatformRows, at: number): Promise<void> {
  const wanted = new Map<string, { entity: string; id: string; body: unknown }>();
  const want = (entity: string, id: string, body: unknown) =>
    wanted.set(`${entity} ${id}`, { entity, id, body });
  want('authority', 'root', { ca: rows.ca });
  want('platform', 'platform', { publicUrl: rows.publicUrl });
  for (const key of rows.verifyKeys) want('verifykey', key.kid, key);
  await store.withTx(async (tx) => {
    const rev = await currentRevision(tx, 'platform', '');
    const present = await rowsOfScope(tx, 'platform', '', rev);
    const same = new Set(
      present
        .filter(
          ({ entity, id, body }) =>
            canonicalJson(wanted.get(`${entity} ${id}`)?.body ?? null) === canonicalJson(body),
        )
        .map(({ entity, id }) => `${entity} ${id}`),
    );
    for (const [name, row] of wanted) {
      if (!same.has(name)) await recordChange(tx, { scope: 'platform', owner: '', ...row, op: 'put', at });
    }
    for (const { entity, id } of present) {
      if (!wanted.has(`${entity} ${id}`))
        await recordChange(tx, { scope: 'platform', owner: '', entity, id, op: 'delete', at });
    }
  });
}
