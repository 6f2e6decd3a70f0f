import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditAfter, changesSince, currentRevision } from '#cloud/store/index.ts';
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
  test('of a host that was shut out are left alone', async () => {
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
    [{ op: 'sw.upgrade', args: { url: 'http://releases.example/carillon.run' } }, 400],
  ])('%j is %i and asks nobody', async (body, status) => {
    await serving('box-1');
    expect((await rpc(body)).status).toBe(status);
    expect(asked).toEqual([]);
  });
  test('what goes wrong has its own status and sentence', async () => {
    await serving('box-1');
    stage.answer = fail('late', 'the host did not answer in 5 s');
    expect(await rpc({ op: 'ping' })).toMatchObject({ status: 504, body: { error: { code: 'hostSilent' } } });
    stage.answer = fail('unreachable', 'it has no management connection');
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
