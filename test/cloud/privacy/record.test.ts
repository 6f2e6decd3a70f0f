import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { expireData } from '#cloud/privacy/index.ts';
import { createRecordQueries, RecordIntake } from '#cloud/record/index.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import { ask, DEVICE } from '../http/api.ts';
import { batchOf, callOf, recordIdOf } from '../record/stage.ts';
import { suiteDialect } from '../store/database.ts';
import { NUMBER, PATH, type PrivacyStage, privacyStage } from './stage.ts';

const DAY_MS = 86_400_000;
let stage: PrivacyStage;
let take: (...items: (readonly [number, unknown])[]) => Promise<unknown>;
beforeEach(async () => {
  stage = await privacyStage();
  const intake = new RecordIntake({ store: stage.api.database.store, onTaken: () => undefined });
  const place = { tenant: stage.tenant, siteId: 'north', uid: 'u1', sh: '00' };
  take = (...items) => intake.take(place, 'gw-1', batchOf(...items), stage.api.clock.now);
});
afterEach(() => stage.api.close());

const read = async (n: number) =>
  await createRecordQueries({ store: stage.api.database.store, nowMs: () => 0 }).read(
    stage.tenant,
    recordIdOf(n),
    true,
  );

/** Another caller, and a long body that fills pages of its own. */
const OTHER = callOf(3, { from: '+46709999999' });
const MINE = (n: number) =>
  callOf(n, { deviceId: DEVICE.deviceId, from: NUMBER, laterMember: `${NUMBER} `.repeat(200) });

test('an export shows the records of the person, and of no other person', async () => {
  await take([1, MINE(1)], [2, OTHER]);
  const started = await stage.start({ kind: 'export', address: NUMBER });
  await stage.round();
  const { id } = started.body.job as { id: string };
  const { body } = await ask(stage.api, 'GET', `${PATH}/${id}/document`, { token: stage.token });
  const { record } = body.cloud as { record: { record: { recordId: string } }[] };
  expect(record.map((each) => each.record.recordId)).toEqual([recordIdOf(1)]);
});

test('an erasure leaves no number behind, also not in the file, and no host brings the record back', async () => {
  await take([1, MINE(1)], [2, OTHER], [3, { ...MINE(2), deviceId: 'another' }]);
  const started = await stage.start({ kind: 'erasure', address: NUMBER });
  await stage.round();
  expect(await stage.jobOf(started)).toMatchObject({ state: 'done', report: { record: 2 } });
  expect(await read(1)).toMatchObject({ ok: true, value: { kind: 'call', erased: true, siteId: 'north' } });
  expect(JSON.stringify([await read(1), await read(2)])).not.toContain(NUMBER);
  expect(await read(3)).toMatchObject({ value: { from: '+46709999999' } });
  await take([9, MINE(1)]);
  expect(await read(1)).toMatchObject({ value: { erased: true } });
  if (suiteDialect() === 'pg') return;
  const { store } = stage.api.database;
  const [{ file }] = (await store.db.all(sql`PRAGMA database_list`)) as [{ file: string }];
  // The journal of the file ends here; the record that came after the erasure was never written.
  await stage.api.database.port.connection.lease().then(async (lease) => {
    await lease.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    await lease.release(false);
  });
  const bytes = readFileSync(file);
  expect(bytes.includes('+46709999999')).toBe(true);
  expect(bytes.includes(NUMBER)).toBe(false);
});

test('records go with their class: attempts, then calls, then alarms', async () => {
  await take(
    [1, callOf(1, { kind: 'alarm' })],
    [2, callOf(2, { kind: 'message' })],
    [3, callOf(3, { kind: 'attempt', attempts: 3 })],
  );
  const left = async (days: number) => {
    const { store } = stage.api.database;
    const nowMs = () => stage.api.clock.now + days * DAY_MS;
    await expireData({
      ...{ store, kept: DEFAULT_RETENTION, nowMs },
      ...{ breathe: async () => undefined, dropRecording: async () => undefined },
    });
    return (await Promise.all([1, 2, 3].map(read))).map(({ ok }) => ok);
  };
  expect(await left(13)).toEqual([true, true, true]);
  expect(await left(15)).toEqual([true, true, false]);
  expect(await left(91)).toEqual([true, false, false]);
  expect(await left(731)).toEqual([false, false, false]);
});
