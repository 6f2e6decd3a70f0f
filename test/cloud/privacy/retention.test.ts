import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyAudit } from '#cloud/cli/index.ts';
import { expireData } from '#cloud/privacy/index.ts';
import {
  closeMaintenance,
  insertAlarm,
  insertMaintenance,
  insertRelay,
  insertSiteEvents,
  tenantByDomain,
} from '#cloud/store/index.ts';
import { DEFAULT_RETENTION } from '#shared/setting/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { ask, DEVICE, makeTenant, OWNER_TOKEN, openApi, type TestApi } from '../http/api.ts';
import { browserOf, makePerson } from '../http/people.ts';

const DAY_MS = 86_400_000;
let api: TestApi;
let tenant: string;
let token: string;
let made: number;

beforeEach(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
  made = api.clock.now;
});
afterEach(() => api.close());

const round = () =>
  expireData({
    store: api.database.store,
    kept: DEFAULT_RETENTION,
    dropRecording: (call, name) => api.prompts.dropRecording(call, name, 'expire'),
    nowMs: () => api.clock.now,
    breathe: async () => undefined,
  });

const daysLater = (days: number): void => {
  api.clock.now = made + days * DAY_MS;
};

const event = (id: string, lane: string) => ({
  ...{ id, tenant, siteId: 'north', uid: 'u1', lane, seq: 1, boot: 1, epoch: 1, type: 'deviceHeartbeat' },
  ...{ at: made, receivedAt: made, late: false, body: {} },
});

const alarm = (id: string, status: 'active' | 'cleared') => ({
  ...{ id, tenant, siteId: 'north', uid: 'u1', error: 'lowMemory', service: id, status, raisedAt: made },
  ...{ clearedAt: status === 'cleared' ? made : null, acknowledgedAt: null, toldAt: made, details: {} },
});

const relay = (id: string, state: 'waiting' | 'done' | 'dead') => ({
  ...{ id, tenant, body: {}, state, createdAt: made, notBefore: made, deadline: made, attempts: 1 },
  ...{ refusals: 0, lastError: null },
});

const windowOf = (id: string) => ({
  ...{ id, tenant, siteId: 'north', hostId: '', startsAt: made, endsAt: made + 1, reason: 'new switch' },
  ...{ madeBy: 'person:p', madeAt: made, closedAt: null, closedBy: null },
});

/** Ids that are left of each table. */
async function left(): Promise<Record<string, string[]>> {
  const { db, tables } = api.database.store;
  const ids = async (t: typeof tables.relay) =>
    (await db.select({ id: t.id }).from(t).where(eq(t.tenant, tenant))).map(({ id }) => id).toSorted();
  return {
    events: await ids(tables.siteEvent as unknown as typeof tables.relay),
    alarms: await ids(tables.siteAlarm as unknown as typeof tables.relay),
    relays: await ids(tables.relay),
    windows: await ids(tables.maintenanceWindow as unknown as typeof tables.relay),
  };
}

describe('data at the end of its time', () => {
  test('goes class by class, and nothing that stands or is owed', async () => {
    await api.database.store.withTx(async (tx) => {
      await insertSiteEvents(
        tx,
        ['alarm', 'svc', 'audit', 'usage'].map((lane) => event(lane, lane)),
      );
      for (const status of ['active', 'cleared'] as const) await insertAlarm(tx, alarm(status, status));
      for (const state of ['waiting', 'done', 'dead'] as const) await insertRelay(tx, relay(state, state));
      for (const id of ['ended', 'open']) await insertMaintenance(tx, windowOf(id));
      await closeMaintenance(tx, 'ended', made, 'system');
    });
    const all = await left();
    daysLater(14);
    await round();
    expect(await left()).toEqual(all);
    daysLater(14.1);
    expect(await round()).toEqual({ rows: 1 });
    expect((await left()).events).toEqual(['alarm', 'audit', 'svc']);
    daysLater(90.1);
    await round();
    expect(await left()).toEqual({
      events: ['alarm', 'audit'],
      alarms: ['active', 'cleared'],
      relays: ['dead', 'waiting'],
      windows: ['ended', 'open'],
    });
    daysLater(730.1);
    await round();
    expect(await left()).toEqual({ events: [], alarms: ['active'], relays: ['waiting'], windows: ['open'] });
  });

  test('more than one step of events goes in one round', async () => {
    for (let at = 0; at < 3; at++)
      await api.database.store.withTx(async (tx) => {
        const ids = Array.from({ length: 400 }, (_, i) => `e${at}-${String(i).padStart(4, '0')}`);
        await insertSiteEvents(
          tx,
          ids.map((id) => event(id, 'svc')),
        );
      });
    daysLater(91);
    expect(await round()).toEqual({ rows: 1_200 });
  });

  test('recordings go, prompts of people stay', async () => {
    const wav = wavOf(sine(1_000, 1, 8_000), 8_000);
    const put = await api.app.request('/a.test/promptfile/hello.wav', {
      method: 'PUT',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'audio/wav' },
      body: wav,
    });
    expect(put.status).toBe(200);
    const sha256 = createHash('sha256').update(wav).digest('hex');
    const handed = { tenant, host: 'u1', name: 'talk.wav', sha256, at: made };
    expect(await api.prompts.hand(handed, new Response(wav).body)).toMatchObject({ ok: true });
    daysLater(30.1);
    expect(await round()).toEqual({ recordings: 1 });
    const list = await ask(api, 'GET', '/a.test/promptfile', { token });
    expect(list.body.files).toMatchObject([{ name: 'hello.wav' }]);
  });
});

