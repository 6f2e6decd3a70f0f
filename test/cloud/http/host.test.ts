import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Sites } from '#cloud/site/index.ts';
import { auditAfter, hostByName, updateHost, updateHostStatus } from '#cloud/store/index.ts';
import { createMachine } from '../io/machine.ts';
import { ask, makeTenant, type TestApi } from './api.ts';
import { HOST, type HostStage, openHostStage } from './host-stage.ts';

let stage: HostStage;
let api: TestApi;
let sites: Sites;
let token: string;
let tenant: string;
let asked: unknown[];

beforeEach(async () => {
  stage = await openHostStage();
  ({ api, sites, token, tenant, asked } = stage);
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

const joined = (hostId: string, changes?: object): Promise<string> => stage.joined(hostId, changes);
const serving = (hostId: string): Promise<string> => stage.serving(hostId);

const lifecycle = async (hostId: string) =>
  (await hostByName(api.database.store, tenant, 'north', hostId))?.lifecycle;

test('a machine whose answers are lost, and that asks again meanwhile, is one host', async () => {
  const claim = await ask(api, 'POST', '/site/a.test/north/claim', { body: {} });
  const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
  const claimCode = String(claim.body.claimCode);
  const actor = { name: 'machine', address: '192.0.2.9', requestId: '', at: api.clock.now };
  // Each tells another serial number: none of them is taken for the one under way.
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((serial) =>
      sites.enrolment.claim({ claimCode, hostId: 'box-1', csr, sealKey, version: '1', serial }, actor),
    ),
  );
  const uid = (await hostByName(api.database.store, tenant, 'north', 'box-1'))?.uid;
  for (const answer of answers) expect(answer).toMatchObject({ ok: true, value: { state: 'enrolled', uid } });
});

describe('commission', () => {
  test.each(['POST', 'PUT'])(
    'by %s takes a machine that waits, and is one operation however often',
    async (method) => {
      await joined('box-1', { autoCommission: false });
      const first = await ask(api, method, HOST, { token });
      expect(first).toMatchObject({ status: 200, body: { success: true } });
      expect(first.headers.get('Location')).toBe(`/site/a.test/operation/${String(first.body.operationId)}`);
      expect(await lifecycle('box-1')).toBe('commissioning');
      expect((await ask(api, method, HOST, { token })).body).toEqual(first.body);
      const operation = await ask(api, 'GET', String(first.headers.get('Location')), { token });
      expect(operation.body).toMatchObject({
        operation: { type: 'commission', state: 'pending', hostId: 'box-1', siteId: 'north' },
      });
    },
  );
  test('succeeds for a host in service and applies the network', async () => {
    await serving('box-1');
    const body = { networkInterfaces: ['10.0.0.5'], networkPrefixLength: 24 };
    expect(await ask(api, 'POST', HOST, { token, body })).toMatchObject({ status: 200 });
    const detail = await ask(api, 'GET', HOST, { token });
    expect(detail.body).toMatchObject({ host: { network: body, lifecycle: 'active' } });
  });
  test.each([
    [{ networkInterfaces: ['10.0.0.5'] }, '/networkPrefixLength'],
    [{ networkPrefixLength: 24 }, '/networkPrefixLength'],
    [{ networkInterfaces: ['10.0.0.500'], networkPrefixLength: 24 }, '/networkInterfaces/0'],
    [{ networkInterfaces: ['10.0.0.5'], networkPrefixLength: 64 }, '/networkPrefixLength'],
    [{ networkInterface: ['10.0.0.5'] }, '/networkInterface'],
  ])('refuses %j at %s', async (body, path) => {
    await serving('box-1');
    const refused = await ask(api, 'PUT', HOST, { token, body });
    expect(refused).toMatchObject({ status: 400, body: { success: false, error: { path } } });
  });
  test('is 404, in words, for an unknown host', async () => {
    expect(await ask(api, 'POST', HOST, { token })).toMatchObject({
      status: 404,
      body: { reason: 'The host box-1 does not exist in site north. Check both ids.' },
    });
    expect(await ask(api, 'POST', '/site/a.test/south/host/x', { token })).toMatchObject({ status: 404 });
  });
});

describe('drain', () => {
  test('is refused for the last host, but not with doNotReschedule and force', async () => {
    await serving('box-1');
    expect(await ask(api, 'POST', `${HOST}/drain`, { token })).toMatchObject({
      status: 409,
      body: { error: { code: 'lastHost' } },
    });
    const body = { doNotReschedule: 'true', force: true, deadline: 60, reason: 'new memory' };
    expect(await ask(api, 'PUT', `${HOST}/drain`, { token, body })).toMatchObject({ status: 200 });
    expect(await lifecycle('box-1')).toBe('draining');
  });
  test('shows its steps, is lifted by commission, and the operation says so', async () => {
    await serving('box-2');
    const uid = await serving('box-1');
    api.clock.now += 1_000;
    const drain = await ask(api, 'POST', `${HOST}/drain`, { token, body: { reason: 'dust' } });
    const op = String(drain.body.operationId);
    const report = {
      op,
      step: 'calls',
      services: [{ name: 'sip', state: 'moved', to: 'box-2' }],
      calls: { ordinary: 1, alarm: 0 },
    };
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: api.clock.now + 1 };
    await api.database.store.withTx((tx) => sites.report.reported(tx, uid, 'drainProgress', report, actor));
    const shown = await ask(api, 'GET', `/site/a.test/operation/${op}`, { token });
    expect(shown.body).toMatchObject({
      operation: {
        state: 'running',
        reason: 'dust',
        deadline: api.clock.now + 3_600_000,
        steps: [
          { step: 'cordon', state: 'done' },
          { step: 'services', state: 'done', services: report.services },
          { step: 'calls', state: 'running', calls: { ordinary: 1 } },
          { step: 'flush', state: 'waiting' },
        ],
      },
    });
    expect((await ask(api, 'POST', `${HOST}/drain`, { token })).body.operationId).toBe(op);
    api.clock.now += 1_000;
    const lifted = await ask(api, 'POST', HOST, { token });
    expect(lifted.body.operationId).not.toBe(op);
    expect(await lifecycle('box-1')).toBe('active');
    expect((await ask(api, 'GET', `/site/a.test/operation/${op}`, { token })).body).toMatchObject({
      operation: { state: 'failed' },
    });
    const listed = await ask(api, 'GET', '/site/a.test/operation?limit=2', { token });
    expect(listed.body.operations).toMatchObject([{ type: 'undrain' }, { type: 'drain' }]);
  });
  test.each([
    { deadline: 86_401 },
    { deadline: -1 },
    { doNotReschedule: 'yes' },
    { force: 'true' },
    { when: 1 },
  ])('refuses %j', async (body) => {
    await serving('box-1');
    expect(await ask(api, 'POST', `${HOST}/drain`, { token, body })).toMatchObject({ status: 400 });
    expect(await lifecycle('box-1')).toBe('active');
  });
});

