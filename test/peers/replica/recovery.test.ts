import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { replicaOf, until } from '#test/campaign/replica/control-plane-look.ts';
import { type Replicas, startReplicas } from '../cloud/replicas.ts';
import { type PostgresPair, startPostgresPair } from './stage/postgres-pair.ts';

const place = new Place();
const [LOGGED_MS, STARTED_MS] = [120_000, 300_000];
let database: PostgresPair;
let replicas: Replicas;

beforeAll(async () => {
  database = await startPostgresPair(place);
  replicas = await startReplicas(place, 1, {
    server: { ...database, url: database.standbyUrl },
    started: 0,
  });
});
afterAll(() => place.close());

it('a control plane that starts on a server in recovery waits until it is promoted', {
  timeout: 500_000,
}, async () => {
  const { process, logFile, api } = replicaOf(replicas, 0);
  const started = process.start({}, STARTED_MS);
  const hasSaidSo = async () =>
    existsSync(logFile) && readFileSync(logFile, 'utf8').includes('it is in recovery and takes no write');
  expect(await Promise.race([until(hasSaidSo, LOGGED_MS), started])).toBe(true);
  await database.promote();
  await started;
  expect((await fetch(`${api}/readyz`)).status).toBe(200);
});
