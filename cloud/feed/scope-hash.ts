import type { Pointer } from '#shared/contract/feed/index.ts';
import {
  changeHashesBehind,
  currentRevision,
  currentRevisions,
  type Reader,
  type Scope,
  scopeHashSlice,
} from '../store/index.ts';
import type { FeedPort } from './port.ts';

interface Rows {
  /** Hash of each row by `<entity>\n<id>`. */
  readonly hashes: Map<string, string>;
  /** Those keys in their order: entity, then id, by UTF-16 code units, for no sign of an entity is below a line feed. */
  order: readonly string[];
}

interface Known extends Pointer {
  /** Undefined: few, and read again when one has changed. */
  readonly rows: Rows | undefined;
  /** Its weight among the kept scopes. */
  readonly weight: number;
}

/**
 * Row hashes kept, some 200 bytes each, and the weight of a scope besides its rows: a fleet has two small scopes for each host,
 * and a scope that is not kept is read again with every twin.
 */
const ROWS_KEPT = 500_000;
const ROWS_OF_SCOPE = 5;
/** Chosen: a fleet has two scopes of few rows for each host; their rows cost 1 kB of memory, and one reading when one has changed. */
const FEW_ROWS = 16;
/** Changes applied to kept hashes; more than that and they are read again. */
const CHANGES_APPLIED = 100_000;
/** Changes read, and lines hashed, between two breaths. */
const SLICE = 500;

const keyOf = (entity: string, id: string): string => `${entity}\n${id}`;

/**
 * The state of a scope: revision and hash over all its rows (`resultHash` of the contract). Row hashes of all but small scopes
 * are kept in their order, so that a change costs its own rows and one pass over the hashes, not the bodies; a large scope is
 * read in slices, for other callers are waiting.
 */
export class ScopeHash {
  readonly #port: Pick<FeedPort, 'hasher' | 'breathe'>;
  readonly #kept = new Map<string, Known>();
  #keptRows = 0;
  /** The running computation for a scope; the next caller continues it. */
  readonly #work = new Map<string, Promise<unknown>>();

  constructor(port: Pick<FeedPort, 'hasher' | 'breathe'>) {
    this.#port = port;
  }

  /** The pointers of all scopes with these owners, as of the newest committed revisions. */
  async pointers(
    from: Reader,
    owners: Readonly<Record<Scope, string>>,
  ): Promise<Readonly<Record<Scope, Pointer>>> {
    const revisions = await currentRevisions(from, owners);
    const of = (scope: Scope) => this.pointer(from, scope, owners[scope], revisions[scope]);
    return {
      tenant: await of('tenant'),
      site: await of('site'),
      host: await of('host'),
      platform: await of('platform'),
    };
  }

  /** As of the newest committed revision; `read`: what the caller has just read as that one. */
  async pointer(from: Reader, scope: Scope, owner: string, read?: number): Promise<Pointer> {
    const name = `${scope} ${owner}`;
    const before = this.#work.get(name) ?? Promise.resolve();
    const mine = before.then(() => this.#brought(from, scope, owner, read));
    const done = mine.then(
      () => undefined,
      () => undefined,
    );
    this.#work.set(name, done);
    const pointer = await mine.finally(() => this.#work.get(name) === done && this.#work.delete(name));
    return pointer;
  }

  async #brought(from: Reader, scope: Scope, owner: string, read: number | undefined): Promise<Pointer> {
    const rev = read ?? (await currentRevision(from, scope, owner));
    const name = `${scope} ${owner}`;
    const kept = this.#kept.get(name);
    // Another caller may have read a newer revision meanwhile.
    if (kept !== undefined && (kept.rev === rev || (read !== undefined && kept.rev > read)))
      return { rev: kept.rev, h: kept.h };
    const rows =
      (await this.#advanced(from, scope, owner, kept, rev)) ??
      (await this.#readAgain(from, scope, owner, rev));
    const h = await this.#hashOf(rows);
    const isSmall = rows.order.length <= FEW_ROWS;
    this.#keep(name, {
      ...{ rev, h, rows: isSmall ? undefined : rows },
      weight: (isSmall ? 0 : rows.order.length) + ROWS_OF_SCOPE,
    });
    return { rev, h };
  }

  /** As the one that was asked for last; the others go from the one that was not asked for longest. */
  #keep(name: string, known: Known): void {
    this.#drop(name);
    this.#kept.set(name, known);
    this.#keptRows += known.weight;
    for (const oldest of this.#kept.keys()) {
      if (this.#keptRows <= ROWS_KEPT || oldest === name) return;
      this.#drop(oldest);
    }
  }

  #drop(name: string): void {
    this.#keptRows -= this.#kept.get(name)?.weight ?? 0;
    this.#kept.delete(name);
  }

