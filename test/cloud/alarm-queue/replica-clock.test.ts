import { describe, expect, it } from 'vitest';
import { AlarmQueue } from '#cloud/alarm-queue/index.ts';
import { type Clock, DatabaseClock } from '#cloud/shard/index.ts';
import { insertTenant, readWaitingAlarm, renewReplica, type Store } from '#cloud/store/index.ts';
import type { AlarmQueuedData } from '#shared/contract/alarm-queue/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';

/* Two replicas on one database; the clock of one machine is ten minutes ahead, that of the other ten minutes behind. */

const MINUTE = 60_000;
const TENANT = '01jtenant0000000000000000t';
const ALARM = '01jd0000000000000000000000';
const PLACE = { tenant: TENANT, siteId: 'north', uid: 'host-1', sh: '00' };
const DATA: AlarmQueuedData = {
  ...{ sessionId: ALARM, traceId: 't', replyId: 'r', call: 'none', reason: 'no person has accepted' },
  ...{ since: 1_000, protocol: 'scaip', deviceId: 'd', hasVoice: true, isDeviceHere: false, called: 3 },
};

/** A replica on a machine whose clock is off. `passed.ms` is time that passes on all machines. */
async function replica(store: Store, offMs: number, passed: { ms: number }, counts: 'database' | 'machine') {
  const machine: Clock = {
    wallMs: () => Date.now() + offMs + passed.ms,
    monoMs: () => performance.now() + passed.ms,
  };
  const clock = new DatabaseClock(machine);
  const askedMs = clock.monoMs();
  const { databaseMs } = await store.withTx((tx) => renewReplica(tx, `off ${offMs}`, MINUTE));
  clock.read({ askedMs, answeredMs: clock.monoMs(), databaseMs });
  const nowMs = counts === 'database' ? clock.wallMs : machine.wallMs;
  const queue = new AlarmQueue({ store, nowMs, onChange: () => undefined, onRing: () => undefined });
  const call = () => ({
    ...{ tenant: TENANT, domain: 'a.test' },
    actor: { name: 'person:ada', address: '', requestId: '', at: nowMs() },
  });
  return {
    queue,
    report: () => store.withTx((tx) => queue.reported(tx, PLACE, 'gw-1', DATA, nowMs())),
    take: () =>
      queue.take(call(), 'ada', ALARM, { by: 'none' }, () => Promise.reject(new Error('no host is asked'))),
    beat: async (turn: number) => (await queue.heartbeat(call(), 'ada', ALARM, turn)).ok,
  };
}

/** A person takes an alarm at one replica and beats at the other; then the person's console dies. */
async function story(store: Store, offs: readonly [number, number], counts: 'database' | 'machine') {
  const passed = { ms: 0 };
  const [a, b] = [
    await replica(store, offs[0], passed, counts),
    await replica(store, offs[1], passed, counts),
  ];
  const state = async () => (await readWaitingAlarm(store, TENANT, ALARM))?.state;
  await a.report();
  await a.take();
  const swept = async () => {
    for (const { queue } of [a, b]) await queue.sweep();
    return await state();
  };
  const afterTake = await swept();
  passed.ms += 10_000;
  const beats = await b.beat(1);
  const afterBeat = await swept();
  passed.ms += 16_000;
  // The other replica alone looks: the one where the person was may be dead.
  await a.queue.sweep();
  const afterDeath = await state();
  await store.withTx(async (tx) => {
    await tx.db.delete(tx.tables.waitingAlarm);
  });
  return { afterTake, beats, afterBeat, afterDeath };
}

const KEPT = { afterTake: 'taken', beats: true, afterBeat: 'taken', afterDeath: 'released' };
const OFFS = [
  [10 * MINUTE, -10 * MINUTE],
  [-10 * MINUTE, 10 * MINUTE],
] as const;

describe.each(dialects)('the taker of an alarm, with replicas on %s', (dialect) => {
  it('is judged by the clock of the database, whatever the machines show', { timeout: 60_000 }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    await store.withTx((tx) =>
      insertTenant(tx, { id: TENANT, domain: 'a.test', name: null, createdAt: 0, notBefore: 0 }),
    );
    for (const offs of OFFS) {
      expect(await story(store, offs, 'database')).toEqual(KEPT);
      // By the clocks of the machines an alarm is taken away from a person who lives, or left with one who has died.
      expect(await story(store, offs, 'machine')).not.toEqual(KEPT);
    }
    await close();
  });
});
