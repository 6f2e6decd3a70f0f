import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  auditAfter,
  changesSince,
  currentRevision,
  hostByName,
  updateHost,
  updateHostStatus,
} from '#cloud/store/index.ts';
import { fail, ok } from '#shared/result.ts';
import { ask, type TestApi } from './api.ts';
import { HOST, type HostStage, openHostStage } from './host-stage.ts';

let stage: HostStage;
let api: TestApi;
let token: string;
let tenant: string;
let asked: unknown[];

beforeEach(async () => {
  stage = await openHostStage();
  ({ api, token, tenant, asked } = stage);
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

const fine = { v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data: {}, part: 1, last: true } as const;
const uidOf = async (hostId: string): Promise<string> =>
  (await hostByName(api.database.store, tenant, 'north', hostId))?.uid ?? '';
const serving = (hostId: string): Promise<string> => stage.serving(hostId);

describe('labels', () => {
  const put = (labels: unknown) => ask(api, 'PUT', `${HOST}/labels`, { token, body: { labels } });

  test('take the place of those before, reach the configuration of the host, and are in the audit log', async () => {
    const uid = await serving('box-1');
    const before = await currentRevision(api.database.store, 'host', uid);
    expect(await put(['room=b', 'svc=media', 'room=b'])).toMatchObject({ status: 200 });
    expect((await ask(api, 'GET', HOST, { token })).body).toMatchObject({
      host: { labels: ['room=b', 'svc=media'], hostLabels: expect.arrayContaining(['room=b', 'svc=media']) },
    });
    const changes = await changesSince(api.database.store, 'host', uid, before, 10);
    expect(changes.at(-1)?.body).toMatchObject({ hostId: 'box-1', labels: ['room=b', 'svc=media'] });
    const entries = await auditAfter(api.database.store, tenant, 0, 100);
    expect(entries.at(-1)).toMatchObject({
      action: 'label',
      entityId: uid,
      detail: { before: [], after: ['room=b', 'svc=media'] },
    });
    // The same again is no new revision.
    const after = await currentRevision(api.database.store, 'host', uid);
    await put(['room=b', 'svc=media']);
    expect(await currentRevision(api.database.store, 'host', uid)).toBe(after);
  });
  test.each([[['role=leader']], [['']], ['room=b'], [Array.from({ length: 51 }, (_, n) => `n=${n}`)]])(
    'refuses %j',
    async (labels) => {
      await serving('box-1');
      expect((await put(labels)).status).toBe(400);
    },
  );
  test('stay as they are at a host that was shut out', async () => {
    await serving('box-1');
    await ask(api, 'POST', `${HOST}/quarantine`, { token });
    expect(await put(['room=b'])).toMatchObject({ status: 409 });
  });
});

describe('requests to a host', () => {
  const rpc = (body: object) => ask(api, 'POST', `${HOST}/rpc`, { token, body });

  test.each([
    [{ op: 'api.relay' }, 400],
    [{ op: 'rebirth' }, 400],
    [{ op: 'format.disk' }, 400],
    [{ op: 'logs.tail', args: { lines: 0 } }, 400],
    [{ op: 'probe', args: { uid: '../..' } }, 400],
    [{ op: 'sw.upgrade' }, 400],
    [{ op: 'outbox.list', args: { limit: 101 } }, 400],
    [{ op: 'outbox.replay', args: { ids: [] } }, 400],
    [{ op: 'sip.registrations', args: { limit: 101 } }, 400],
    [{ op: 'sw.upgrade', args: { url: 'http://releases.example/carillon.run' } }, 400],
  ])('%j is %i and asks no host', async (body, status) => {
    await serving('box-1');
    expect((await rpc(body)).status).toBe(status);
    expect(asked).toEqual([]);
  });
  test('have a status and a sentence for each failure', async () => {
    await serving('box-1');
    stage.answer = fail('late', 'The request has no answer: the host did not answer in 5 s. Try again.');
    expect(await rpc({ op: 'ping' })).toMatchObject({ status: 504, body: { error: { code: 'hostSilent' } } });
    stage.answer = fail(
      'unreachable',
      'The request did not reach the host: it has no management connection. Check its uplink.',
    );
    expect(await rpc({ op: 'ping' })).toMatchObject({ status: 503 });
    stage.answer = ok({
      v: 1,
      id: '01jc7z5t3k9q8w6m4n2p0r1s5v',
      ok: false,
      data: {},
      error: { code: 'noPeer', reason: 'no link' },
      part: 1,
      last: true,
    });
    expect(await rpc({ op: 'selftest' })).toMatchObject({
      status: 502,
      body: { reason: 'box-1 refused selftest: no link' },
    });
  });
  test('and everything a person decided are in the audit log', async () => {
    await serving('box-1');
    await rpc({ op: 'logs.tail', args: { match: 'sip' } });
    await ask(api, 'POST', `${HOST}/quarantine`, { token, body: { reason: 'lost' } });
    const entries = await auditAfter(api.database.store, tenant, 0, 100);
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['claim', 'commissioning', 'logs.tail', 'quarantined']));
    expect(entries.at(-1)).toMatchObject({
      detail: { reason: 'lost', before: 'active', after: 'quarantined' },
    });
  });
});

