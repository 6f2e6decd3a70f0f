import { afterAll, beforeAll, describe, vi } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { startPostgres } from '../support/postgres.ts';

// The suites of `test/cloud` that `npm test` runs on SQLite, on a real PostgreSQL.
process.env.TEST_DIALECT = 'pg';
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const place = new Place();
beforeAll(async () => {
  process.env.TEST_POSTGRES = (await place.keep(startPostgres())).url;
});
afterAll(() => place.close());

describe('alarm-queue/replica-clock.test.ts', async () => {
  await import('#test/cloud/alarm-queue/replica-clock.test.ts');
});
describe('call-list/on-postgresql.test.ts', async () => {
  await import('#test/cloud/call-list/on-postgresql.test.ts');
});
describe('privacy/on-postgresql.test.ts', async () => {
  await import('#test/cloud/privacy/on-postgresql.test.ts');
});
describe('record/database.test.ts', async () => {
  await import('#test/cloud/record/database.test.ts');
});
describe('record/intake.test.ts', async () => {
  await import('#test/cloud/record/intake.test.ts');
});
describe('record/replica-stream.test.ts', async () => {
  await import('#test/cloud/record/replica-stream.test.ts');
});
describe('record/replica-upload.test.ts', async () => {
  await import('#test/cloud/record/replica-upload.test.ts');
});
describe('site/diagnosis.test.ts', async () => {
  await import('#test/cloud/site/diagnosis.test.ts');
});
describe('site/dialects.test.ts', async () => {
  await import('#test/cloud/site/dialects.test.ts');
});
describe('site/replica-state.test.ts', async () => {
  await import('#test/cloud/site/replica-state.test.ts');
});
describe('site/simulation.test.ts', async () => {
  await import('#test/cloud/site/simulation.test.ts');
});
describe('store/shard-lease.test.ts', async () => {
  await import('#test/cloud/store/shard-lease.test.ts');
});
describe('tenant/sign-in-tries.test.ts', async () => {
  await import('#test/cloud/tenant/sign-in-tries.test.ts');
});
