import * as fs from 'node:fs';
import { join } from 'node:path';
import type { FeedScope, HashedRow } from '#shared/contract/feed/index.ts';
import { finishSwap } from '#shared/sqlite-file/index.ts';
import type { Override, ReplicaStore, Standings, StoredRow } from '../../replica/index.ts';
import { openSqlite, type Sqlite } from '../sqlite/index.ts';
import { KeptReplica } from './kept-replica.ts';
import { type DamagedFile, setAsideIfDamaged } from './set-aside.ts';
import { openTrial } from './trial-file.ts';

export interface OpenReplica extends ReplicaStore {
  close(): void;
}

/** Tables that make up the configuration; the twin is the cloud's request and stays when the copy comes back. */
const CONFIGURATION = ['standing', 'replica'] as const;

/**
 * Opens or creates `config.db` in `folder`, with `config-lkg.db` next to it: the copy that has passed its health gate.
 * Throws when the place cannot be written or the file is from a newer program.
 *
 * `onDamage`: given by the program that owns the files. Both are looked at first; a damaged one is set aside and reported, the
 * copy replaces the configuration, and newer revisions come from the cloud again. A file that is removed or replaced while the program
 * runs is restored and reported, before a write is confirmed and each second.
 */
export function openReplica(folder: string, onDamage?: (damaged: DamagedFile) => void): OpenReplica {
  const good = join(folder, 'config-lkg.db');
  const file = join(folder, 'config.db');
  const isOwner = onDamage !== undefined;
  if (isOwner) finishSwap(file, `${file}.damaged-${Date.now()}`, fs);
  const damaged = [good, file].map((each) => onDamage && setAsideIfDamaged(each, Date.now()));
  const isMissing = isOwner && damaged[1] === undefined && !fs.existsSync(file) && fs.existsSync(good);
  const kept = new KeptReplica(file, prepare, onDamage);
  /** A write that is confirmed when the file is where the next start looks for it. */
  const written =
    <A extends readonly unknown[]>(work: (statements: ReturnType<typeof prepare>, ...given: A) => void) =>
    (...given: A): void =>
      kept.write((statements) => work(statements, ...given));

  const replica: OpenReplica = {
    standings: () => standingsOf(kept.db),
    rows: (scope, after, limit) =>
      kept.statements.rows.all(scope, after?.entity ?? '', after?.id ?? '', limit),
    hashes: (scope) => kept.statements.hashes.all(scope),

    beginStage: written((statements, scope: FeedScope, replacesAll: boolean) => {
      statements.emptyStaged.run();
      statements.begin.run(scope, replacesAll ? 1 : 0);
    }),
    stage: written((statements, operations: Parameters<ReplicaStore['stage']>[0]) => {
      for (const operation of operations) {
        const { entity, id } = operation;
        if (operation.op === 'put') {
          statements.stage.run(entity, id, operation.rowHash, JSON.stringify(operation.body));
        } else statements.stage.run(entity, id, null, null);
      }
    }),
    stagedHashes: () => kept.statements.stagedHashes.all(),
    commit: written((statements, { rev, h }: Parameters<ReplicaStore['commit']>[0]) => {
      statements.dropReplaced.run();
      statements.dropRemoved.run();
      statements.takeOver.run();
      statements.stand.run(rev, h);
      statements.emptyStaged.run();
      statements.end.run();
    }),

    async keepGood() {
      const beside = `${good}.new`;
      fs.rmSync(beside, { force: true });
      await kept.db.backup(beside);
      fs.renameSync(beside, good);
    },
    goodStandings() {
      if (!fs.existsSync(good)) return undefined;
      const copy = openSqlite({ file: good, readonly: true });
      try {
        return standingsOf(copy);
      } finally {
        copy.close();
      }
    },
    returnToGood() {
      if (!fs.existsSync(good)) return false;
      kept.attached(good, (db) => {
        for (const table of CONFIGURATION)
          db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM good.${table};`);
      });
      return true;
    },
    ...openTrial(folder),

    twin: () => kept.statements.twin.get()?.compact,
    keepTwin: written((statements, compact: string) => {
      statements.keepTwin.run(compact);
    }),
    refused: () => Object.fromEntries(kept.statements.refused.all().map(({ scope, rev }) => [scope, rev])),
    keepRefused: written((statements, refused: Partial<Readonly<Record<FeedScope, number>>>) => {
      statements.dropRefused.run();
      for (const [scope, rev] of Object.entries(refused)) statements.keepRefused.run(scope, rev);
    }),
    overrides: () => kept.statements.overrides.all().map(({ body }) => JSON.parse(body) as Override),
    keepOverride: written((statements, override: Override) => {
      statements.keepOverride.run(override.key, JSON.stringify(override));
    }),
    dropOverride: written((statements, key: string) => {
      statements.dropOverride.run(key);
    }),
    close: () => kept.close(),
  };
  if (damaged[1] !== undefined || isMissing) replica.returnToGood();
  if (isMissing) onDamage?.({ file, fault: `${file} was missing at the start`, missing: true });
  for (const each of damaged) if (each !== undefined) onDamage?.(each);
  return replica;
}

const NOTHING = { rev: 0, h: '' } as const;

function standingsOf(db: Sqlite): Standings {
  const found = db
    .prepare<[], { scope: string; rev: number; h: string }>('SELECT scope, rev, h FROM standing')
    .all();
  const at = (scope: FeedScope) => {
    const row = found.find((each) => each.scope === scope);
    return row === undefined ? NOTHING : { rev: row.rev, h: row.h };
  };
  return { platform: at('platform'), tenant: at('tenant'), site: at('site'), host: at('host') };
}

// NOT EXISTS and not NOT IN: a pair of columns outside a list is looked for in the whole list, for every row of the table.
const prepare = (db: Sqlite) => ({
  rows: db.prepare<[string, string, string, number], StoredRow>(
    `SELECT entity, id, body FROM replica WHERE scope = ? AND (entity, id) > (?, ?)
     ORDER BY entity, id LIMIT ?`,
  ),
  hashes: db.prepare<[string], HashedRow>(
    'SELECT entity, id, row_hash rowHash FROM replica WHERE scope = ? ORDER BY entity, id',
  ),
  emptyStaged: db.prepare('DELETE FROM staged'),
  begin: db.prepare(
    `INSERT INTO stage (one, scope, replaces_all) VALUES (1, ?, ?)
     ON CONFLICT (one) DO UPDATE SET scope = excluded.scope, replaces_all = excluded.replaces_all`,
  ),
  stage: db.prepare('INSERT OR REPLACE INTO staged (entity, id, row_hash, body) VALUES (?, ?, ?, ?)'),
  stagedHashes: db.prepare<[], HashedRow>(
    `SELECT entity, id, row_hash rowHash FROM staged WHERE body IS NOT NULL
     UNION ALL
     SELECT entity, id, row_hash FROM replica
     WHERE scope = (SELECT scope FROM stage WHERE replaces_all = 0)
       AND NOT EXISTS (SELECT 1 FROM staged s WHERE s.entity = replica.entity AND s.id = replica.id)`,
  ),
  dropReplaced: db.prepare(
    `DELETE FROM replica WHERE scope = (SELECT scope FROM stage WHERE replaces_all = 1)
       AND NOT EXISTS (
         SELECT 1 FROM staged s WHERE s.entity = replica.entity AND s.id = replica.id AND s.body IS NOT NULL
       )`,
  ),
  dropRemoved: db.prepare(
    `DELETE FROM replica WHERE scope = (SELECT scope FROM stage)
       AND (entity, id) IN (SELECT entity, id FROM staged WHERE body IS NULL)`,
  ),
  takeOver: db.prepare(
    `INSERT INTO replica (scope, entity, id, row_hash, body)
     SELECT (SELECT scope FROM stage), entity, id, row_hash, body FROM staged WHERE body IS NOT NULL
     ON CONFLICT (scope, entity, id) DO UPDATE SET row_hash = excluded.row_hash, body = excluded.body`,
  ),
  stand: db.prepare(
    `INSERT INTO standing (scope, rev, h) SELECT scope, ?, ? FROM stage WHERE true
     ON CONFLICT (scope) DO UPDATE SET rev = excluded.rev, h = excluded.h`,
  ),
  end: db.prepare('DELETE FROM stage'),
  twin: db.prepare<[], { compact: string }>('SELECT compact FROM twin WHERE one = 1'),
  keepTwin: db.prepare('INSERT OR REPLACE INTO twin (one, compact) VALUES (1, ?)'),
  refused: db.prepare<[], { scope: FeedScope; rev: number }>('SELECT scope, rev FROM refused'),
  dropRefused: db.prepare('DELETE FROM refused'),
  keepRefused: db.prepare('INSERT INTO refused (scope, rev) VALUES (?, ?)'),
  overrides: db.prepare<[], { body: string }>('SELECT body FROM override ORDER BY key'),
  keepOverride: db.prepare('INSERT OR REPLACE INTO override (key, body) VALUES (?, ?)'),
  dropOverride: db.prepare('DELETE FROM override WHERE key = ?'),
});