describe('another release', () => {
  const RELEASE = 'https://releases.example/carillon-2.0.0-x64.run';
  const upgrade = (hostId: string, more: object = {}) =>
    ask(api, 'POST', `/site/a.test/north/host/${hostId}/rpc`, {
      token,
      body: { op: 'sw.upgrade', args: { url: RELEASE, ...more } },
    });
  const over = (uid: string) =>
    stage.sites.note(
      uid,
      { kind: 'upgrade', file: 'carillon', by: 'kim', code: 0, sentence: 'It runs.', release: '2.0.0' },
      { name: `host:${uid}`, address: '', requestId: '', at: api.clock.now },
    );
  const status = (uid: string, change: Parameters<typeof updateHostStatus>[2]) =>
    api.database.store.withTx((tx) => updateHostStatus(tx, uid, change));
  const busy = { status: 409, body: { reason: expect.stringContaining('installing another release') } };
  const alone = { status: 409, body: { reason: expect.stringContaining('no other host') } };

  test('is taken by one host of a site after the other', async () => {
    const [one] = [await serving('box-1'), await serving('box-2')];
    const both = await Promise.all([upgrade('box-1'), upgrade('box-2')]);
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 409]);
    const first = both[0].status === 200 ? 'box-1' : 'box-2';
    const second = first === 'box-1' ? 'box-2' : 'box-1';
    expect(await upgrade(second)).toMatchObject(busy);
    // The same once more says what the host says: it is asked, and knows that it fetches.
    expect((await upgrade(first)).status).toBe(200);
    await over(first === 'box-1' ? one : await uidOf('box-2'));
    expect((await upgrade(second)).status).toBe(200);
  });
  test('waits for no one who refused it, was not reached, or has said nothing for two hours', async () => {
    await serving('box-1');
    await serving('box-2');
    stage.answer = fail(
      'unreachable',
      'The request did not reach the host: it has no management connection. Check its uplink.',
    );
    expect((await upgrade('box-1')).status).toBe(503);
    stage.answer = ok({ ...fine, ok: false, error: { code: 'disk', reason: 'only 3 MB are free' } });
    expect((await upgrade('box-2')).status).toBe(502);
    const entries = await auditAfter(api.database.store, tenant, 0, 100);
    expect(entries.at(-1)).toMatchObject({
      action: 'sw.upgrade.refused',
      detail: { hostId: 'box-2', reason: 'only 3 MB are free' },
    });
    stage.answer = fail('late', 'The request has no answer: the host did not answer in 30 s. Try again.');
    expect((await upgrade('box-1')).status).toBe(504);
    // The host may have heard it nevertheless.
    expect(await upgrade('box-2')).toMatchObject(busy);
    api.clock.now += 2 * 3_600_000;
    stage.answer = ok(fine);
    expect((await upgrade('box-2')).status).toBe(200);
  });
  test('needs another host that is healthy, or a person who answers for it', async () => {
    await serving('box-1');
    const other = await serving('box-2');
    for (const connectivity of ['offline', 'suspect', 'unstable', 'never'] as const) {
      await status(other, { connectivity });
      expect(await upgrade('box-1')).toMatchObject(alone);
    }
    await status(other, { connectivity: 'online', facts: { svc: { sip: 'ok', media: 'failed' } } });
    expect(await upgrade('box-1')).toMatchObject(alone);
    expect(asked).toEqual([]);
    expect((await upgrade('box-1', { force: true })).status).toBe(200);
  });
  test('is taken at once by the only host of a site, and by one that is drained', async () => {
    const one = await serving('box-1');
    expect((await upgrade('box-1')).status).toBe(200);
    await over(one);
    const other = await serving('box-2');
    await status(one, { connectivity: 'offline' });
    await api.database.store.withTx((tx) => updateHost(tx, other, { lifecycle: 'drained' }));
    expect((await upgrade('box-2')).status).toBe(200);
  });
});