describe('DELETE', () => {
  test('takes force and a reason for the last host', async () => {
    await serving('box-1');
    expect(await ask(api, 'DELETE', HOST, { token })).toMatchObject({
      status: 409,
      body: { error: { code: 'lastHost' } },
    });
    expect(await ask(api, 'DELETE', `${HOST}?force=true`, { token })).toMatchObject({
      status: 400,
      body: { error: { path: '/reason' } },
    });
    const removed = await ask(api, 'DELETE', `${HOST}?force=true&reason=closed`, { token });
    expect(removed).toMatchObject({ status: 200 });
    expect(await lifecycle('box-1')).toBe('draining');
  });
  test('goes on to the wipe, and ends when the host has said so', async () => {
    await serving('box-2');
    const uid = await serving('box-1');
    const op = String((await ask(api, 'DELETE', HOST, { token })).body.operationId);
    const actor = { name: `host:${uid}`, address: '', requestId: '', at: api.clock.now + 1 };
    const done = { op, step: 'done' };
    await api.database.store.withTx((tx) => sites.report.reported(tx, uid, 'drainProgress', done, actor));
    expect(await lifecycle('box-1')).toBe('decommissioning');
    const overview = await ask(api, 'GET', '/site/a.test', { token });
    expect(overview.body).toMatchObject({
      data: { site: [{ hostId: 'box-1', status: 'decommissioned' }, {}] },
    });
    expect((await sites.report.wiped(uid, { op, wiped: ['journal'], left: [] }, actor)).ok).toBe(true);
    expect(await lifecycle('box-1')).toBeUndefined();
    expect((await ask(api, 'GET', `/site/a.test/operation/${op}`, { token })).body).toMatchObject({
      operation: { type: 'decommission', state: 'done' },
    });
    expect(await sites.report.wiped(uid, { op, wiped: [], left: [] }, actor)).toMatchObject({ ok: false });
  });
  test('withdraws the claim of a machine that is not in service', async () => {
    await joined('box-1', { autoCommission: false });
    await ask(api, 'DELETE', HOST, { token });
    expect(await lifecycle('box-1')).toBeUndefined();
    expect(await ask(api, 'DELETE', HOST, { token })).toMatchObject({ status: 404 });
  });
});

