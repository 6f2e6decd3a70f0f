import {
  type FeedScope,
  formatPage,
  MANIFEST_TYP,
  type Manifest,
  type Operation,
  PAGE_OPERATIONS,
} from '#shared/contract/feed/index.ts';
import {
  type ChangePlace,
  type ChangeRow,
  changesBehind,
  hasMassChange,
  scopeSlice,
} from '../store/index.ts';
import type { PageCache } from './page-cache.ts';
import type { FeedPort } from './port.ts';
import type { ScopeHash } from './scope-hash.ts';

/** A delta spans at most this many revisions; whoever is further behind gets a snapshot. */
export const DELTA_REVISIONS = 5_000;
/** Changes of one delta; one revision may hold many. Chosen: beyond it a snapshot is the shorter way. */
const DELTA_CHANGES = 100_000;
/** Changes read, or operations written, between two breaths: a few milliseconds. */
const SLICE = 250;
/** Age of the oldest delta. */
export const DELTA_DAYS_MS = 30 * 86_400_000;

/** Where a host stands, and from where it wants to be brought to the newest revision; the same but for a snapshot. */
interface CurrentScope {
  readonly since: number;
  readonly has: number;
}

export interface ManifestAnswer {
  readonly jws: string;
  readonly etag: string;
}

/**
 * The manifest that brings a host from revision `since` to the newest one: the changes in between, each entity once with its last
 * operation, or all rows. Undefined = there is nothing newer. Pages go to the cache, each operation
 * as `sealed` makes it.
 */
export async function makeManifest(
  port: FeedPort,
  hashes: ScopeHash,
  pageCache: PageCache,
  scope: FeedScope,
  owner: string,
  { since, has }: CurrentScope,
  sealed: (operation: Operation) => Operation,
): Promise<ManifestAnswer | undefined> {
  const { store } = port;
  const { rev: to, h: hash } = await hashes.pointer(store, scope, owner);
  if (since === to) return undefined;
  const changes = await delta(port, scope, owner, since, to);
  const rows = changes ?? (await everyRow(port, scope, owner, to));
  const manifest: Manifest = {
    v: 1,
    scope,
    owner,
    kind: changes === undefined ? 'snapshot' : 'delta',
    from: changes === undefined ? 0 : since,
    to,
    // One old mass change would take the brake off for a host that has nothing, or does not say what it has.
    massChange: has > 0 && (await hasMassChange(store, scope, owner, Math.min(has, to), to)),
    issuedAt: port.nowMs(),
    resultHash: hash,
    pages: await pagesOf(port, pageCache, `${scope} ${owner}`, rows, sealed),
  };
  return { jws: await port.sign(MANIFEST_TYP, manifest), etag: `"${scope}-${to}"` };
}

/**
 * The last change of each entity in between, in the order of those; undefined = a snapshot is due: from the very
 * beginning, from the future, or from too far back.
 */
async function delta(
  port: FeedPort,
  scope: FeedScope,
  owner: string,
  since: number,
  to: number,
): Promise<ChangeRow[] | undefined> {
  if (since === 0 || since > to || to - since > DELTA_REVISIONS) return undefined;
  const last = new Map<string, ChangeRow>();
  let after: ChangePlace = { rev: since };
  for (let read = 0; read < DELTA_CHANGES; read += SLICE) {
    const changes = await changesBehind(port.store, scope, owner, after, to, SLICE);
    const [oldest] = changes;
    // The first of all must follow at once on what the host has, and still be young.
    const isWhole = oldest?.rev === since + 1 && oldest.at > port.nowMs() - DELTA_DAYS_MS;
    if (read === 0 && !isWhole) return undefined;
    for (const change of changes) {
      const key = `${change.entity}\n${change.id}`;
      // Moved to the end, so that the order of application is the order of last changes.
      last.delete(key);
      last.set(key, change);
    }
    const newest = changes.at(-1);
    if (newest === undefined || changes.length < SLICE) return [...last.values()];
    after = newest;
    await port.breathe();
  }
  return undefined;
}

/** All rows as of revision `to`, in the order of entities and ids. */
async function everyRow(port: FeedPort, scope: FeedScope, owner: string, to: number): Promise<ChangeRow[]> {
  const rows: ChangeRow[] = [];
  for (let after: ChangeRow | undefined; ; ) {
    const slice = await scopeSlice(port.store, scope, owner, to, after, SLICE);
    for (const row of slice) if (row.op === 'put') rows.push(row);
    after = slice.at(-1);
    if (slice.length < SLICE) return rows;
    await port.breathe();
  }
}

const operationOf = ({ entity, id, op, body, hash }: ChangeRow): Operation =>
  op === 'put' ? { op, entity, id, body, rowHash: hash } : { op, entity, id };

async function pagesOf(
  port: FeedPort,
  pageCache: PageCache,
  audience: string,
  rows: readonly ChangeRow[],
  sealed: (operation: Operation) => Operation,
): Promise<Manifest['pages']> {
  const pages: Manifest['pages'] = [];
  for (let at = 0; at < rows.length; at += PAGE_OPERATIONS) {
    let text = '';
    for (let from = at; from < Math.min(at + PAGE_OPERATIONS, rows.length); from += SLICE) {
      const to = Math.min(from + SLICE, at + PAGE_OPERATIONS);
      text += formatPage(rows.slice(from, to).map((row) => sealed(operationOf(row))));
      await port.breathe();
    }
    const bytes = await port.gzip(text);
    const sha256 = port.sha256Bytes(bytes);
    pageCache.put(sha256, bytes, audience);
    await port.pages?.put(sha256, audience, bytes);
    pages.push({ sha256, size: bytes.length });
  }
  return pages;
}