  /** Undefined = read everything again: nothing is kept, or it is too far behind. */
  async #advanced(
    from: Reader,
    scope: Scope,
    owner: string,
    kept: Known | undefined,
    rev: number,
  ): Promise<Rows | undefined> {
    const rows = kept?.rows;
    if (kept === undefined || rows === undefined || kept.rev > rev) return undefined;
    // Where the database fails half way, the next caller reads everything again.
    this.#drop(`${scope} ${owner}`);
    const added = new Set<string>();
    const removed = new Set<string>();
    let after = { rev: kept.rev } as Parameters<typeof changeHashesBehind>[3];
    for (let applied = 0; applied <= CHANGES_APPLIED; applied += SLICE) {
      const changes = await changeHashesBehind(from, scope, owner, after, rev, SLICE);
      for (const { entity, id, op, hash } of changes) {
        const key = keyOf(entity, id);
        if (op === 'put') {
          if (!rows.hashes.has(key) && !removed.delete(key)) added.add(key);
          rows.hashes.set(key, hash);
        } else if (rows.hashes.delete(key) && !added.delete(key)) removed.add(key);
      }
      const last = changes.at(-1);
      if (last === undefined || changes.length < SLICE) {
        rows.order = merged(rows.order, [...added].toSorted(byUnits), removed);
        return rows;
      }
      after = last;
      await this.#port.breathe();
    }
    return undefined;
  }

  async #readAgain(from: Reader, scope: Scope, owner: string, rev: number): Promise<Rows> {
    const hashes = new Map<string, string>();
    for (let after: { entity: string; id: string } | undefined; ; ) {
      const slice = await scopeHashSlice(from, scope, owner, rev, after, SLICE);
      for (const { entity, id, op, hash } of slice) if (op === 'put') hashes.set(keyOf(entity, id), hash);
      after = slice.at(-1);
      // Nearly in order: databases go by bytes.
      if (slice.length < SLICE) return { hashes, order: [...hashes.keys()].toSorted(byUnits) };
      await this.#port.breathe();
    }
  }

  async #hashOf({ order, hashes }: Rows): Promise<string> {
    const hasher = this.#port.hasher();
    for (let at = 0; at < order.length; at += SLICE) {
      if (at > 0) await this.#port.breathe();
      let lines = '';
      for (const key of order.slice(at, at + SLICE)) {
        const cut = key.indexOf('\n');
        // JSON.stringify makes the RFC 8785 form of a list of strings, many times faster: scopes have 100,000 rows.
        lines += `${JSON.stringify([key.slice(0, cut), key.slice(cut + 1), hashes.get(key)])}\n`;
      }
      hasher.update(lines);
    }
    return `sha256:${hasher.hex()}`;
  }
}

const byUnits = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Two sorted lists as one, without the removed rows. */
function merged(
  kept: readonly string[],
  added: readonly string[],
  removed: ReadonlySet<string>,
): readonly string[] {
  if (added.length === 0 && removed.size === 0) return kept;
  const all: string[] = [];
  let next = 0;
  for (const key of kept) {
    for (let other = added[next]; other !== undefined && other < key; other = added[++next]) all.push(other);
    if (!removed.has(key)) all.push(key);
  }
  return all.concat(added.slice(next));
}
