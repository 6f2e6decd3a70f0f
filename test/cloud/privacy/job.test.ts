import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { privacyRouter } from '#cloud/http/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { createPrivacyDesk, privacyRound } from '#cloud/privacy/index.ts';
import {
  auditAfter,
  insertAlarm,
  insertHost,
  insertRelay,
  insertSiteEvents,
  listAlarms,
  putBulkJob,
  readBulkJob,
  readHostStatus,
  tenantByDomain,
  updateHost,
  updateHostStatus,
  updateRelay,
} from '#cloud/store/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import { fail, ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from '../http/api.ts';

const NUMBER = '+46701234567';
const PATH = '/provisioning/personaldata/a.test';

let api: TestApi;
let token: string;
let tenant: string;
let dropped: string[];
let asked: { op: string; args: Record<string, unknown> }[];
/** What the host answers; undefined: it is away. */
let host: ((op: string, args: Record<string, unknown>) => Partial<RemoteResponse>) | undefined;
/** uids of hosts that are away. */
const away = new Set<string>();
let round: () => Promise<void>;

beforeEach(async () => {
  dropped = [];
  asked = [];
  host = (op) => ({ data: op === 'privacy.export' ? { rows: [] } : { removed: {}, files: [] } });
  api = await openApi({}, async (store) => {
    const port = {
      ...{ store, ...digest, begun: () => undefined, breathe: async () => undefined },
      nowMs: () => api.clock.now,
      ask: async (uid: string, { op, args: said }: { op: string; args: Record<string, unknown> }) => {
        const args = { ...said, uid };
        if (host === undefined || away.has(uid))
          return fail('unreachable', 'it has no management connection');
        asked.push({ op, args });
        return ok({
          v: 1,
          id: '',
          ok: true,
          data: {},
          part: 1,
          last: true,
          ...host(op, args),
        } as RemoteResponse);
      },
    };
    round = () => privacyRound({ ...port, dropRecording: async (_call, name) => dropped.push(name) });
    return [privacyRouter(createPrivacyDesk(port))];
  });
  token = await makeTenant(api, 'a.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: DEVICE });
  await api.database.store.withTx((tx) =>
    insertHost(tx, {
      ...{ ...HOST_ROW, uid: 'u1', tenant, siteId: 'north', hostId: 'gw-1', sh: '00' },
      ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
    }),
  );
});
afterEach(() => api.close());

const start = (body: object, as = token) => ask(api, 'POST', PATH, { token: as, body });
const erase = () => start({ kind: 'erasure', deviceId: DEVICE.deviceId });
const jobOf = async (started: { body: Record<string, unknown> }) => {
  const { id } = started.body.job as { id: string };
  return (await ask(api, 'GET', `${PATH}/${id}`, { token })).body.job as Record<string, unknown>;
};
const later = (ms: number): void => {
  api.clock.now += ms;
};

const event = (id: string, data: object) => ({
  ...{
    id,
    tenant,
    siteId: 'north',
    uid: 'u1',
    lane: 'alarm',
    seq: 1,
    boot: 1,
    epoch: 1,
    type: 'unknownDevice',
  },
  ...{ at: api.clock.now, receivedAt: api.clock.now, late: false, body: { data } },
});

describe('an erasure', () => {
  test('is refused while an alarm is active at a host, and nothing is removed', async () => {
    host = () => ({ ok: false, error: { code: 'alarmActive', reason: '1 alarm is not over' } });
    expect(await erase()).toMatchObject({
      status: 409,
      body: { reason: 'Nothing was removed. gw-1: 1 alarm is not over.' },
    });
    expect(asked).toMatchObject([{ op: 'privacy.erase', args: { check: true } }]);
    expect((await ask(api, 'GET', PATH, { token })).body.jobs).toEqual([]);
    const path = `/provisioning/device/a.test/${DEVICE.deviceId}`;
    expect((await ask(api, 'GET', path, { token })).status).toBe(200);
  });

  test('waits for a host that is away, is refused or too old, and says why', async () => {
    host = undefined;
    const started = await erase();
    const waits = async (reason: string) => {
      await round();
      expect(await jobOf(started)).toMatchObject({ state: 'pending', hosts: [{ state: 'pending', reason }] });
      later(30_000);
    };
    await waits('it has no management connection');
    host = () => ({ ok: false, error: { code: 'alarmActive', reason: '1 alarm is not over' } });
    await waits('1 alarm is not over');
    host = () => ({ ok: false, error: { code: 'unknownOperation', reason: 'what?' } });
    await waits('its program is too old for that; upgrade it, or remove the host');
    host = () => ({ data: { removed: { session: 3 }, files: ['audit-1.wav'] } });
    await round();
    const over = await jobOf(started);
    expect(over).toMatchObject({
      state: 'done',
      report: { device: 1 },
      hosts: [{ state: 'done', report: { session: 3 } }],
    });
    expect(over).not.toHaveProperty('deviceId');
    expect(dropped).toEqual(['audit-1.wav']);
  });

  test('does not ask a host that could not yet at every look', async () => {
    host = () => ({ ok: false, error: { code: 'owed', reason: '2 messages wait' } });
    await erase();
    asked = [];
    later(1_000);
    for (let at = 0; at < 3; at++) await round();
    expect(asked).toHaveLength(1);
  });

  test('needs no host that has left', async () => {
    host = undefined;
    const started = await erase();
    await api.database.store.withTx((tx) => updateHost(tx, 'u1', { lifecycle: 'decommissioned' }));
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'done' });
  });

  test('asks each host of a site once more when all of it have erased, for they keep copies for each other', async () => {
    await api.database.store.withTx(async (tx) => {
      for (const [uid, siteId] of [
        ['u2', 'north'],
        ['u3', 'south'],
      ] as const)
        await insertHost(tx, {
          ...{ ...HOST_ROW, uid, tenant, siteId, hostId: uid, sh: '00' },
          ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
        });
    });
    const passes: Record<string, number> = {};
    away.add('u2');
    host = (_op, { uid }) => {
      passes[String(uid)] = (passes[String(uid)] ?? 0) + 1;
      return { data: { removed: { copy: 1 }, files: [] } };
    };
    const started = await erase();
    for (const uid of Object.keys(passes)) delete passes[uid];
    const turn = async () => {
      await round();
      later(30_000);
    };
    for (let n = 0; n < 3; n++) await turn();
    expect(passes).toEqual({ u1: 1, u3: 1 });
    expect(await jobOf(started)).toMatchObject({ state: 'pending' });
    away.clear();
    await turn();
    expect(passes).toEqual({ u1: 1, u2: 1, u3: 1 });
    await turn();
    expect(passes).toEqual({ u1: 2, u2: 2, u3: 1 });
    const over = await jobOf(started);
    expect(over).toMatchObject({ state: 'done' });
    const hosts = over.hosts as { hostId: string; report: { copy: number } }[];
    expect(hosts.map(({ hostId, report }) => [hostId, report.copy])).toEqual([
      ['gw-1', 2],
      ['u2', 2],
      ['u3', 1],
    ]);
  });

  test('by number leaves what others said, keeps the audit, and waits for a delivery', async () => {
    const { store } = api.database;
    const relay = {
      ...{ id: 'r1', tenant, body: { sourceNumber: NUMBER }, state: 'waiting' as const, createdAt: 1 },
      ...{ notBefore: 0, deadline: 9, attempts: 0, refusals: 0, lastError: null },
    };
    await store.withTx(async (tx) => {
      await insertSiteEvents(tx, [
        event('e1', { sipFrom: `sip:${NUMBER}@gw.example` }),
        event('e2', { sipFrom: 'sip:+467012345678@gw.example' }),
      ]);
      await insertRelay(tx, relay);
    });
    const started = await start({ kind: 'erasure', address: '0046 70-123 45 67' });
    expect(started.status).toBe(200);
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'pending', hosts: [{ state: 'done' }] });
    await store.withTx((tx) => updateRelay(tx, 'r1', { state: 'done' }));
    await round();
    expect(await jobOf(started)).toMatchObject({ state: 'done', report: { event: 1, delivery: 1 } });
    const log = await ask(api, 'GET', '/provisioning/log/a.test', { token });
    expect(log.body.entries).toMatchObject([
      { id: 'e1', details: { erased: true } },
      { id: 'e2', details: { sipFrom: 'sip:+467012345678@gw.example' } },
    ]);
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

  test('is in the audit log under a name that only who kept its salt can lead back', async () => {
    const erasedOnce = async () => {
      const started = await start({ kind: 'erasure', address: NUMBER });
      const { subjectHash, subjectSalt } = started.body.job as Record<string, string>;
      await round();
      const over = await jobOf(started);
      expect(over).toMatchObject({ state: 'done', subjectHash });
      expect(over).not.toHaveProperty('subjectSalt');
      return { subjectHash, subjectSalt };
    };
    const [one, two] = [await erasedOnce(), await erasedOnce()];
    expect(one.subjectHash).toBe(digest.sha256(`${one.subjectSalt} ${NUMBER}`));
    expect(two.subjectHash).not.toBe(one.subjectHash);
    const log = JSON.stringify(await auditAfter(api.database.store, tenant, 0, 100));
    expect(log).toContain(one.subjectHash);
    const { personalDataJob } = api.database.store.tables;
    const rows = JSON.stringify(await api.database.store.db.select().from(personalDataJob));
    for (const known of [one.subjectSalt, two.subjectSalt, NUMBER]) {
      expect(log).not.toContain(known);
      expect(rows).not.toContain(known);
    }
    // What anybody can try who knows the tenant.
    for (const guess of [NUMBER, `${tenant} ${NUMBER}`]) expect(log).not.toContain(digest.sha256(guess));
  });

  test('leaves no older contents of the device behind', async () => {
    await ask(api, 'PUT', '/provisioning/device/a.test', { token, body: { ...DEVICE, description: 'Anna' } });
    await erase();
    await round();
    const { configChange: t } = api.database.store.tables;
    const rows = await api.database.store.db.select().from(t);
    expect(rows.filter(({ id }) => id === DEVICE.deviceId).map(({ op }) => op)).toEqual(['delete']);
  });
});

