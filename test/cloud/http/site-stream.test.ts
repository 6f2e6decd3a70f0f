import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { siteStreamRouter } from '#cloud/http/index.ts';
import { digest } from '#cloud/io/digest/index.ts';
import { shownAlarm } from '#cloud/monitoring/index.ts';
import { createSiteChanges, type SiteChanges } from '#cloud/site/index.ts';
import {
  type HostRow,
  insertAlarm,
  insertHost,
  insertOperation,
  tenantByDomain,
  updateAlarm,
  updateHost,
  updateHostStatus,
  updateOperation,
} from '#cloud/store/index.ts';
import { type SiteNews, siteNewsSchema } from '#shared/contract/site/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, makeTenant, openApi, type TestApi } from './api.ts';

const STREAM = '/site/a.test/stream';

let api: TestApi;
let event: SiteChanges;
let token: string;
let tenant: string;
let due: (() => void)[];
let hangUps: number[];
const open: Stream[] = [];

beforeEach(async () => {
  due = [];
  hangUps = [];
  api = await openApi({}, async (store) => {
    event = createSiteChanges({
      store,
      nowMs: () => api.clock.now,
      random: digest.random,
      after: (_, run) => void due.push(run),
      shownAlarm,
      onFault: (reason) => {
        throw new Error(reason);
      },
    });
    return [siteStreamRouter(event, () => hangUps.push(1))];
  });
  token = await makeTenant(api, 'a.test');
  tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
});
afterEach(async () => {
  for (const stream of open.splice(0)) await stream.close();
  await event.close();
  expect(api.defects).toEqual([]);
  await api.close();
});

/** The stream as a browser reads it. */
class Stream {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  #text = '';
  over = false;

  constructor(body: ReadableStream<Uint8Array>) {
    this.#reader = body.getReader();
    open.push(this);
  }

  /** The next block that is not about when to come back: its fields, or the comment. */
  async next(): Promise<SiteNews | ':' | undefined> {
    for (;;) {
      const end = this.#text.indexOf('\n\n');
      if (end >= 0) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        if (block.startsWith('retry:')) continue;
        if (block === ':') return ':';
        const fields = Object.fromEntries(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
        );
        return siteNewsSchema.parse({ ...fields, data: JSON.parse(fields.data ?? '') });
      }
      const { done, value } = await this.#reader.read();
      if (done) {
        this.over = true;
        return undefined;
      }
      this.#text += new TextDecoder().decode(value);
    }
  }

  close = (): Promise<void> => this.#reader.cancel();
}

async function listen(headers: Record<string, string> = {}, path = STREAM): Promise<Stream> {
  const answer = await api.app.request(path, { headers: { Authorization: `Bearer ${token}`, ...headers } });
  expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/event-stream']);
  return new Stream(answer.body as ReadableStream<Uint8Array>);
}

/** Written changes are gathered and announced. */
async function reported(): Promise<void> {
  for (const run of due.splice(0)) run();
  await event.idle();
}

function hostRow(hostId: string, of = tenant): HostRow {
  return {
    uid: `01jhost00000000000000${hostId.padStart(5, '0')}`,
    tenant: of,
    siteId: 'north',
    hostId,
    sh: '00',
    lifecycle: 'active',
    lifecycleSince: 0,
    ...HOST_ROW,
    createdAt: 0,
  };
}

async function addHost(hostId: string, of = tenant): Promise<string> {
  const row = hostRow(hostId, of);
  await api.database.store.withTx((tx) => insertHost(tx, row));
  return row.uid;
}

const set = (uid: string, status: object) =>
  api.database.store.withTx((tx) => updateHostStatus(tx, uid, status));

