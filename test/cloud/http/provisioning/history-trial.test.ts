import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { historyTrialRouter } from '#cloud/http/index.ts';
import { createHistoryTrials, type HistoryTrialPort } from '#cloud/provisioning/index.ts';
import { auditAfter, insertHost, tenantByDomain } from '#cloud/store/index.ts';
import type { RemoteResponse } from '#shared/contract/feed/index.ts';
import type { HistoryTrialData } from '#shared/contract/history/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from '../api.ts';

const SET = '/provisioning/configuration/a.test/tryonhistory';
const BRIDGES = '/provisioning/alarmbridge/a.test';
type Question = Parameters<HistoryTrialPort['ask']>[1];

const response = (given: Partial<RemoteResponse>): Result<RemoteResponse> =>
  ok({ v: 1, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data: {}, part: 1, last: true, ...given });
const trial = (given: Partial<HistoryTrialData>): Result<RemoteResponse> =>
  response({
    data: {
      ...{ revision: 3, from: 0, tried: 0, untried: 0, cut: false, differences: [], others: 0, alarms: [] },
      ...given,
    },
  });

describe('a draft tried on the alarms that hosts have stored', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;
  let id: string;
  let asked: [string, Question][];
  let hosts: Record<string, Result<RemoteResponse>>;

  beforeEach(async () => {
    asked = [];
    hosts = {};
    const answer: HistoryTrialPort['ask'] = async (uid, question) => {
      asked.push([uid, question]);
      return hosts[uid] ?? fail('unreachable', 'it has no management connection');
    };
    api = await openApi({}, async (store) => [
      historyTrialRouter(createHistoryTrials({ store, ask: answer })),
    ]);
    token = await makeTenant(api, 'a.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    const made = await ask(api, 'POST', BRIDGES, { token, body: { ...BRIDGE, restAuthentication: AUTH } });
    id = String(made.body.id);
    await api.database.store.withTx(async (tx) => {
      for (const hostId of ['h1', 'h2', 'h3', 'gone'])
        await insertHost(tx, {
          ...{ uid: hostId, sh: '00', tenant, siteId: 'north', hostId },
          ...{ lifecycle: hostId === 'gone' ? 'decommissioned' : 'active', lifecycleSince: 1 },
          ...HOST_ROW,
          ...{ certSince: 1, siteBaseUrl: null, createdAt: 1 },
        });
    });
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  const difference = {
    ...{ effect: 'receiver' as const, before: { id: 'x', name: 'Day' }, after: { id: 'y', name: 'Night' } },
    ...{ fields: [], alarms: 2, examples: [{ traceId: 't1', at: 5 }] },
  };

  test('asks every host for the members that count and no secret, and adds up what they say', async () => {
    hosts.h1 = trial({ tried: 2, differences: [difference], alarms: ['aaaaaaaa0', 'bbbbbbbb0'] });
    hosts.h2 = trial({
      tried: 2,
      differences: [difference],
      alarms: ['bbbbbbbb0', 'cccccccc0'],
      revision: 2,
    });
    hosts.h3 = response({ ok: false, error: { code: 'unknownOperation', reason: 'what?' } });
    const alarmbridge = { ...BRIDGE, destinationMatch: '^new$', restAuthentication: AUTH };
    const { status, body } = await ask(api, 'POST', `${BRIDGES}/${id}/tryonhistory`, {
      token,
      body: { alarmbridge, days: 7 },
    });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ...{ success: true, tried: 3, cut: false, missingHosts: [] },
      to: api.clock.now,
      from: api.clock.now - 7 * 86_400_000,
      differences: [{ ...difference, alarms: 3 }],
      hosts: [
        { siteId: 'north', hostId: 'h1', tried: 2, revision: 3 },
        { hostId: 'h2', revision: 2 },
      ],
      olderHosts: [{ siteId: 'north', hostId: 'h3' }],
    });
    expect(asked.map(([uid]) => uid).sort()).toEqual(['h1', 'h2', 'h3']);
    const [, question] = asked[0] ?? [];
    expect(question).toMatchObject({
      op: 'history.try',
      args: { ids: true, receivers: [{ id, destinationMatch: '^new$' }] },
    });
    expect(JSON.stringify(question)).not.toContain('s3cret');
    const entries = await auditAfter(api.database.store, tenant, 0, 1_000);
    expect(entries.filter(({ action }) => action === 'tryOnHistory')).toMatchObject([
      { entity: 'alarmbridge', entityId: id, detail: { receivers: [id], days: 7 } },
    ]);
    // Nothing is stored.
    expect((await ask(api, 'GET', `${BRIDGES}/${id}`, { token })).body).toMatchObject({
      alarmbridge: { destinationMatch: BRIDGE.destinationMatch },
    });
  });

  test('takes the drafts of the provisory set, all or those that are named', async () => {
    hosts.h1 = trial({ tried: 1, alarms: ['aaaaaaaa'] });
    expect((await ask(api, 'POST', SET, { token, body: {} })).status).toBe(404);
    expect((await ask(api, 'POST', `${BRIDGES}/${id}/tryonhistory`, { token, body: {} })).status).toBe(404);
    const draft = { ...BRIDGE, destinationMatch: '^draft$' };
    await ask(api, 'PUT', `${BRIDGES}/${id}?provisory=true`, { token, body: draft });
    const other = await ask(api, 'POST', `${BRIDGES}?provisory=true`, { token, body: draft });
    const tried = async (path: string, body: object): Promise<unknown> => {
      asked = [];
      const answer = await ask(api, 'POST', path, { token, body });
      expect(answer.status).toBe(200);
      const receivers = (asked[0]?.[1].args.receivers ?? []) as { id: string }[];
      return receivers.map((each) => each.id).sort();
    };
    expect(await tried(SET, {})).toEqual([id, String(other.body.id)].sort());
    expect(await tried(SET, { alarmbridges: [id] })).toEqual([id]);
    expect(await tried(`${BRIDGES}/${id}/tryonhistory`, {})).toEqual([id]);
    expect((await ask(api, 'POST', SET, { token, body: { alarmbridges: ['nobody'] } })).body).toMatchObject({
      error: { code: 'notFound', path: '/alarmbridges' },
    });
  });

  test('names the hosts that gave no answer, with their reason', async () => {
    hosts.h1 = response({ ok: false, error: { code: 'busy', reason: 'another draft is being tried' } });
    hosts.h2 = response({ data: { tried: 'many' } });
    const { body } = await ask(api, 'POST', `${BRIDGES}/${id}/tryonhistory`, {
      token,
      body: { alarmbridge: BRIDGE },
    });
    expect(body).toMatchObject({
      ...{ tried: 0, hosts: [], olderHosts: [] },
      missingHosts: [
        { hostId: 'h1', reason: 'another draft is being tried' },
        { hostId: 'h2', reason: 'its answer has another form' },
        { hostId: 'h3', reason: 'it has no management connection' },
      ],
    });
  });

  test('is refused where the drafts do not fit into a request to a host', async () => {
    const body = { text: 'x'.repeat(9_000) };
    const customEventMap = { rules: Array.from({ length: 8 }, () => ({ when: { sipFrom: '1' }, body })) };
    const answer = await ask(api, 'POST', `${BRIDGES}/${id}/tryonhistory`, {
      token,
      body: { alarmbridge: { ...BRIDGE, customEventMap } },
    });
    expect(answer).toMatchObject({ status: 413, body: { error: { code: 'tooLarge' } } });
    expect(asked).toEqual([]);
  });

  test('is no business of another tenant, nor of one who only reads, and is never a dry run', async () => {
    const other = await makeTenant(api, 'b.test');
    const path = `${BRIDGES}/${id}/tryonhistory`;
    const body = { alarmbridge: BRIDGE };
    expect((await ask(api, 'POST', path, { token: other, body })).status).toBe(403);
    const foreign = `/provisioning/alarmbridge/b.test/${id}/tryonhistory`;
    expect((await ask(api, 'POST', foreign, { token: other, body })).status).toBe(404);
    const reader = await makeTenant(api, 'a.test', 'read');
    expect((await ask(api, 'POST', path, { token: reader, body })).status).toBe(403);
    expect((await ask(api, 'POST', SET, { token: reader, body: {} })).status).toBe(403);
    expect((await ask(api, 'POST', `${path}?dryRun=true`, { token, body })).body).toMatchObject({
      error: { code: 'dryRunImpossible' },
    });
    expect(asked).toEqual([]);
  });
});

const AUTH = [{ sub: 's', secret: 's3cret-s3cret-s3cret-s3cret-s3cret-1', type: 'HS256' }];
