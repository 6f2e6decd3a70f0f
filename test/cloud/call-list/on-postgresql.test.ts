import { describe, vi } from 'vitest';

// The same once more on PostgreSQL: on PGlite here, on a real server where TEST_POSTGRES names one.
process.env.TEST_DIALECT = 'pg';
// A database in WebAssembly takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe('list-tests.test.ts', async () => {
  await import('./list-tests.test.ts');
});