describe('an export', () => {
  test('puts the pages of a host together and masks secrets', async () => {
    const piece = (at: number, text: string) => ({ kind: 'event', key: 'event 1', piece: at, of: 2, text });
    host = (_, { after }) =>
      after === undefined
        ? { data: { rows: [piece(0, '{"id":')], next: '1.1.1' } }
        : { data: { rows: [piece(1, '"x"}')] } };
    const body = { ...DEVICE, authType: 'userid', password: 'very secret 1' };
    await ask(api, 'PUT', '/provisioning/device/a.test', { token, body });
    const started = await start({ kind: 'export', deviceId: DEVICE.deviceId });
    await round();
    const { id } = started.body.job as { id: string };
    const document = await ask(api, 'GET', `${PATH}/${id}/document`, { token });
    expect(document.body).toMatchObject({
      complete: true,
      hosts: [{ hostId: 'gw-1', complete: true, rows: { event: [{ id: 'x' }] } }],
    });
    expect(document.body.cloud).toMatchObject({ device: [{ deviceId: DEVICE.deviceId }] });
    expect(JSON.stringify(document.body)).not.toMatch(/very secret|"ha1":"[0-9a-f]/);
  });

  test('is for those who may change things, of their own tenant', async () => {
    const other = await makeTenant(api, 'b.test');
    const reader = await makeTenant(api, 'c.test', 'read');
    expect((await start({ kind: 'export', address: NUMBER }, other)).status).toBe(403);
    const own = await ask(api, 'POST', '/provisioning/personaldata/c.test', {
      token: reader,
      body: { kind: 'export', address: NUMBER },
    });
    expect(own.status).toBe(403);
    const erased = await jobOf(await erase());
    expect((await ask(api, 'GET', `${PATH}/${String(erased.id)}/document`, { token })).status).toBe(409);
  });
});
