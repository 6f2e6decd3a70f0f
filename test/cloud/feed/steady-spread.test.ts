import { expect, it, onTestFinished } from 'vitest';
import { insertHost, insertTenant, type Store } from '#cloud/store/index.ts';
import { ulid } from '#shared/id.ts';
import { openTestDatabase } from '../store/database.ts';
import { FeedHost, testFeed } from './feed-host.ts';

const TENANT = 't1';
const START_MS = Date.UTC(2030, 0, 1);
/** By then hosts are counted again. */
const COUNTED_MS = 6_000;

/** So many more hosts of the tenant, all enrolled. */
async function join(store: Store, host: FeedHost, from: number, to: number): Promise<void> {
  await store.withTx(async (tx) => {
    for (let n = from; n < to; n++) {
      const uid = ulid(START_MS + n, new Uint8Array(10));
      await insertHost(tx, { ...host.row(n), uid, hostId: `h${n}` });
    }
  });
}

it('a fleet that grows a little leaves the twins of its hosts as they are', async () => {
  let nowMs = START_MS;
  const { store, close } = await openTestDatabase('sqlite');
  const host = new FeedHost(TENANT, 't1.example');
  onTestFinished(async () => {
    host.end();
    await close();
  });
  await store.withTx((tx) =>
    insertTenant(tx, { id: TENANT, domain: 't1.example', name: null, createdAt: 0, notBefore: 0 }),
  );
  await host.join(store, START_MS);
  await join(store, host, 1, 300);
  const feed = testFeed(store, () => nowMs);
  const twinAmong = async () => {
    nowMs += COUNTED_MS;
    return (await feed.twin(host.uid))?.twin;
  };
  const first = await twinAmong();
  expect(first).toMatchObject({ twinRev: 1, jitterS: 3, fetchS: 3 });

  await join(store, host, 300, 450);
  expect(await twinAmong()).toEqual(first);

  await join(store, host, 450, 700);
  expect(await twinAmong()).toMatchObject({ twinRev: 2, jitterS: 6, fetchS: 6 });
});
