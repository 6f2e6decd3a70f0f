import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DialectName, Migration } from '#cloud/store/index.ts';

/** Reads `NNNN-name.sql` of one dialect from the reviewed folder beside the store. */
export function readMigrations(dialect: DialectName): Migration[] {
  const folder = join(import.meta.dirname, '..', '..', 'store', 'migrations', dialect);
  return readdirSync(folder)
    .filter((file) => /^\d{4}-[a-z0-9-]+\.sql$/.test(file))
    .toSorted()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), sql: readFileSync(join(folder, file), 'utf8') }));
}
