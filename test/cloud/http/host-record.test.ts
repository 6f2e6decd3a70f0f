import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { currentRevision, updateHostStatus } from '#cloud/store/index.ts';
import { ask, type TestApi } from './api.ts';
import { HOST, type HostStage, openHostStage } from './host-stage.ts';

let stage: HostStage;
let api: TestApi;
let token: string;
let uid: string;

beforeEach(async () => {
  stage = await openHostStage();
  ({ api, token } = stage);
  uid = await stage.serving('box-1');
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

const SECRET = 'a secret of the receiver';
const bridge = {
  protocol: 'scaip',
  name: 'North',
  destinationMatch: '^north$',
  callbackBaseUrl: 'https://arc.example/callback',
  restAuthentication: [{ sub: 'carillon', secret: SECRET, type: 'HS256' }],
};
const diff = async () => (await ask(api, 'GET', `${HOST}/diff`, { token })).body.changes as Changed[];
interface Changed {
  readonly entity: string;
  readonly id: string;
  readonly refused: boolean;
  readonly hidden?: true;
  readonly before?: Record<string, unknown>;
  readonly after?: Record<string, unknown>;
}
const set = (status: Parameters<typeof updateHostStatus>[2]) =>
  api.database.store.withTx((tx) => updateHostStatus(tx, uid, status));

describe('the present and the offered configuration of a host', () => {
  test('stands by entity with what it was and would be, without any secret', async () => {
    const made = await ask(api, 'POST', '/provisioning/alarmbridge/a.test', { token, body: bridge });
    const id = String(made.body.id);
    await set({ revTenant: 1_000_000 });
    expect((await diff()).filter(({ entity }) => entity === 'alarmbridge')).toEqual([]);
    // As if the host had applied everything up to here, and the bridge was changed twice behind it.
    await set({ revTenant: await currentRevision(api.database.store, 'tenant', stage.tenant) });
    for (const name of ['South', 'West'])
      await ask(api, 'PATCH', `/provisioning/alarmbridge/a.test/${id}`, {
        token,
        body: [{ op: 'replace', path: '/name', value: name }],
        headers: { 'Content-Type': 'application/json-patch+json' },
      });
    const [changed, ...rest] = (await diff()).filter(({ entity }) => entity === 'alarmbridge');
    expect(rest).toEqual([]);
    expect(changed).toMatchObject({ id, before: { name: 'North' }, after: { name: 'West' }, refused: false });
    expect(JSON.stringify(changed)).not.toContain(SECRET);
    expect(JSON.stringify(changed)).not.toContain('hashSalt');
  });
  test('shows refused ones first, and those with keys are named and not shown', async () => {
    const made = await ask(api, 'POST', '/provisioning/alarmbridge/a.test', { token, body: bridge });
    const id = String(made.body.id);
    await ask(api, 'POST', '/provisioning/alarmbridge/a.test', {
      token,
      body: { ...bridge, name: 'Earlier by name', destinationMatch: '^south$' },
    });
    const errors = [
      { code: 'regexUnsupported', path: `/alarmbridge/${id}/destinationMatch`, msg: 'lookahead' },
    ];
    await set({ nacked: { tenant: 9 }, refusals: { tenant: { rev: 9, errors, at: 1 } } });
    const all = await diff();
    expect(all[0]).toMatchObject({ entity: 'alarmbridge', id, refused: true, after: { name: 'North' } });
    expect(all.filter(({ refused }) => refused)).toHaveLength(1);
    const keys = all.filter(
      ({ entity }) => entity === 'apitoken' || entity === 'apikey' || entity === 'verifykey',
    );
    for (const each of keys) {
      expect(each).toMatchObject({ hidden: true });
      expect(each.after).toBeUndefined();
    }
    expect(keys.length).toBeGreaterThan(0);
  });
  test('is 404 without such a host', async () => {
    expect((await ask(api, 'GET', HOST.replace('box-1', 'box-9').concat('/diff'), { token })).status).toBe(
      404,
    );
  });
});

describe('the history of a host', () => {
  const audit = (query = '') => ask(api, 'GET', `${HOST}/audit${query}`, { token });

  test('stands apart from what was done to others, newest first, page by page', async () => {
    const other = await stage.serving('box-2');
    await ask(api, 'PUT', `${HOST}/labels`, { token, body: { labels: ['room=b'] } });
    await ask(api, 'PUT', `${HOST.replace('box-1', 'box-2')}/labels`, {
      token,
      body: { labels: ['room=c'] },
    });
    const first = await audit('?limit=1');
    expect(first.body.entries).toMatchObject([
      { action: 'label', entityId: uid, detail: { after: ['room=b'] } },
    ]);
    const all = (await audit()).body.entries as { entityId: string; seq: number }[];
    expect(all.length).toBeGreaterThan(1);
    expect(all.every(({ entityId }) => entityId === uid)).toBe(true);
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => b - a));
    expect(all.some(({ entityId }) => entityId === other)).toBe(false);
    const second = await audit(`?limit=1&nextToken=${String(first.body.nextToken)}`);
    expect(second.body.entries).toMatchObject([{ seq: all[1]?.seq }]);
  });
  test('is for those who may read the audit log', async () => {
    const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', {
      token,
      body: { scope: 'read' },
    });
    const answer = await ask(api, 'GET', `${HOST}/audit`, { token: String(made.body.token) });
    expect(answer.status).toBe(403);
  });
  test('is refused without such a host, and from a place that is of no list', async () => {
    expect((await ask(api, 'GET', `${HOST.replace('box-1', 'box-9')}/audit`, { token })).status).toBe(404);
    const elsewhere = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
    expect((await audit(`?nextToken=${elsewhere}`)).status).toBe(400);
  });
});

test('a host that says more of itself: term, clock, last known good revisions', async () => {
  const kept = { platform: 3, tenant: 9, site: 2, host: 1 };
  await set({ facts: { epoch: 4, clockSync: false, good: false, kept } });
  expect((await ask(api, 'GET', HOST, { token })).body).toMatchObject({
    host: { epoch: 4, clockSynchronised: false, revisions: { lastKnownGood: false, kept } },
  });
});
