import { createHash } from 'node:crypto';
import { ArchiveSum, frames, type Manifest } from '#cloud/backup/archive.ts';
import { readMigrations } from '#cloud/io/database/index.ts';
import { openVault } from '#cloud/io/key/index.ts';
import type { Migration } from '#cloud/store/index.ts';

/** A manifest by a vault key that is given, as another version or another day would have written it. */
export function manifestOf({
  key,
  expiresAt = Date.now() + 86_400_000,
  migrations = readMigrations('sqlite'),
}: {
  readonly key: string;
  readonly expiresAt?: number;
  readonly migrations?: readonly Migration[];
}): Manifest {
  return {
    format: 'carillon-backup',
    v: 1,
    madeAt: 0,
    owner: 'the office',
    expiresAt,
    dialect: 'sqlite',
    migrations: migrations.map(({ name, sql }) => ({
      name,
      hash: createHash('sha256').update(sql).digest('hex'),
    })),
    vaultKey: openVault('/tmp', { given: key }).keyName,
    holdsVaultKey: false,
    objects: 'files',
  };
}

/** An archive with one tenant by the columns of the first versions. */
export async function* oldParts(manifest: Manifest): AsyncGenerator<Buffer> {
  const sum = new ArchiveSum();
  yield frames.manifest(manifest);
  const tables = {
    sealing: [{ one: 1, key_name: manifest.vaultKey, at: 1 }],
    tenant: [{ id: 't1', domain: 'old.example', name: null, created_at: 1, not_before: 0 }],
  };
  for (const [table, rows] of Object.entries(tables)) {
    sum.add(table, rows);
    yield frames.rows(table, rows);
  }
  yield frames.end(sum.end([]));
}
