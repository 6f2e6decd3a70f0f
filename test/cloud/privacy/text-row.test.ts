import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  insertAlarm,
  insertMaintenance,
  insertOperation,
  listAlarms,
  putBulkJob,
  readBulkJob,
  readHostStatus,
  readMaintenance,
  readOperation,
  updateHost,
  updateHostStatus,
} from '#cloud/store/index.ts';
import { ask, DEVICE, type TestApi } from '../http/api.ts';
import { NUMBER, PATH, type PrivacyStage, privacyStage } from './stage.ts';

/** Words in rows that are about something else. */
let stage: PrivacyStage;
let api: TestApi;
let token: string;
let tenant: string;
const start: PrivacyStage['start'] = (...words) => stage.start(...words);
const erase: PrivacyStage['erase'] = () => stage.erase();
const jobOf: PrivacyStage['jobOf'] = (started) => stage.jobOf(started);
const round: PrivacyStage['round'] = () => stage.round();

beforeEach(async () => {
  stage = await privacyStage();
  ({ api, token, tenant } = stage);
});
afterEach(() => api.close());

describe('an erasure', () => {
  test('takes what an export has collected of the same person, and not what one of another person has', async () => {
    const [device, other] = [DEVICE.deviceId, '+46709999999'];
    stage.host = (op) => ({
      data: op === 'privacy.export' ? { rows: [] } : { removed: {}, files: [] },
    });
    const mine = await start({ kind: 'export', deviceId: device, reason: `${device} asked for it` });
    const others = await start({ kind: 'export', address: other, reason: `as for ${device}` });
    stage.host = undefined;
    const late = await start({ kind: 'export', deviceId: device });
    await round();
    stage.host = (op) => ({
      data: op === 'privacy.export' ? { rows: [] } : { removed: {}, files: [] },
    });
    const started = await erase();
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'done', report: { export: 3 } });
    const documentOf = async ({ body }: { body: Record<string, unknown> }) =>
      await ask(api, 'GET', `${PATH}/${(body.job as { id: string }).id}/document`, { token });
    for (const lost of [mine, late]) {
      expect(await jobOf(lost)).toMatchObject({ kind: 'export', state: 'done' });
      expect(JSON.stringify(await jobOf(lost))).not.toContain(device);
      expect(await documentOf(lost)).toMatchObject({ status: 409 });
    }
    expect((await documentOf(others)).status).toBe(200);
  });

  test('takes a name out of remarks and alarms, which stay what they were', async () => {
    const { store } = api.database;
    const alarm = {
      ...{ tenant, siteId: 'north', uid: 'u1', service: '', raisedAt: 1, clearedAt: null },
      ...{ acknowledgedAt: null, toldAt: 1, error: 'configRejected', status: 'active' as const },
    };
    const note = (text: string) => ({ at: 12_345, by: 'person:p', text });
    await store.withTx(async (tx) => {
      const path = `/device/${DEVICE.deviceId}/sipPassword`;
      const details = { message: 'no', revision: 7, errors: [{ code: 'x', path, msg: 'too short' }] };
      await insertAlarm(tx, { ...alarm, id: 'a1', details });
      const notes = [note(`rang ${NUMBER}`), note(`${DEVICE.deviceId} is Anna's`), note('fuse')];
      await insertAlarm(tx, { ...alarm, id: 'a2', status: 'cleared', clearedAt: 2, details: {}, notes });
      await insertAlarm(tx, { ...alarm, id: 'a3', details: { durationS: 12 }, notes: [note('fuse')] });
    });
    const exported = await start({ kind: 'export', deviceId: DEVICE.deviceId });
    const { id } = exported.body.job as { id: string };
    const shown = (await ask(api, 'GET', `${PATH}/${id}/document`, { token })).body.cloud;
    expect(shown).toMatchObject({ alarm: [{ id: 'a1' }, { id: 'a2' }] });
    const before = await listAlarms(store, tenant, ['active', 'cleared'], '', 10);

    const started = await erase();
    await round();
    expect(await jobOf(started)).toMatchObject({ report: { alarm: 2 } });
    const [first, second, third] = await listAlarms(store, tenant, ['active', 'cleared'], '', 10);
    expect(first).toEqual({
      ...before[0],
      details: { message: 'no', revision: 7, errors: [{ code: 'x', path: '(erased)', msg: 'too short' }] },
    });
    expect(second?.notes).toEqual([note(`rang ${NUMBER}`), note('(erased)'), note('fuse')]);
    expect(third).toEqual(before[2]);
    await start({ kind: 'erasure', address: NUMBER });
    await round();
    const [, after] = await listAlarms(store, tenant, ['active', 'cleared'], '', 10);
    expect(after?.notes).toEqual([note('(erased)'), note('(erased)'), note('fuse')]);
  });

  test('takes a name out of what loads and hosts refused, also of a host that has left', async () => {
    const { store } = api.database;
    const { deviceId } = DEVICE;
    const job = {
      ...{ tenant, status: 'COMPLETED' as const, dryRun: false, startedAt: 1, stoppedAt: 2, rowCount: 3 },
      replica: null,
    };
    const errors = [
      { row: 2, reason: `/deviceId: ${deviceId} stands in row 1 already` },
      { row: 3, reason: '/deviceType: is none' },
    ];
    const fault = (path: string) => ({ code: 'dangling', path, msg: 'no such bridge' });
    const refusal = { rev: 4, at: 12_345, errors: [fault(`/device/${deviceId}/bridge`), fault('/trunk/t1')] };
    await store.withTx(async (tx) => {
      await putBulkJob(tx, { ...job, id: 'l1', failed: 2, reason: null, errors });
      await putBulkJob(tx, { ...job, id: 'l2', failed: 0, reason: 'no device in it', errors: [] });
      await updateHost(tx, 'u1', { lifecycle: 'decommissioned' });
      await updateHostStatus(tx, 'u1', { refusals: { tenant: refusal } });
    });
    const exported = await start({ kind: 'export', deviceId });
    const { id } = exported.body.job as { id: string };
    const shown = (await ask(api, 'GET', `${PATH}/${id}/document`, { token })).body.cloud;
    expect(shown).toMatchObject({ load: [{ id: 'l1', errors }], refusal: [{ id: 'u1', tenant: refusal }] });

    const started = await erase();
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'done', report: { load: 1, refusal: 1 } });
    expect((await readBulkJob(store, tenant, 'l1'))?.errors).toEqual([
      { row: 2, reason: '(erased)' },
      { row: 3, reason: '/deviceType: is none' },
    ]);
    expect((await readBulkJob(store, tenant, 'l2'))?.reason).toBe('no device in it');
    expect((await readHostStatus(store, 'u1'))?.refusals).toEqual({
      tenant: { rev: 4, at: 12_345, errors: [fault('(erased)'), fault('/trunk/t1')] },
    });
  });

  test('takes a name out of what people gave as reasons, and out of overrides, also of a host that has left', async () => {
    const { store } = api.database;
    const { deviceId } = DEVICE;
    const operation = {
      ...{ tenant, siteId: 'north', hostId: 'gw-1', uid: 'u1', type: 'drain' as const, deadline: null },
      ...{ state: 'done' as const, createdAt: 1, updatedAt: 2, endedAt: 2 },
    };
    const drain = { step: 'drain', state: 'done', callsLeft: 0 };
    const steps = [drain, { step: 'wipe', state: 'done', left: [`recording of ${deviceId}`, 'a file'] }];
    const window = {
      ...{ tenant, siteId: 'north', hostId: '', startsAt: 1, endsAt: 2, madeAt: 1, madeBy: 'person:p' },
      ...{ closedAt: 2, closedBy: 'system' },
    };
    const override = {
      ...{ author: 'technician', since: 12_345, expiresAt: null, pinned: false, drift: false },
    };
    const fallback = { ...override, key: 'fallbackNumber', value: NUMBER, reason: `${deviceId} cannot wait` };
    const other = { ...override, key: 'logLevel', value: 'debug', reason: 'noise' };
    await store.withTx(async (tx) => {
      await insertOperation(tx, { ...operation, id: 'o1', steps, reason: `exchange of ${deviceId}` });
      await insertOperation(tx, { ...operation, id: 'o2', steps: [drain], reason: 'exchange' });
      await insertMaintenance(tx, {
        ...window,
        id: 'm1',
        reason: `call ${NUMBER} before ${deviceId} is cut`,
      });
      await insertMaintenance(tx, { ...window, id: 'm2', reason: 'fuse' });
      await updateHost(tx, 'u1', { lifecycle: 'decommissioned' });
      await updateHostStatus(tx, 'u1', { overrides: [fallback, other] });
    });
    const exported = await start({ kind: 'export', deviceId });
    const { id } = exported.body.job as { id: string };
    const shown = (await ask(api, 'GET', `${PATH}/${id}/document`, { token })).body.cloud;
    expect(shown).toMatchObject({
      operation: [{ id: 'o1', reason: `exchange of ${deviceId}`, steps }],
      maintenance: [{ id: 'm1' }],
      override: [{ id: 'u1', overrides: [fallback, other] }],
    });

    const started = await erase();
    await round();
    expect(await jobOf(started)).toMatchObject({
      state: 'done',
      report: { operation: 1, maintenance: 1, override: 1 },
    });
    expect(await readOperation(store, tenant, 'o1')).toEqual({
      ...{ ...operation, id: 'o1', reason: '(erased)' },
      steps: [drain, { step: 'wipe', state: 'done', left: ['(erased)', 'a file'] }],
    });
    expect(await readOperation(store, tenant, 'o2')).toMatchObject({ reason: 'exchange', steps: [drain] });
    expect(await readMaintenance(store, tenant, 'm1')).toEqual({ ...window, id: 'm1', reason: '(erased)' });
    expect(await readMaintenance(store, tenant, 'm2')).toMatchObject({ reason: 'fuse' });
    const left = async () => (await readHostStatus(store, 'u1'))?.overrides;
    expect(await left()).toEqual([{ ...fallback, reason: '(erased)' }, other]);
    await start({ kind: 'erasure', address: NUMBER });
    await round();
    expect(await left()).toEqual([{ ...fallback, reason: '(erased)', value: '(erased)' }, other]);
  });

  test('leaves nothing of what was kept against repetition, and the request is not done again', async () => {
    const { deviceId } = DEVICE;
    const body = { kind: 'erasure', deviceId };
    const send = (key: string, as: object) =>
      ask(api, 'POST', PATH, { token, body: as, headers: { 'idempotency-key': key } });
    const exported = await send('one', { kind: 'export', deviceId });
    await send(`again:${deviceId}`, { kind: 'export', address: '+4611223344' });
    const other = await send('other', { kind: 'export', address: '+4611223344' });
    const { id } = exported.body.job as { id: string };
    const shown = (await ask(api, 'GET', `${PATH}/${id}/document`, { token })).body.cloud;
    expect(shown).toMatchObject({
      answer: [{ id: `again:${deviceId}` }, { id: 'one', answer: { deviceId } }],
    });
    const started = await send('two', body);
    const { subjectSalt } = started.body.job as { subjectSalt: string };
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'done', report: { answer: 3 } });
    const { idempotency } = api.database.store.tables;
    const kept = JSON.stringify(await api.database.store.db.select().from(idempotency));
    expect(kept).not.toContain(deviceId);
    expect(kept).not.toContain(subjectSalt);
    const repeated = await send('other', { kind: 'export', address: '+4611223344' });
    expect(repeated.body).toEqual(other.body);
    expect((await send('two', body)).body).toMatchObject({ success: false });
    const { jobs } = (await ask(api, 'GET', PATH, { token })).body as { jobs: object[] };
    expect(jobs).toHaveLength(4);
  });
});
