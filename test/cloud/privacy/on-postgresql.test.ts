import { describe, vi } from 'vitest';

// The same once more on PostgreSQL: on PGlite here, on a real server where TEST_POSTGRES names one.
process.env.TEST_DIALECT = 'pg';
// A database in WebAssembly takes its time.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

describe('access.test.ts', async () => {
  await import('./access.test.ts');
});
describe('job.test.ts', async () => {
  await import('./job.test.ts');
});
describe('queue-row.test.ts', async () => {
  await import('./queue-row.test.ts');
});
describe('record.test.ts', async () => {
  await import('./record.test.ts');
});
describe('retention.test.ts', async () => {
  await import('./retention.test.ts');
});
describe('text-row.test.ts', async () => {
  await import('./text-row.test.ts');
});
