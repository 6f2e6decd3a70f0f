import { afterAll, beforeAll, describe } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { startPostgres } from '../support/postgres.ts';

const place = new Place();

beforeAll(async () => {
  const { url } = await place.keep(startPostgres());
  process.env.TEST_POSTGRES = url;
});
afterAll(() => place.close());

describe('the API on PostgreSQL', async () => {
  await import('#test/cloud/http/on-postgresql.test.ts');
});