describe('quarantine', () => {
  test('is lifted by a new enrolment under the old name and uid', async () => {
    const uid = await serving('box-1');
    expect(await ask(api, 'POST', `${HOST}/quarantine`, { token, body: { reason: 'lost' } })).toMatchObject({
      status: 200,
    });
    expect((await ask(api, 'GET', HOST, { token })).body).toMatchObject({ host: { status: 'quarantined' } });
    expect(await ask(api, 'POST', HOST, { token })).toMatchObject({ status: 409 });
    const released = await ask(api, 'POST', `${HOST}/release`, { token });
    expect(await lifecycle('box-1')).toBe('claimed');
    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    const request = {
      claimCode: String(released.body.claimCode),
      hostId: 'other',
      csr,
      sealKey,
      version: '2',
    };
    const actor = { name: 'machine', address: '192.0.2.9', requestId: '', at: api.clock.now };
    const joined = await sites.enrolment.claim(request, actor);
    expect(joined).toMatchObject({ ok: true, value: { state: 'enrolled', uid, hostId: 'box-1' } });
    const stranger = await createMachine({ addresses: ['127.0.0.1'] });
    expect(await sites.enrolment.claim({ ...request, csr: stranger.csr }, actor)).toMatchObject({
      ok: false,
    });
    expect(await ask(api, 'POST', `${HOST}/release`, { token })).toMatchObject({ status: 409 });
  });
  test('reject is for machines that wait only', async () => {
    await joined('box-1', { autoCommission: false });
    expect(await ask(api, 'POST', `${HOST}/reject`, { token })).toMatchObject({ status: 200 });
    expect((await ask(api, 'GET', '/site/a.test', { token })).body).toMatchObject({ data: { site: [] } });
  });
});

describe('swap', () => {
  test('puts another machine in the place of a dead one: its name, its labels, its network', async () => {
    const uid = await serving('box-1');
    expect(await ask(api, 'POST', `${HOST}/swap`, { token })).toMatchObject({
      status: 409,
      body: { reason: expect.stringMatching(/answers/) },
    });
    await api.database.store.withTx(async (tx) => {
      await updateHost(tx, uid, { labels: ['zone=a'], network: { ifs: ['10.0.0.5'], prefix: 24 } });
      await updateHostStatus(tx, uid, { connectivity: 'offline' });
    });
    const before = await hostByName(api.database.store, tenant, 'north', 'box-1');
    const swapped = await ask(api, 'POST', `${HOST}/swap`, { token, body: { reason: 'lightning' } });
    expect(swapped).toMatchObject({ status: 200, body: { claimCode: expect.any(String) } });
    expect(await lifecycle('box-1')).toBe('claimed');
    // The dead one has no certificate that counts any more, whatever becomes of it.
    const actor = { name: `host:${uid}`, address: '192.0.2.9', requestId: '', at: api.clock.now };
    expect(await sites.admit(uid, before?.certSerial ?? '', 'edge', actor)).toBeUndefined();
    expect((await ask(api, 'POST', `${HOST}/swap`, { token })).status).toBe(409);

    const { csr, sealKey } = await createMachine({ addresses: ['127.0.0.1'] });
    const claimCode = String(swapped.body.claimCode);
    const request = { claimCode, hostId: 'new', csr, sealKey, version: '2', serial: 'SN-2' };
    const came = await sites.enrolment.claim(request, { ...actor, name: 'machine' });
    expect(came).toMatchObject({ ok: true, value: { state: 'enrolled', uid, hostId: 'box-1' } });
    expect(await hostByName(api.database.store, tenant, 'north', 'box-1')).toMatchObject({
      uid,
      serial: 'SN-2',
      labels: ['zone=a'],
      network: { ifs: ['10.0.0.5'], prefix: 24 },
      lifecycle: 'commissioning',
      generation: (before?.generation ?? 0) + 1,
    });
    const done = await auditAfter(api.database.store, tenant, 0, 100);
    expect(done.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['quarantined', 'claimed', 'commissioning']),
    );
  });
});

describe('the token of a request to a host', () => {
  test.each([
    ['GET', HOST, ''],
    ['POST', HOST, ''],
    ['PUT', `${HOST}/drain`, ''],
    ['PUT', `${HOST}/labels`, { labels: [] }],
    ['DELETE', HOST, ''],
    ['POST', `${HOST}/rpc`, { op: 'ping' }],
    ['GET', '/hybridadmin/site/a.test/north/host/box-1', ''],
    ['GET', '/site/a.test/operation', ''],
  ])('%s %s: not the token of another tenant', async (method, path, body) => {
    await serving('box-1');
    const foreign = await makeTenant(api, 'b.test');
    expect((await ask(api, method, path, { token: foreign, ...(body === '' ? {} : { body }) })).status).toBe(
      403,
    );
    const alias = path.replace(/^\/site/, '/hybridadmin/site');
    if (!path.includes('operation'))
      expect(
        (await ask(api, method, alias, { token: foreign, ...(body === '' ? {} : { body }) })).status,
      ).toBe(403);
  });
  test('a token that only reads asks a host how it is, and nothing else', async () => {
    await serving('box-1');
    const reader = await makeTenant(api, 'a.test', 'read');
    const rpc = (op: string) => ask(api, 'POST', `${HOST}/rpc`, { token: reader, body: { op } });
    expect(await rpc('ping')).toMatchObject({ status: 200, body: { data: { up: 5 } } });
    expect((await rpc('logs.tail')).status).toBe(403);
    expect((await rpc('sw.upgrade')).status).toBe(403);
    expect((await rpc('outbox.replay')).status).toBe(403);
    for (const [method, path] of [
      ['POST', HOST],
      ['POST', `${HOST}/drain`],
      ['DELETE', HOST],
    ] as const)
      expect((await ask(api, method, path, { token: reader })).status).toBe(403);
    expect(asked).toHaveLength(1);
  });
});
