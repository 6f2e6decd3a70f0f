import type { Pointer } from '#shared/contract/feed/index.ts';
import {
  changeHashesBehind,
  currentRevision,
  type Reader,
  type Scope,
  scopeHashSlice,
} from '../store/index.ts';
import type { FeedPort } from './port.ts';

interface Known {
  rev: number;
  /** Hash of each row by `<entity>\n<id>`. */
  readonly hashes: Map<string, string>;
  /** Those keys in their order: entity, then id, by UTF-16 code units, for no sign of an entity is below a line feed. */
  order: readonly string[];
  h: string;
}

/** Scopes whose row hashes are kept; one of 10,000 devices takes about 2 MB. */
const SCOPES_KEPT = 500;
/** Changes applied to kept hashes; more than that and they are read anew. */
const CHANGES_APPLIED = 100_000;
/** Changes read, and lines hashed, between two breaths. */
const SLICE = 500;

const keyOf = (entity: string, id: string): string => `${entity}\n${id}`;

/**
 * Where a scope stands: revision and hash over all its rows (`resultHash` of the contract). Row hashes are kept in their
 * order, so that a change costs its own rows and one pass over the hashes, not the bodies; a large scope is gone through
 * in slices, for somebody else is waiting.
 */
export class ScopeHash {
  readonly #port: Pick<FeedPort, 'hasher' | 'breathe'>;
  readonly #kept = new Map<string, Known>();
  /** What is under way for a scope: the next one to ask goes on from there. */
  readonly #work = new Map<string, Promise<unknown>>();

  constructor(port: Pick<FeedPort, 'hasher' | 'breathe'>) {
    this.#port = port;
  }

  /** As of the newest committed revision. */
  async pointer(from: Reader, scope: Scope, owner: string): Promise<Pointer> {
    const name = `${scope} ${owner}`;
    const before = this.#work.get(name) ?? Promise.resolve();
    const mine = before.then(() => this.#brought(from, scope, owner));
    const done = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#work.set(name, done);
    const pointer = await mine.finally(() => this.#work.get(name) === done && this.#work.delete(name));
    return pointer;
  }

  async #brought(from: Reader, scope: Scope, owner: string): Promise<Pointer> {
    const rev = await currentRevision(from, scope, owner);
    const name = `${scope} ${owner}`;
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.rev === rev) return { rev, h: kept.h };
    const known =
      (await this.#advanced(from, scope, owner, kept, rev)) ??
      (await this.#readAnew(from, scope, owner, rev));
    known.h = await this.#hashOf(known);
    known.rev = rev;
    this.#kept.delete(name);
    this.#kept.set(name, known);
    const oldest = this.#kept.size > SCOPES_KEPT ? this.#kept.keys().next().value : undefined;
    if (oldest !== undefined) this.#kept.delete(oldest);
    return { rev, h: known.h };
  }

  /** Undefined = read everything anew: nothing is kept, or it is too far behind. */
  async #advanced(
    from: Reader,
    scope: Scope,
    owner: string,
    kept: Known | undefined,
    rev: number,
  ): Promise<Known | undefined> {
    if (kept === undefined || kept.rev > rev) return undefined;
    const added = new Set<string>();
    const gone = new Set<string>();
    let after = { rev: kept.rev } as Parameters<typeof changeHashesBehind>[3];
    for (let applied = 0; applied <= CHANGES_APPLIED; applied += SLICE) {
      const changes = await changeHashesBehind(from, scope, owner, after, rev, SLICE);
      for (const { entity, id, op, hash } of changes) {
        const key = keyOf(entity, id);
        if (op === 'put') {
          if (!kept.hashes.has(key) && !gone.delete(key)) added.add(key);
          kept.hashes.set(key, hash);
        } else if (kept.hashes.delete(key) && !added.delete(key)) gone.add(key);
      }
      const last = changes.at(-1);
      if (last === undefined || changes.length < SLICE) {
        kept.order = merged(kept.order, [...added].toSorted(byUnits), gone);
        return kept;
      }
      after = last;
      await this.#port.breathe();
    }
    // Half applied: what is read anew takes its place.
    this.#kept.delete(`${scope} ${owner}`);
    return undefined;
  }

  async #readAnew(from: Reader, scope: Scope, owner: string, rev: number): Promise<Known> {
    const hashes = new Map<string, string>();
    for (let after: { entity: string; id: string } | undefined; ; ) {
      const slice = await scopeHashSlice(from, scope, owner, rev, after, SLICE);
      for (const { entity, id, op, hash } of slice) if (op === 'put') hashes.set(keyOf(entity, id), hash);
      after = slice.at(-1);
      // Nearly in order: databases go by bytes.
      if (slice.length < SLICE) return { rev, hashes, order: [...hashes.keys()].toSorted(byUnits), h: '' };
      await this.#port.breathe();
    }
  }

  async #hashOf({ order, hashes }: Known): Promise<string> {
    const hasher = this.#port.hasher();
    for (let at = 0; at < order.length; at += SLICE) {
      if (at > 0) await this.#port.breathe();
      let lines = '';
      for (const key of order.slice(at, at + SLICE)) {
        const cut = key.indexOf('\n');
        // Of a list of strings JSON.stringify makes the RFC 8785 form, many times faster: scopes have 100,000 rows.
        lines += `${JSON.stringify([key.slice(0, cut), key.slice(cut + 1), hashes.get(key)])}\n`;
      }
      hasher.update(lines);
    }
    return `sha256:${hasher.hex()}`;
  }
}

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Two sorted lists as one, without what is gone. */
function merged(
  kept: readonly string[],
  added: readonly string[],
  gone: ReadonlySet<string>,
): readonly string[] {
  if (added.length === 0 && gone.size === 0) return kept;
  const all: string[] = [];
  let next = 0;
  for (const key of kept) {
    for (let other = added[next]; other !== undefined && other < key; other = added[++next]) all.push(other);
    if (!gone.has(key)) all.push(key);
  }
  return all.concat(added.slice(next));
}
