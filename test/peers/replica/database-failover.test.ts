import { afterAll, beforeAll, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { shared, until } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { type PostgresPair, startPostgresPair } from './stage/postgres-pair.ts';
import { type ReplicaStory, startReplicaStory } from './stage/replica-story.ts';

const place = new Place();
let database: PostgresPair;
let story: ReplicaStory;

beforeAll(async () => {
  database = await startPostgresPair(place);
  story = await startReplicaStory(place, 15, { server: database });
}, 400_000);
afterAll(() => place.close());

const ANSWERS_MS = 90_000;

it('PostgreSQL is killed and its synchronous standby takes the address: no accepted change, no alarm and no host is lost', {
  timeout: 600_000,
}, async () => {
  const { replicas } = story.stage;
  const timeline = async () => {
    const [row] = await replicas.rows<{ line: number }>(
      'SELECT timeline_id AS line FROM pg_control_checkpoint()',
    );
    return row?.line;
  };
  const readiness = async () =>
    (await Promise.all(replicas.all.map(({ api }) => fetch(`${api}/readyz`)))).map(({ status }) => status);
  const before = await timeline();
  await database.failOver();
  // In recovery it can be read: each replica says that it is not ready, and takes no change.
  expect(await until(async () => (await readiness()).every((status) => status === 503), ANSWERS_MS)).toBe(
    true,
  );
  const device = { deviceId: 'in-recovery', authType: 'deviceid', srtp: 'never' };
  for (const each of replicas.all)
    expect(await replicas.ask(each, 'PUT', '/provisioning/device/replicas.example', device)).toMatchObject({
      status: 503,
      error: { code: 'storageUnavailable' },
    });
  await database.promote();
  expect(await until(async () => (await readiness()).every((status) => status === 200), ANSWERS_MS)).toBe(
    true,
  );
  expect(await shared(replicas, COUNT)).toBe(true);
  await replicas.rows('CHECKPOINT');
  expect(await timeline()).toBe((before ?? 0) + 1);
  await story.judged(1);
});
