import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { insertSiteEvents, updateHostStatus } from '#cloud/store/index.ts';
import { ulid } from '#shared/id.ts';
import { ask, makeTenant, type TestApi } from './api.ts';
import { type HostStage, openHostStage } from './host-stage.ts';

let stage: HostStage;
let api: TestApi;
let uids: Record<'box-1' | 'box-2', string>;

beforeEach(async () => {
  stage = await openHostStage();
  ({ api } = stage);
  uids = { 'box-1': await stage.serving('box-1'), 'box-2': await stage.serving('box-2') };
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

const read = (path: string, token = stage.token) => ask(api, 'GET', `/site/a.test/${path}`, { token });

async function said(hostId: keyof typeof uids, set: Parameters<typeof updateHostStatus>[2]): Promise<void> {
  await api.database.store.withTx((tx) => updateHostStatus(tx, uids[hostId], set));
}

let seq = 0;
/** An event as a host of the site sent it. */
async function sent(
  hostId: keyof typeof uids,
  at: number,
  data: object,
  changes: object = {},
): Promise<void> {
  seq += 1;
  const { type = 'siteRole', origin } = changes as { type?: string; origin?: object };
  const row = {
    id: ulid(at, new Uint8Array(10).fill(seq)),
    tenant: stage.tenant,
    siteId: 'north',
    uid: uids[hostId],
    lane: 'svc',
    seq,
    boot: 1,
    epoch: 4,
    type,
    at,
    receivedAt: at + 5,
    late: false,
    body: { data, mono: 1, ...(origin && { origin }) },
  };
  await api.database.store.withTx((tx) => insertSiteEvents(tx, [row]));
}

const role = (changes: object) => ({ epoch: 4, roles: [], cause: 'other', ...changes });

describe('topology', () => {
  test('says who has which role and who sees whom', async () => {
    await said('box-1', {
      facts: { roles: ['vip', 'leader'], epoch: 4, peers: { 'box-2': 'ok' }, calls: 2 },
    });
    await said('box-2', { facts: { roles: [], epoch: 4, peers: { 'box-1': 'lost' } } });
    expect((await read('north/topology')).body).toMatchObject({
      success: true,
      topology: {
        siteId: 'north',
        epoch: 4,
        vip: ['box-1'],
        leader: ['box-1'],
        hosts: [
          { hostId: 'box-1', roles: ['vip', 'leader'], peers: { 'box-2': 'ok' }, calls: 2 },
          { hostId: 'box-2', roles: [], peers: { 'box-1': 'lost' } },
        ],
      },
    });
  });
  test('two that hold the address are both named, and one that is offline holds nothing', async () => {
    const lastSeen = api.clock.now;
    await said('box-1', { facts: { roles: ['vip'] }, lastSeen });
    await said('box-2', { facts: { roles: ['vip', 'leader'] }, lastSeen });
    expect((await read('north/topology')).body).toMatchObject({
      topology: { vip: ['box-1', 'box-2'], leader: ['box-2'] },
    });
    await said('box-1', { connectivity: 'offline' });
    expect((await read('north/topology')).body).toMatchObject({ topology: { vip: ['box-2'] } });
  });
  test('a host that was lost just now holds what no other has, and no more', async () => {
    const lastSeen = api.clock.now;
    const roles = async () => {
      const { topology } = (await read('north/topology')).body as { topology: { leader: string[] } };
      return topology.leader;
    };
    const missed = { connectivity: 'suspect', since: lastSeen + 1 } as const;
    await said('box-1', { facts: { roles: ['leader'] }, ...missed, lastSeen });
    expect(await roles()).toEqual(['box-1']);
    await said('box-2', { facts: { roles: ['leader'] }, lastSeen });
    expect(await roles()).toEqual(['box-2']);
    // Its connection is not known to be cut yet, but its heartbeat is late.
    await said('box-1', { connectivity: 'online', lastSeen: lastSeen - 46_000 });
    expect(await roles()).toEqual(['box-2']);
    await said('box-1', { lastSeen: lastSeen - 44_000 });
    expect(await roles()).toEqual(['box-1', 'box-2']);
    // Back, and still called suspect for a minute.
    await said('box-1', { connectivity: 'suspect', since: lastSeen, lastSeen });
    expect(await roles()).toEqual(['box-1', 'box-2']);
    expect((await read('north/topology')).body).toMatchObject({
      topology: { hosts: [{ speaks: true }, {}] },
    });
  });
  test('is refused without such a site, and to a stranger', async () => {
    expect((await read('south/topology')).status).toBe(404);
    const stranger = await makeTenant(api, 'b.test');
    expect((await read('north/topology', stranger)).status).toBe(403);
  });
});

describe('history', () => {
  test('has the changes of roles of the site, newest first, page by page', async () => {
    await sent('box-1', 1_000, role({ roles: ['vip'], gained: ['vip'], cause: 'started', agoMs: 400 }));
    await sent('box-1', 2_000, { deviceId: 'd' }, { type: 'alarmReceived' });
    await sent(
      'box-2',
      3_000,
      role({ epoch: 5, gained: ['vip'], cause: 'hostLost', of: 'box-1', took: ['box-1'] }),
    );
    const first = await read('north/history?limit=1');
    expect(first.body).toMatchObject({
      turns: [{ at: 3_000, hostId: 'box-2', epoch: 5, cause: 'hostLost', of: 'box-1', took: ['box-1'] }],
    });
    const second = await read(`north/history?limit=1&nextToken=${String(first.body.nextToken)}`);
    expect(second.body).toMatchObject({ turns: [{ at: 600, hostId: 'box-1', cause: 'started' }] });
    expect(second.body.nextToken).toBeUndefined();
  });
  test('names the host that saw it, also where another one delivered it', async () => {
    await sent('box-2', 1_000, role({}), { origin: { uid: uids['box-1'], boot: 1, seq: 1 } });
    expect((await read('north/history')).body).toMatchObject({ turns: [{ hostId: 'box-1' }] });
  });
  test('shows what a newer host says as a change, and hides nothing', async () => {
    await sent('box-1', 1_000, { epoch: 'many' });
    expect((await read('north/history')).body).toMatchObject({
      turns: [{ at: 1_000, epoch: 4, cause: 'other', roles: [] }],
    });
  });
  test('refuses a place that is of another list, and of no such site', async () => {
    const token = Buffer.from(JSON.stringify([1, 'elsewhere'])).toString('base64url');
    expect((await read(`north/history?nextToken=${token}`)).status).toBe(400);
    expect((await read('south/history')).status).toBe(404);
  });
});