describe('GET /site/{domain}/stream', () => {
  test('begins with reset, then reports hosts, operations and alarms as they change', async () => {
    const uid = await addHost('box-1');
    const stream = await listen();
    expect(await stream.next()).toMatchObject({ event: 'reset', data: {} });
    await event.idle();

    await set(uid, { connectivity: 'online' });
    await reported();
    expect(await stream.next()).toMatchObject({ event: 'host', data: { hostId: 'box-1', status: 'online' } });

    const operation = {
      id: '01joperation00000000000001',
      tenant,
      siteId: 'north',
      hostId: 'box-1',
      uid,
      type: 'drain' as const,
      state: 'running' as const,
      steps: [{ step: 'calls', state: 'waiting' }],
      reason: null,
      deadline: null,
      createdAt: 1,
      updatedAt: 1,
      endedAt: null,
    };
    await api.database.store.withTx((tx) => insertOperation(tx, operation));
    await reported();
    await api.database.store.withTx((tx) =>
      updateOperation(tx, operation.id, {
        state: 'blocked',
        steps: [{ step: 'calls', state: 'blocked', calls: 1 }],
      }),
    );
    await reported();
    expect(await stream.next()).toMatchObject({ event: 'operation', data: { state: 'running' } });
    expect(await stream.next()).toMatchObject({
      event: 'operation',
      data: { state: 'blocked', steps: [{ step: 'calls', calls: 1 }] },
    });

    const alarm = {
      error: 'noHeartbeatReply',
      service: '',
      status: 'active' as const,
      details: { hostId: 'box-1' },
    };
    const at = { raisedAt: 5, clearedAt: null, acknowledgedAt: null, toldAt: 5 };
    await api.database.store.withTx((tx) =>
      insertAlarm(tx, { id: '01jalarm0000000000000000a1', tenant, siteId: 'north', uid, ...alarm, ...at }),
    );
    await reported();
    await api.database.store.withTx((tx) =>
      updateAlarm(tx, '01jalarm0000000000000000a1', { status: 'cleared', clearedAt: 9 }),
    );
    await reported();
    expect(await stream.next()).toMatchObject({
      event: 'alarm',
      data: { status: 'active', hostId: 'box-1' },
    });
    expect(await stream.next()).toMatchObject({ event: 'alarm', data: { status: 'cleared', clearedAt: 9 } });
  });

  test('a row written without a visible change is no event, and many writes at once are one', async () => {
    const uid = await addHost('box-1');
    const stream = await listen();
    await stream.next();
    await event.idle();
    await set(uid, { lastSeen: 7 });
    await reported();
    await set(uid, { connectivity: 'online' });
    await set(uid, { connectivity: 'unstable' });
    await reported();
    expect(await stream.next()).toMatchObject({ event: 'host', data: { status: 'unstable' } });
  });

  test('an uncommitted transaction reaches no one', async () => {
    const uid = await addHost('box-1');
    const stream = await listen();
    await stream.next();
    await event.idle();
    const failed = api.database.store.withTx(async (tx) => {
      await updateHostStatus(tx, uid, { connectivity: 'online' });
      throw new Error('no');
    });
    await expect(failed).rejects.toThrow('no');
    await reported();
    expect(due).toEqual([]);
    event.beat();
    expect(await stream.next()).toBe(':');
  });

  test('says that a host is removed, and that a new one is there', async () => {
    const uid = await addHost('box-1');
    const stream = await listen();
    await stream.next();
    await event.idle();
    await addHost('box-2');
    await reported();
    expect(await stream.next()).toMatchObject({ event: 'host', data: { hostId: 'box-2' } });
    await api.database.store.withTx((tx) => updateHost(tx, uid, { lifecycle: 'decommissioned' }));
    await reported();
    expect(await stream.next()).toMatchObject({ event: 'gone', data: { siteId: 'north', hostId: 'box-1' } });
  });

  test('goes on after Last-Event-ID, and says where it cannot', async () => {
    const uid = await addHost('box-1');
    const first = await listen();
    const begin = await first.next();
    await event.idle();
    await first.close();
    await set(uid, { connectivity: 'online' });
    await reported();

    const lastId = typeof begin === 'object' ? begin.id : '';
    const again = await listen({ 'Last-Event-ID': lastId });
    expect(await again.next()).toMatchObject({ event: 'host', data: { status: 'online' } });
    for (const strange of ['01jother-4', `${lastId.split('-')[0]}-999`, 'nonsense', '-1'])
      expect(await (await listen({ 'Last-Event-ID': strange })).next()).toMatchObject({ event: 'reset' });
    for (let n = 0; n <= 1_000; n += 100)
      await api.database.store.withTx(async (tx) => {
        for (let of = n; of < n + 100; of++) await insertHost(tx, hostRow(`n${of}`));
      });
    await reported();
    expect(await (await listen({ 'Last-Event-ID': lastId })).next()).toMatchObject({ event: 'reset' });
  });

  test('a connection that reads nothing keeps no place in memory, and is let go after a minute', async () => {
    await listen();
    for (let n = 0; n < 8 && hangUps.length === 0; n++) {
      await set(await addHost(`b${n}`), { connectivity: 'online' });
      await reported();
      event.beat();
    }
    expect(hangUps).toHaveLength(1);
  });

  test('gives a sign of life, and ends when the token does', async () => {
    const stream = await listen();
    await stream.next();
    const waiting = stream.next();
    await new Promise(setImmediate);
    event.beat();
    expect(await waiting).toBe(':');
    const made = await ask(api, 'GET', '/provisioning/apitoken/a.test');
    const [own] = made.body.apitokens as { id: string }[];
    const removed = await ask(api, 'DELETE', `/provisioning/apitoken/a.test/${own?.id}`);
    expect(removed.status).toBe(200);
    const end = stream.next();
    await new Promise(setImmediate);
    event.beat();
    expect(await end).toBeUndefined();
    expect((await ask(api, 'GET', STREAM, { token })).status).toBe(401);
  });

  test('sends a tenant nothing of another one, and opens to no one else', async () => {
    const other = await makeTenant(api, 'b.test');
    const b = (await tenantByDomain(api.database.store, 'b.test'))?.id ?? '';
    const stream = await listen();
    await stream.next();
    await event.idle();
    await set(await addHost('box-9', b), { connectivity: 'online' });
    await reported();
    const waiting = stream.next();
    await new Promise(setImmediate);
    event.beat();
    expect(await waiting).toBe(':');
    expect((await ask(api, 'GET', STREAM, { token: other })).status).toBe(403);
    expect((await ask(api, 'GET', STREAM, { token: null })).status).toBe(401);
    const runtime = await makeTenant(api, 'a.test', 'runtime');
    expect((await ask(api, 'GET', STREAM, { token: runtime })).status).toBe(403);
  });

  test('a hundred may listen, the next one is asked to wait', async () => {
    for (let n = 0; n < 100; n++) await listen();
    const refused = await ask(api, 'GET', STREAM, { token });
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'tooManyRequests' } } });
    expect(refused.headers.get('Retry-After')).toBe('30');
    await open[0]?.close();
    await listen();
  });
});
