import { type HashedRow, type Pointer, resultHash } from '#shared/contract/feed/index.ts';
import { changesSince, currentRevision, type Reader, rowHashesOfScope, type Scope } from '../store/index.ts';

interface Known {
  readonly rev: number;
  readonly rows: Map<string, HashedRow>;
  readonly h: string;
}

/** Scopes whose row hashes are kept; one of 10,000 devices takes about 2 MB. */
const SCOPES_KEPT = 500;
/** Changes applied to kept hashes; more than that and they are read anew. */
const CHANGES_APPLIED = 5_000;

const keyOf = (entity: string, id: string): string => `${entity}\n${id}`;

/**
 * Where a scope stands: revision and hash over all its rows. Row hashes are kept, so that a change costs its own rows
 * and one pass over the hashes, not the bodies.
 */
export class ScopeHash {
  readonly #sha256: (text: string) => string;
  readonly #kept = new Map<string, Known>();

  constructor(sha256: (text: string) => string) {
    this.#sha256 = sha256;
  }

  /** As of the newest committed revision. */
  async pointer(from: Reader, scope: Scope, owner: string): Promise<Pointer> {
    const rev = await currentRevision(from, scope, owner);
    const name = `${scope} ${owner}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.rev === rev) return { rev, h: kept.h };
    const rows =
      (await this.#advanced(from, scope, owner, kept, rev)) ?? (await readRows(from, scope, owner, rev));
    const known = { rev, rows, h: resultHash(rows.values(), this.#sha256) };
    this.#kept.delete(name);
    this.#kept.set(name, known);
    const oldest = this.#kept.size > SCOPES_KEPT ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return { rev, h: known.h };
  }

  async #advanced(
    from: Reader,
    scope: Scope,
    owner: string,
    kept: Known | undefined,
    rev: number,
  ): Promise<Map<string, HashedRow> | undefined> {
    if (kept === undefined || kept.rev > rev) return undefined;
    const changes = await changesSince(from, scope, owner, kept.rev, CHANGES_APPLIED + 1);
    if (changes.length > CHANGES_APPLIED) return undefined;
    const rows = new Map(kept.rows);
    for (const { rev: at, entity, id, op, hash } of changes) {
      if (at > rev) break;
      if (op === 'put') rows.set(keyOf(entity, id), { entity, id, rowHash: hash });
      else rows.delete(keyOf(entity, id));
    }
    return rows;
  }
}

async function readRows(
  from: Reader,
  scope: Scope,
  owner: string,
  rev: number,
): Promise<Map<string, HashedRow>> {
  const rows = await rowHashesOfScope(from, scope, owner, rev);
  return new Map(rows.map(({ entity, id, hash }) => [keyOf(entity, id), { entity, id, rowHash: hash }]));
}
