import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe } from 'vitest';

// Everything that the API promises, promised on PostgreSQL too: the same files once more. On PGlite here; on a real
// server where TEST_POSTGRES names one.
process.env.TEST_DIALECT = 'pg';
const suites = readdirSync(import.meta.dirname).filter((file) => /^(?!on-)[a-z-]+\.test\.ts$/.test(file));
describe.each(suites)('%s', async (file) => {
  await import(/* @vite-ignore */ join(import.meta.dirname, file));
});
