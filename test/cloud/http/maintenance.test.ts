import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { maintenanceRouter, siteAlarmRouter, siteRouter } from '#cloud/http/index.ts';
import { createAlarmQueries } from '#cloud/monitoring/index.ts';
import { createSites } from '#cloud/site/index.ts';
import {
  auditAfter,
  claimRelays,
  insertAlarm,
  insertHost,
  insertRelay,
  tenantByDomain,
  updateRelay,
} from '#cloud/store/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { sitePort } from '../site/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const ALL = '/site/a.test/maintenance';
const ALARMS = '/site/a.test/alarm';

let api: TestApi;
let token: string;
let tenant: string;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-maintenance-'));
  api = await openApi({}, async (store) => {
    const sites = createSites(await sitePort(store, folder, new Set()));
    return [
      siteAlarmRouter(createAlarmQueries(store)),
      maintenanceRouter(sites, () => api.clock.now),
      siteRouter(sites),
    ];
  });
  token = await makeTenant(api, 'a.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  await ask(api, 'POST', '/site/a.test', { body: { siteId: 'north' } });
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await api.close();
  rmSync(folder, { recursive: true });
});

const open = (body: object) => ask(api, 'POST', ALL, { token, body });
const states = async (query = '') =>
  ((await ask(api, 'GET', `${ALL}${query}`, { token })).body.windows as { state: string }[]).map(
    ({ state }) => state,
  );

async function addHost(hostId: string, uid: string): Promise<void> {
  await api.database.store.withTx((tx) =>
    insertHost(tx, {
      ...HOST_ROW,
      uid,
      tenant,
      siteId: 'north',
      hostId,
      sh: '00',
      lifecycle: 'active',
      lifecycleSince: 1,
      createdAt: 1,
    }),
  );
}

describe('a maintenance window', () => {
  test('is opened, seen, ends by its time, and every step of a person is in the audit log', async () => {
    const opened = await open({ siteId: 'north', duration: 600, reason: 'new switch' });
    expect(opened).toMatchObject({
      status: 200,
      body: {
        window: {
          siteId: 'north',
          state: 'open',
          startsAt: api.clock.now,
          endsAt: api.clock.now + 600_000,
          reason: 'new switch',
        },
      },
    });
    expect(await states('?ended=false')).toEqual(['open']);
    const [entry] = (await auditAfter(api.database.store, tenant, 0, 100)).slice(-1);
    expect(entry).toMatchObject({ action: 'open', entity: 'maintenance' });
    api.clock.now += 600_000;
    expect(await states()).toEqual(['ended']);
  });
  test('is planned, and cancelled; cancelled again it stays as it is', async () => {
    const { windowId } = (await open({ siteId: 'north', reason: 'x', startsAt: api.clock.now + 60_000 })).body
      .window as { windowId: string };
    expect(await states()).toEqual(['planned']);
    const ended = await ask(api, 'DELETE', `${ALL}/${windowId}`, { token });
    expect(ended).toMatchObject({
      status: 200,
      body: { window: { state: 'ended', endedAt: api.clock.now } },
    });
    api.clock.now += 5_000;
    expect((await ask(api, 'DELETE', `${ALL}/${windowId}`, { token })).body).toEqual(ended.body);
    expect(await states('?ended=false')).toEqual([]);
    expect(await states('?ended=true')).toEqual(['ended']);
    const actions = (await auditAfter(api.database.store, tenant, 0, 100)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'end')).toHaveLength(1);
  });
  test.each([
    [{ siteId: 'south', reason: 'x' }, 404],
    [{ siteId: 'north', hostId: 'box-9', reason: 'x' }, 404],
    [{ siteId: 'north' }, 400],
    [{ siteId: 'north', reason: 'x', duration: 59 }, 400],
    [{ siteId: 'north', reason: 'x', duration: 72 * 3_600 + 1 }, 400],
    [{ siteId: 'north', reason: 'x', startsAt: 5 }, 400],
    [{ siteId: 'north', reason: 'x', startsAt: 9e15 }, 400],
  ])('%j is %i', async (body, status) => {
    expect((await open(body)).status).toBe(status);
    expect(await states()).toEqual([]);
  });
  test('is no matter of another tenant, and none of a token that only reads', async () => {
    const foreign = await makeTenant(api, 'b.test');
    const reader = await makeTenant(api, 'a.test', 'read');
    const body = { siteId: 'north', reason: 'x' };
    expect((await ask(api, 'POST', ALL, { token: foreign, body })).status).toBe(403);
    expect((await ask(api, 'GET', ALL, { token: foreign })).status).toBe(403);
    expect((await ask(api, 'POST', ALL, { token: reader, body })).status).toBe(403);
    const { windowId } = (await open(body)).body.window as { windowId: string };
    expect(
      (await ask(api, 'DELETE', `/site/b.test/maintenance/${windowId}`, { token: foreign })).status,
    ).toBe(404);
    expect((await ask(api, 'GET', ALL, { token: reader })).status).toBe(200);
  });
  test('no site can be called as its path', async () => {
    expect((await ask(api, 'POST', '/site/a.test', { token, body: { siteId: 'maintenance' } })).status).toBe(
      400,
    );
  });
});

