import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { digest } from '#cloud/io/digest/index.ts';
import {
  auditAfter,
  insertHost,
  insertRelay,
  insertSiteEvents,
  updateHost,
  updateRelay,
} from '#cloud/store/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, DEVICE, makeTenant, type TestApi } from '../http/api.ts';
import { NUMBER, PATH, type PrivacyStage, privacyStage } from './stage.ts';

let stage: PrivacyStage;
let api: TestApi;
let token: string;
let tenant: string;
const start: PrivacyStage['start'] = (...words) => stage.start(...words);
const erase: PrivacyStage['erase'] = () => stage.erase();
const jobOf: PrivacyStage['jobOf'] = (started) => stage.jobOf(started);
const round = (): Promise<number | undefined> => stage.round();

beforeEach(async () => {
  stage = await privacyStage();
  ({ api, token, tenant } = stage);
});
afterEach(() => api.close());

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
    stage.host = () => ({ ok: false, error: { code: 'alarmActive', reason: '1 alarm is not over' } });
    expect(await erase()).toMatchObject({
      status: 409,
      body: {
        reason:
          'The erasure is refused: gw-1: 1 alarm is not over. Nothing was removed. Ask again when no alarm is active.',
      },
    });
    expect(stage.asked).toMatchObject([{ op: 'privacy.erase', args: { check: true } }]);
    expect((await ask(api, 'GET', PATH, { token })).body.jobs).toEqual([]);
    const path = `/provisioning/device/a.test/${DEVICE.deviceId}`;
    expect((await ask(api, 'GET', path, { token })).status).toBe(200);
  });

  test('waits for a host that is away, is refused or too old, and says why', async () => {
    stage.host = undefined;
    const started = await erase();
    const waits = async (reason: string) => {
      await round();
      expect(await jobOf(started)).toMatchObject({ state: 'pending', hosts: [{ state: 'pending', reason }] });
      stage.later(30_000);
    };
    await waits('The request did not reach the host: it has no management connection. Check its uplink.');
    stage.host = () => ({ ok: false, error: { code: 'alarmActive', reason: '1 alarm is not over' } });
    await waits('1 alarm is not over');
    stage.host = () => ({ ok: false, error: { code: 'unknownOperation', reason: 'what?' } });
    await waits('the program of the host is too old; upgrade it, or remove the host');
    stage.host = () => ({ data: { removed: { session: 3 }, files: ['audit-1.wav'] } });
    await round();
    const over = await jobOf(started);
    expect(over).toMatchObject({
      state: 'done',
      report: { device: 1 },
      hosts: [{ state: 'done', report: { session: 3 } }],
    });
    expect(over).not.toHaveProperty('deviceId');
    expect(stage.dropped).toEqual(['audit-1.wav']);
  });

  test('does not ask a host that could not yet at every look', async () => {
    stage.host = () => ({ ok: false, error: { code: 'owed', reason: '2 messages wait' } });
    await erase();
    stage.asked = [];
    stage.later(1_000);
    for (let at = 0; at < 3; at++) await round();
    expect(stage.asked).toHaveLength(1);
  });

  test('says when a host that answered may be asked again, and waits for the return of one that did not', async () => {
    const AGAIN_MS = 20_000;
    await api.database.store.withTx((tx) =>
      insertHost(tx, {
        ...{ ...HOST_ROW, uid: 'u2', tenant, siteId: 'north', hostId: 'gw-2', sh: '00' },
        ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
      }),
    );
    stage.away.add('u2');
    stage.host = () => ({ ok: false, error: { code: 'owed', reason: '2 messages wait' } });
    await erase();
    stage.later(1_000);
    const dueMs = api.clock.now + AGAIN_MS;
    expect(await round()).toBe(dueMs);
    stage.later(5_000);
    expect(await round()).toBe(dueMs);
    stage.host = () => ({ data: { removed: {}, files: [] } });
    stage.later(15_000);
    // It has erased, and only the other one can make it go on.
    expect(await round()).toBeUndefined();
    stage.away.delete('u2');
    stage.later(60_000);
    const bothMs = api.clock.now;
    // The first one may be asked at once, the other one after its time.
    expect(await round()).toBe(bothMs - 60_000 + AGAIN_MS);
    expect(await round()).toBe(bothMs + AGAIN_MS);
    // One that is silent in its second turn is waited for, and not asked without a pause.
    stage.away.add('u2');
    stage.later(AGAIN_MS);
    expect(await round()).toBeUndefined();
    stage.away.delete('u2');
    expect(await round()).toBeUndefined();
    expect(await round()).toBeUndefined();
  });

  test('needs no host that has left', async () => {
    stage.host = undefined;
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
    stage.away.add('u2');
    stage.host = (_op, { uid }) => {
      passes[String(uid)] = (passes[String(uid)] ?? 0) + 1;
      return { data: { removed: { copy: 1 }, files: [] } };
    };
    const started = await erase();
    for (const uid of Object.keys(passes)) delete passes[uid];
    const turn = async () => {
      await round();
      stage.later(30_000);
    };
    for (let n = 0; n < 3; n++) await turn();
    expect(passes).toEqual({ u1: 1, u3: 1 });
    expect(await jobOf(started)).toMatchObject({ state: 'pending' });
    stage.away.clear();
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
    // Attempts of a stranger who knows the tenant.
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
    stage.host = (_, { after }) =>
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
    // An earlier one of the same person would stand in it.
    expect(document.body.cloud).not.toHaveProperty('export');
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