describe('the audit log', () => {
  let close: () => void;
  let baseUrl: string;
  beforeEach(async () => {
    const server = serve({ fetch: api.app.fetch, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    close = () => server.close();
    return close;
  });

  const change = (id: string) =>
    ask(api, 'PUT', '/provisioning/device/a.test', { token, body: { ...DEVICE, deviceId: id } });
  const verify = () => verifyAudit({ baseUrl, token, domain: 'a.test', kept: undefined });
  const audit = () => api.database.store.tables.audit;
  const anchor = () => api.database.store.tables.auditAnchor;

  /** A log of which the first 601 entries are over. */
  async function cut(): Promise<void> {
    for (let at = 0; at < 600; at++) await change(`d-${at}`);
    daysLater(400);
    for (let at = 0; at < 5; at++) await change(`e-${at}`);
    daysLater(731.5);
    expect(await round()).toMatchObject({ audit: 601 });
  }

  test('is whole behind its begin when old entries are deleted', { timeout: 60_000 }, async () => {
    await cut();
    expect(await verify()).toMatchObject({ kind: 'whole', head: { seq: 607 }, begin: { seq: 601 } });
    const { body } = await ask(api, 'GET', '/provisioning/audit/a.test?limit=1', { token });
    expect(body.entries).toMatchObject([{ seq: 602 }]);
    expect(await round()).toEqual({});
    await change('more');
    expect(await verify()).toMatchObject({ kind: 'whole', head: { seq: 608 } });
  });

  test('cut elsewhere, or its begin forged, is broken', { timeout: 60_000 }, async () => {
    await cut();
    const { store } = api.database;
    const [third] = await store.db.select().from(audit()).where(eq(audit().seq, 603)).limit(1);
    await store.withTx(async (tx) => void (await tx.db.delete(audit()).where(eq(audit().seq, 602))));
    expect(await verify()).toMatchObject({ kind: 'broken', seq: 602 });
    await store.withTx(async (tx) => {
      await tx.db.delete(audit()).where(eq(audit().seq, 603));
      const moved = { seq: 603, hash: third?.hash ?? '' };
      await tx.db.update(anchor()).set(moved).where(eq(anchor().tenant, tenant));
    });
    expect(await verify()).toEqual({
      kind: 'broken',
      seq: 603,
      reason: 'Entry 603 is missing, and no entry says that the log begins behind it.',
    });
  });

  test('holds the sign-ins of the platform, which are followed like any entry when older ones are deleted', async () => {
    const person = await makePerson(api, 'a.test', 'anna@a.test', 'admin');
    expect(person.cookie).not.toBe('');
    daysLater(731.5);
    for (let at = 0; at < 3; at++) await browserOf(api, 'anna@a.test');
    await round();
    const own = () => verifyAudit({ baseUrl, token: OWNER_TOKEN, domain: undefined, kept: undefined });
    const whole = await own();
    expect(whole).toMatchObject({ kind: 'whole', begin: { seq: expect.any(Number) as number } });
    const { store } = api.database;
    const signIns = await store.db
      .select()
      .from(audit())
      .where(and(eq(audit().tenant, ''), eq(audit().action, 'sign in')));
    expect(signIns).toHaveLength(3);
    const [, second] = signIns;
    const there = and(eq(audit().tenant, ''), eq(audit().seq, second?.seq ?? 0));
    await store.withTx(
      async (tx) => void (await tx.db.update(audit()).set({ address: '192.0.2.1' }).where(there)),
    );
    expect(await own()).toMatchObject({ kind: 'broken', seq: second?.seq });
  });

  test('keeps its newest entry however old it is', async () => {
    daysLater(2_000);
    await round();
    expect(await verify()).toMatchObject({ kind: 'whole' });
  });
});