describe('an alarm of supervision', () => {
  const ALARM = {
    service: '',
    status: 'active' as const,
    clearedAt: null,
    acknowledgedAt: null,
    details: { message: 'silent' },
  };
  const id = (n: number) => `01jalarm0000000000000000a${n}`;
  beforeEach(async () => {
    await addHost('box-1', '01jhost00000000000000000b1');
    await addHost('box-2', '01jhost00000000000000000b2');
    const alarm = { ...ALARM, tenant, siteId: 'north' };
    await api.database.store.withTx(async (tx) => {
      const [one, two] = ['01jhost00000000000000000b1', '01jhost00000000000000000b2'];
      const at = { raisedAt: 5, toldAt: 5 };
      await insertAlarm(tx, { ...alarm, ...at, id: id(1), uid: one, error: 'noHeartbeatReply' });
      await insertAlarm(tx, {
        ...alarm,
        ...at,
        id: id(2),
        uid: two,
        error: 'lowMemory',
        toldAt: 0,
        late: true,
      });
      await insertAlarm(tx, { ...alarm, ...at, id: id(3), uid: 'x', siteId: 'south', error: 'lowMemory' });
    });
  });
  const ids = async (query: string) =>
    ((await ask(api, 'GET', `${ALARMS}?${query}`, { token })).body.alarms as { alarmId: string }[]).map(
      ({ alarmId }) => alarmId,
    );

  test.each([
    ['siteId=north', [1, 2]],
    ['hostId=box-2', [2]],
    ['hostId=box-9', []],
    ['error=lowMemory', [2, 3]],
    ['error=lowMemory&siteId=south&status=active', [3]],
    ['status=cleared', []],
  ])('is found by %s', async (query, expected) => {
    expect(await ids(query)).toEqual(expected.map(id));
  });

  test('says that it is late, and that no one was notified', async () => {
    expect((await ask(api, 'GET', `${ALARMS}/${id(2)}`, { token })).body).toMatchObject({
      alarm: { late: true, untold: true, deliveries: [] },
    });
    expect((await ask(api, 'GET', `${ALARMS}/${id(1)}`, { token })).body.alarm).not.toHaveProperty('untold');
  });

  test('shows how its tenant was notified', async () => {
    const relay = {
      tenant,
      body: { errorDetails: { status: 'raised' } },
      state: 'waiting' as const,
      createdAt: 5,
      notBefore: 5,
      deadline: 9,
      attempts: 0,
      refusals: 0,
      lastError: null,
      alarm: id(1),
    };
    await api.database.store.withTx(async (tx) => {
      await insertRelay(tx, { ...relay, id: '01jrelay0000000000000000a1' });
      await insertRelay(tx, {
        ...relay,
        id: '01jrelay0000000000000000a2',
        body: { errorDetails: { status: 'cleared' } },
      });
      await updateRelay(tx, '01jrelay0000000000000000a1', {
        state: 'done',
        attempts: 2,
        code: 204,
        tookMs: 38,
        settledAt: 9,
      });
    });
    expect((await ask(api, 'GET', `${ALARMS}/${id(1)}`, { token })).body).toMatchObject({
      alarm: {
        deliveries: [
          { says: 'raised', state: 'done', attempts: 2, code: 204, tookMs: 38, settledAt: 9 },
          { says: 'cleared', state: 'waiting', attempts: 0 },
        ],
      },
    });
  });

  test('is sent once more where that was given up, and only there', async () => {
    const resend = () => ask(api, 'POST', `${ALARMS}/${id(1)}/resend`, { token });
    expect(await resend()).toMatchObject({ status: 409 });
    const dead = { tenant, body: {}, createdAt: 5, notBefore: 5, deadline: 9, attempts: 3, refusals: 3 };
    const lost = { ...dead, lastError: 'answered 410', alarm: id(1), settledAt: 9 };
    await api.database.store.withTx(async (tx) => {
      await insertRelay(tx, { ...lost, id: '01jrelay0000000000000000a1', state: 'dead' });
      await insertRelay(tx, { ...lost, id: '01jrelay0000000000000000a2', state: 'done' });
    });
    expect(await resend()).toMatchObject({ status: 200, body: { taken: 1 } });
    const due = await api.database.store.withTx((tx) => claimRelays(tx, 'r1', api.clock.now, 10, 60_000));
    expect(due).toMatchObject([
      {
        id: '01jrelay0000000000000000a1',
        refusals: 0,
        attempts: 3,
        deadline: api.clock.now + 7 * 86_400_000,
      },
    ]);
    expect(await resend()).toMatchObject({ status: 409 });
    const [entry] = (await auditAfter(api.database.store, tenant, 0, 100)).slice(-1);
    expect(entry).toMatchObject({ action: 'resend', detail: { deliveries: ['01jrelay0000000000000000a1'] } });
    const foreign = await makeTenant(api, 'b.test');
    expect((await ask(api, 'POST', `/site/b.test/alarm/${id(1)}/resend`, { token: foreign })).status).toBe(
      404,
    );
  });

  test('takes remarks, oldest first, and the log says who wrote and not what', async () => {
    const note = (text: string) => ask(api, 'POST', `${ALARMS}/${id(1)}/note`, { token, body: { text } });
    expect((await note('  drove there ')).status).toBe(200);
    api.clock.now += 1_000;
    await note('fuse');
    expect((await note('   ')).status).toBe(400);
    expect((await ask(api, 'GET', `${ALARMS}?siteId=north`, { token })).body).toMatchObject({
      alarms: [{ notes: [{ text: 'drove there' }, { text: 'fuse', at: api.clock.now }] }, {}],
    });
    const [entry] = (await auditAfter(api.database.store, tenant, 0, 100)).slice(-1);
    expect(entry).toMatchObject({ action: 'note', entityId: id(1) });
    expect(JSON.stringify(entry)).not.toContain('fuse');
  });

  test('is no matter of another tenant', async () => {
    const foreign = await makeTenant(api, 'b.test');
    expect((await ask(api, 'GET', `/site/b.test/alarm/${id(1)}`, { token: foreign })).status).toBe(404);
    expect(
      (await ask(api, 'POST', `/site/b.test/alarm/${id(1)}/note`, { token: foreign, body: { text: 'x' } }))
        .status,
    ).toBe(404);
  });
});
