import { afterEach, beforeEach, expect, test } from 'vitest';
import { putCallListTest, putWaitingAlarm, readCallListTest, readWaitingAlarm } from '#cloud/store/index.ts';
import { ask, DEVICE } from '../http/api.ts';
import { NUMBER, PATH, type PrivacyStage, privacyStage } from './stage.ts';

/* Alarms of the alarm queue, and test calls of lists, in exports and erasures. */

let stage: PrivacyStage;
beforeEach(async () => {
  stage = await privacyStage();
});
afterEach(() => stage.api.close());

const BODY = {
  ...{ sessionId: 's', traceId: 'trace', replyId: 'reply-1', call: 'ended', reason: '', since: 1 },
  ...{ protocol: 'scaip', hasVoice: true, isDeviceHere: false, called: 3, location: 'kitchen' },
};

async function alarm(id: string, deviceId: string, state: 'waiting' | 'closed', text = ''): Promise<void> {
  const { store } = stage.api.database;
  await store.withTx((tx) =>
    putWaitingAlarm(tx, {
      ...{ tenant: stage.tenant, id, uid: 'u1', siteId: 'north', hostId: 'gw-1', state, turn: 1 },
      ...{ taker: null, takerName: null, takenAt: null, heartbeatAt: null, lastTaker: 'Ada Byron' },
      ...{ reason: `${deviceId} was called`, queuedAt: 1, closedAt: null, closedBy: null },
      ...{ body: { ...BODY, deviceId }, notes: [{ at: 1, by: 'person:p', name: 'Ada Byron', text }] },
    }),
  );
}

const row = (id: string) => readWaitingAlarm(stage.api.database.store, stage.tenant, id);

async function documentOf(body: object): Promise<Record<string, Record<string, unknown>[]>> {
  const started = await stage.start({ kind: 'export', ...body });
  await stage.round();
  const { id } = started.body.job as { id: string };
  const answer = await ask(stage.api, 'GET', `${PATH}/${id}/document`, { token: stage.token });
  return answer.body.cloud as Record<string, Record<string, unknown>[]>;
}

test('an export shows the alarms of the subject, waiting ones too, and no handle of the host', async () => {
  await alarm('01-open', DEVICE.deviceId, 'waiting');
  await alarm('02-closed', 'another', 'closed', `her daughter has ${NUMBER}`);
  await alarm('03-other', 'another', 'closed');
  const { waitingAlarm = [] } = await documentOf({ deviceId: DEVICE.deviceId });
  expect(waitingAlarm).toEqual([
    expect.objectContaining({ id: '01-open', state: 'waiting', lastTaker: 'Ada Byron' }),
  ]);
  expect(JSON.stringify(waitingAlarm)).not.toContain('reply-1');
  const { waitingAlarm: named = [] } = await documentOf({ address: NUMBER });
  expect(named.map(({ id }) => id)).toEqual(['02-closed']);
});

test('an erasure blanks closed alarms, and waits for the one that still needs a person', async () => {
  const { deviceId } = DEVICE;
  await alarm('01-open', deviceId, 'waiting');
  await alarm('02-closed', deviceId, 'closed', `called ${deviceId}, no answer`);
  await alarm('03-other', 'another', 'closed', 'all well');
  const started = await stage.erase();
  await stage.round();
  expect(await stage.jobOf(started)).toMatchObject({ state: 'pending', report: { waitingAlarm: 1 } });
  // A person can still help.
  expect(await row('01-open')).toMatchObject({ body: { deviceId }, state: 'waiting' });
  const closed = await row('02-closed');
  expect(closed).toMatchObject({ state: 'closed', body: { location: 'kitchen', deviceId: '(erased)' } });
  expect(JSON.stringify(closed)).not.toContain(deviceId);
  expect(await row('03-other')).toMatchObject({ notes: [{ text: 'all well' }] });
  await alarm('01-open', deviceId, 'closed');
  stage.later(3_600_000);
  await stage.round();
  expect(await stage.jobOf(started)).toMatchObject({ state: 'done', report: { waitingAlarm: 2 } });
  expect(JSON.stringify(await row('01-open'))).not.toContain(deviceId);
  expect(await documentOf({ deviceId })).not.toHaveProperty('waitingAlarm');
});

test('the test call of the list of a device is shown, and goes with it', async () => {
  const { deviceId } = DEVICE;
  const { store } = stage.api.database;
  const read = (entity: 'device' | 'alarmbridge', id: string) =>
    readCallListTest(store, stage.tenant, entity, id);
  for (const [entity, id] of [
    ['device', deviceId],
    ['device', 'another'],
    ['alarmbridge', 'b1'],
  ] as const)
    await store.withTx((tx) =>
      putCallListTest(tx, {
        ...{ tenant: stage.tenant, entity, id, month: '2026-11', state: 'done', uid: 'u1', tries: 1 },
        ...{ askedAt: 1, endedAt: 2, called: 3, confirmed: 2 },
      }),
    );
  const { callListTest = [] } = await documentOf({ deviceId });
  expect(callListTest).toEqual([expect.objectContaining({ deviceId, month: '2026-11', confirmed: 2 })]);
  const started = await stage.erase();
  await stage.round();
  expect(await stage.jobOf(started)).toMatchObject({ report: { callListTest: 1 } });
  expect(await read('device', deviceId)).toBeUndefined();
  expect(await read('device', 'another')).toBeDefined();
  expect(await read('alarmbridge', 'b1')).toBeDefined();
});
