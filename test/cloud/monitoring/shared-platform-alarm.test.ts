import { expect, it } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import { PlatformAlarmTable, SharedPlatformAlarms } from '#cloud/monitoring/index.ts';
import {
  dropReplica,
  forgetDeploymentAlarms,
  renewReplica,
  type Store,
  storeWith,
} from '#cloud/store/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';

const AWAY = { error: 'brokerUnreachable', subject: 'b:8883' } as const;

/** The alarms of one replica; `isAway`: the database answers none of its writes. */
function replicaOf(store: Store, replica: string, nowMs: () => number) {
  const logged: string[] = [];
  const state = { isAway: false };
  const withTx: Store['withTx'] = (run) =>
    state.isAway ? Promise.reject(new Error('away')) : store.withTx(run);
  const own = new PlatformAlarmTable({
    ...{ nowMs, random: digest.random, log: () => undefined },
    onChange: (alarm) => void all.write(alarm),
  });
  const all = new SharedPlatformAlarms({
    ...{ store: storeWith(store, { withTx }), replica, own },
    log: (_, event) => void logged.push(event),
  });
  return { own, all, state, logged };
}

it.each(dialects)(
  'every replica shows the alarms of all, one that several raised once, and none of a dead one stands, on %s',
  { timeout: 60_000 },
  async (dialect) => {
    const { store, close } = await openTestDatabase(dialect);
    let nowMs = 1_000;
    for (const name of ['a', 'b', 'c']) await store.withTx((tx) => renewReplica(tx, name, 60_000));
    const [a, b, c] = [
      replicaOf(store, 'a', () => nowMs),
      replicaOf(store, 'b', () => nowMs),
      replicaOf(store, 'c', () => nowMs),
    ];
    const shown = async () => {
      for (const each of [a, b, c]) await each.all.writeAll();
      const lists = [await a.all.list(), await b.all.list(), await c.all.list()];
      const texts = lists.map((list) =>
        list.map(({ error, subject, status }) => `${error} ${subject} ${status}`),
      );
      expect(texts[1]).toEqual(texts[0]);
      expect(texts[2]).toEqual(texts[0]);
      return texts[0];
    };
    a.own.raise({ ...AWAY, message: 'seen by a' });
    nowMs = 2_000;
    b.own.raise({ ...AWAY, message: 'seen by b' });
    nowMs = 3_000;
    c.own.note({ error: 'unknownHost', subject: '192.0.2.1', message: 'came' });
    expect(await shown()).toEqual(['unknownHost 192.0.2.1 noted', 'brokerUnreachable b:8883 active']);
    expect((await c.all.list()).at(-1)?.message).toBe('seen by a');

    a.own.clear(AWAY);
    expect(await shown()).toEqual([
      'unknownHost 192.0.2.1 noted',
      'brokerUnreachable b:8883 active',
      'brokerUnreachable b:8883 cleared',
    ]);
    // It ended without a word: an alarm of its own stands no more, a note stays.
    await store.withTx((tx) => dropReplica(tx, 'b'));
    expect((await a.all.list()).map(({ status }) => status)).toEqual(['noted', 'cleared']);

    await store.withTx((tx) => forgetDeploymentAlarms(tx, 1));
    expect(await store.db.select().from(store.tables.deploymentAlarm)).toMatchObject([{ replica: 'c' }]);
    await close();
  },
);

it('an alarm that was raised while the database was away is written later, as it stands then', async () => {
  const { store, close } = await openTestDatabase('sqlite');
  for (const name of ['a', 'b']) await store.withTx((tx) => renewReplica(tx, name, 60_000));
  const [a, b] = [replicaOf(store, 'a', () => 1_000), replicaOf(store, 'b', () => 1_000)];
  a.state.isAway = true;
  a.own.raise({ ...AWAY, message: 'away' });
  a.own.clear(AWAY);
  await a.all.writeAll();
  expect(await b.all.list()).toEqual([]);
  expect(a.logged).toContain('deployment_alarm.write_failed');
  a.state.isAway = false;
  await a.all.writeAll();
  expect(await b.all.list()).toMatchObject([{ ...AWAY, status: 'cleared' }]);
  await close();
});
