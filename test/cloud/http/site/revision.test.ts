import { afterEach, beforeEach, expect, test } from 'vitest';
import { currentRevision, updateHost, updateHostStatus } from '#cloud/store/index.ts';
import { sine, wavOf } from '#test/appliance/io/prompt/sound.ts';
import { ask, BRIDGE, makeTenant } from '../api.ts';
import { type HostStage, openHostStage } from '../host-stage.ts';

let stage: HostStage;
let uids: Record<'box-1' | 'box-2', string>;

beforeEach(async () => {
  stage = await openHostStage();
  uids = { 'box-1': await stage.serving('box-1'), 'box-2': await stage.serving('box-2') };
});
afterEach(async () => {
  expect(stage.api.defects).toEqual([]);
  await stage.close();
});

const applies = (hostId: keyof typeof uids, revTenant: number) =>
  stage.api.database.store.withTx((tx) => updateHostStatus(tx, uids[hostId], { revTenant }));
const reach = async (revision: number | string, token = stage.token, more = '') =>
  await ask(stage.api, 'GET', `/site/a.test/revision/${revision}${more}`, { token });

/** Time passes for the request that waits, until it is answered. */
async function passed<Answer>(answer: Promise<Answer>, perLook: () => Promise<void>): Promise<Answer> {
  let over = false;
  void answer.finally(() => {
    over = true;
  });
  // A database of its own process answers after any number of looks.
  while (!over) {
    await new Promise((resolve) => setImmediate(resolve));
    const next = stage.due.shift();
    if (next === undefined) continue;
    stage.api.clock.now += next.ms;
    await perLook();
    next.run();
  }
  return await answer;
}

test('a write of a prompt file says its revision, and the hosts that have it are notified', async () => {
  const put = await stage.api.app.request('/a.test/promptfile/hello.wav', {
    method: 'PUT',
    headers: { Authorization: `Bearer ${stage.token}`, 'Content-Type': 'audio/wav' },
    body: new Uint8Array(wavOf(sine(1_000, 0.2, 8_000), 8_000)),
  });
  const { revision } = (await put.json()) as { revision: number };
  expect(revision).toBeGreaterThan(0);
  await applies('box-1', revision);
  await applies('box-2', revision - 1);
  expect((await reach(revision)).body).toEqual({
    success: true,
    reach: {
      revision,
      reached: false,
      hosts: [
        { siteId: 'north', hostId: 'box-1', applied: revision, reached: true },
        { siteId: 'north', hostId: 'box-2', applied: revision - 1, reached: false },
      ],
    },
  });
  const removed = await ask(stage.api, 'DELETE', '/a.test/promptfile/hello.wav', { token: stage.token });
  expect(removed.body).toEqual({ success: true, revision: revision + 1 });
});

test('waits until every host has it, and no longer than was asked for', async () => {
  await applies('box-1', 9);
  await applies('box-2', 8);
  let looks = 0;
  const began = stage.api.clock.now;
  const waited = await passed(reach(9, stage.token, '?wait=5'), async () => {
    if (++looks === 3) await applies('box-2', 9);
  });
  expect(waited.body).toMatchObject({ reach: { reached: true } });
  expect(stage.api.clock.now - began).toBe(600);
  const late = await passed(reach(10, stage.token, '?wait=1'), async () => undefined);
  expect(late.body).toMatchObject({ reach: { reached: false } });
  expect(stage.api.clock.now - began).toBe(1_600);
});

test('hosts that do not serve are not waited for; strangers and nonsense are refused', async () => {
  await applies('box-1', 9);
  await stage.api.database.store.withTx((tx) => updateHost(tx, uids['box-2'], { lifecycle: 'drained' }));
  expect((await reach(9)).body).toMatchObject({ reach: { reached: true, hosts: [{ hostId: 'box-1' }] } });
  const other = await makeTenant(stage.api, 'b.test');
  expect((await reach(9, other)).status).toBe(403);
  for (const wrong of ['0', 'x', '1.5']) expect((await reach(wrong)).status).toBe(400);
  expect((await reach(9, stage.token, '?wait=31')).status).toBe(400);
});

test('so many requests wait at once and no more', async () => {
  const waiting = Array.from({ length: 20 }, () => reach(99, stage.token, '?wait=1'));
  while (stage.due.length < 20) await new Promise((resolve) => setImmediate(resolve));
  expect((await reach(99, stage.token, '?wait=1')).status).toBe(429);
  expect((await reach(99)).status).toBe(200);
  await passed(Promise.all(waiting), async () => undefined);
  expect((await passed(reach(99, stage.token, '?wait=1'), async () => undefined)).status).toBe(200);
});

test('changes between two revisions are listed by entity, the newest first, without secrets', async () => {
  const call = (method: string, path: string, body?: unknown) =>
    ask(stage.api, method, path, { token: stage.token, ...(body === undefined ? {} : { body }) });
  const bridge = {
    ...BRIDGE,
    name: 'North',
    restAuthentication: [{ type: 'HS256', secret: 'not to be shown' }],
  };
  const made = await call('POST', '/provisioning/alarmbridge/a.test', bridge);
  const path = `/provisioning/alarmbridge/a.test/${String(made.body.id)}`;
  const from = await currentRevision(stage.api.database.store, 'tenant', stage.tenant);
  await call('PUT', path, { ...bridge, name: 'South' });
  await call('PUT', path, { ...bridge, name: 'West' });
  const upTo = await currentRevision(stage.api.database.store, 'tenant', stage.tenant);
  const changes = async (more: string, token = stage.token) =>
    await ask(stage.api, 'GET', `/site/a.test/revision/${upTo}/change${more}`, { token });
  const answer = await changes(`?from=${from}`);
  expect(answer.body.changes).toMatchObject([
    { entity: 'alarmbridge', revision: upTo, before: { name: 'North' }, after: { name: 'West' } },
  ]);
  expect(JSON.stringify(answer.body)).not.toContain('not to be shown');
  expect((await changes('')).body.changes).toMatchObject([
    { before: { name: 'South' }, after: { name: 'West' } },
  ]);
  expect((await changes(`?from=${upTo}`)).body.changes).toEqual([]);
  expect((await changes('', await makeTenant(stage.api, 'c.test'))).status).toBe(403);
});
