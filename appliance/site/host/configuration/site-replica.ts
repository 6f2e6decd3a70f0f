import {
  type FeedScope,
  type HashedRow,
  type Manifest,
  resultHash,
  rowHash,
  SCOPES,
} from '#shared/contract/feed/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import {
  type FeedSource,
  type ModelChange,
  type ReplicaStore,
  type RowKey,
  readBody,
  replacesAll,
  type StagedReading,
  type Standing,
} from '../../../replica/index.ts';
import type { SitePorts } from '../site-port.ts';

const ROWS_AT_ONCE = 500;

/**
 * Everything stored that means something to the engines. A row this program cannot read (an older program wrote it, or
 * the disk changed it) is left out and said: the others must work.
 */
export function* storedChanges(store: ReplicaStore, log: SitePorts['log']): Generator<ModelChange> {
  for (const scope of SCOPES) {
    for (const row of storedRows(store, scope)) {
      const read = readBody(row.entity, row.id, parsed(row.body));
      if (read.faults !== undefined) {
        log('error', 'configuration.row_unusable', 'Could not use a stored configuration row', {
          entity: row.entity,
          id: row.id,
          faults: read.faults,
        });
      } else if (read.change !== undefined) yield read.change;
    }
  }
}

function* storedRows(store: ReplicaStore, scope: FeedScope) {
  let after: RowKey | undefined;
  for (;;) {
    const rows = store.rows(scope, after, ROWS_AT_ONCE);
    yield* rows;
    after = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE) return;
  }
}

/**
 * Brings the pages of a change to the staging place and reads them. `unreachable`: again later. `pageDamaged`, `invalid`:
 * signed so, and of no use.
 */
export async function stagePages(
  { store, pause }: Pick<SitePorts, 'store' | 'pause'>,
  feed: FeedSource,
  manifest: Manifest,
  reading: StagedReading,
): Promise<Result<void, Failure<'unreachable' | 'pageDamaged' | 'invalid'>>> {
  store.beginStage(manifest.scope, replacesAll(manifest));
  for (const page of manifest.pages) {
    const text = await feed.page(page);
    if (!text.ok) {
      const { code, reason } = text.error;
      return fail(code === 'damaged' ? 'pageDamaged' : 'unreachable', reason);
    }
    const operations = reading.add(text.value);
    if (operations === undefined) return fail('invalid', 'a line of the page is no operation');
    store.stage(operations);
    // A large tenant has many pages, and an alarm must not wait for them.
    await pause();
  }
  return ok(undefined);
}

/** Whether the bodies of a scope hash to something else than its standing says. */
export async function hashesDiffer(
  ports: Pick<SitePorts, 'store' | 'sha256Hex' | 'pause'>,
  scope: FeedScope,
  standing: Standing,
): Promise<boolean> {
  const hashed: HashedRow[] = [];
  for (const { entity, id, body } of storedRows(ports.store, scope)) {
    hashed.push({ entity, id, rowHash: rowHash(parsed(body), ports.sha256Hex) });
    if (hashed.length % ROWS_AT_ONCE === 0) await ports.pause();
  }
  return resultHash(hashed, ports.sha256Hex) !== standing.h;
}

/** Text that is no JSON any more has no hash that could be right. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { damaged: text };
  }
}
