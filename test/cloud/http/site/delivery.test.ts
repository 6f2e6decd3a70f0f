import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deliveryRouter } from '#cloud/http/index.ts';
import { createDeliveries, type DeliveryPort } from '#cloud/site/index.ts';
import { auditAfter, insertHost, tenantByDomain } from '#cloud/store/index.ts';
import { fail, ok } from '#shared/result.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { ask, BRIDGE, makeTenant, openApi, type TestApi } from '../api.ts';

const PATH = '/delivery/a.test';
type Question = Parameters<DeliveryPort['ask']>[1];
interface Letter {
  readonly id: string;
  readonly dest: string;
  readonly lastError: string | null;
  readonly state?: 'dead' | 'waiting';
}

describe('callbacks that are not delivered', () => {
  let api: TestApi;
  let token: string;
  let tenant: string;
  let bridge: string;
  let asked: [string, Question][];
  let nowMs: number;
  /** Letters of each host by state; a host that is not there is silent. */
  let hosts: Record<string, { dead: Letter[]; waiting: Letter[] } | undefined>;

  const letter = (
    n: number,
    dest: string,
    state: 'dead' | 'waiting',
    lastError = 'answered 503',
  ): object => ({
    ...{ id: `01jd00000000000000000000${String(n).padStart(2, '0')}`, seq: n, lane: 'alarm' },
    ...{ type: 'newAlarmbridgeEvent', dest, createdAt: 1_000 + n, attempts: 3, lastError, state },
  });

  beforeEach(async () => {
    asked = [];
    hosts = {};
    const answer: DeliveryPort['ask'] = async (uid, question) => {
      asked.push([uid, question]);
      const own = hosts[uid];
      if (own === undefined) return fail('unreachable', 'it has no management connection');
      const data =
        question.op === 'outbox.replay'
          ? { taken: (question.args.ids as string[]).length }
          : { letters: own[question.args.state === 'waiting' ? 'waiting' : 'dead'] };
      return ok({ v: 1 as const, id: '01jc7z5t3k9q8w6m4n2p0r1s5v', ok: true, data, part: 1, last: true });
    };
    nowMs = 1_000;
    const clock = { monoMs: () => nowMs };
    api = await openApi({}, async (store) => [
      deliveryRouter(createDeliveries({ store, clock, ask: answer })),
    ]);
    token = await makeTenant(api, 'a.test');
    await makeTenant(api, 'b.test');
    tenant = (await tenantByDomain(api.database.store, 'a.test'))?.id ?? '';
    const made = await ask(api, 'POST', '/provisioning/alarmbridge/a.test', { token, body: BRIDGE });
    bridge = `bridge ${String(made.body.id)}`;
    await api.database.store.withTx(async (tx) => {
      for (const hostId of ['h1', 'h2'])
        await insertHost(tx, {
          ...{
            uid: hostId,
            sh: '00',
            tenant,
            siteId: 'north',
            hostId,
            lifecycle: 'active',
            lifecycleSince: 1,
          },
          ...HOST_ROW,
          ...{ certSince: 1, siteBaseUrl: null, createdAt: 1 },
        });
    });
  });
  afterEach(async () => {
    expect(api.defects).toEqual([]);
    await api.close();
  });

  test('are shown by endpoint, with its name, its address and the errors that came most', async () => {
    hosts.h1 = {
      dead: [letter(1, bridge, 'dead', 'answered 400') as Letter],
      waiting: [letter(2, bridge, 'waiting') as Letter, letter(3, 'platform', 'waiting') as Letter],
    };
    hosts.h2 = { dead: [], waiting: [letter(4, bridge, 'waiting') as Letter] };
    const { status, body } = await ask(api, 'GET', PATH, { token });
    expect(status).toBe(200);
    expect(body).toMatchObject({ missingHosts: [], olderHosts: [], cut: false });
    expect(body.endpoints).toMatchObject([
      {
        ...{ endpoint: bridge, kind: 'bridge', name: BRIDGE.name, url: BRIDGE.callbackBaseUrl },
        ...{ waiting: 2, dead: 1, oldestAt: 1_002 },
        errors: [
          { reason: 'answered 503', times: 2 },
          { reason: 'answered 400', times: 1 },
        ],
      },
      { endpoint: 'platform', kind: 'platform', name: 'Platform alarms', waiting: 1, dead: 0 },
    ]);
    expect((body.endpoints as { callbacks: object[] }[])[0]?.callbacks).toMatchObject([
      { hostId: 'h1', state: 'dead', attempts: 3 },
      { hostId: 'h1', state: 'waiting' },
      { hostId: 'h2', state: 'waiting' },
    ]);
  });

  test('are missing for a host that is silent, or too old to list what waits, and the answer says so', async () => {
    hosts.h1 = {
      dead: [letter(1, bridge, 'dead') as Letter],
      waiting: [letter(1, bridge, 'dead') as Letter],
    };
    const { body } = await ask(api, 'GET', PATH, { token });
    expect(body).toMatchObject({
      missingHosts: [{ siteId: 'north', hostId: 'h2' }],
      olderHosts: [{ siteId: 'north', hostId: 'h1' }],
      endpoints: [{ waiting: 0, dead: 1 }],
    });
  });

  test('are sent again where they were given up, for this endpoint alone, and the audit says by whom', async () => {
    const [one, two, three] = [1, 2, 3].map(
      (n) => letter(n, n === 3 ? 'platform' : bridge, 'dead') as Letter,
    );
    if (one === undefined || two === undefined || three === undefined) throw new Error('three letters');
    hosts.h1 = { dead: [one, three], waiting: [] };
    hosts.h2 = { dead: [two], waiting: [] };
    const again = (body: object) => ask(api, 'POST', `${PATH}/redeliver`, { token, body });
    expect((await again({ endpoint: bridge })).body).toEqual({ success: true, taken: 2, missingHosts: [] });
    const replays = asked.filter(([, { op }]) => op === 'outbox.replay');
    expect(replays.map(([uid, { args }]) => [uid, args.ids])).toEqual([
      ['h1', [one.id]],
      ['h2', [two.id]],
    ]);
    expect((await again({ endpoint: bridge, ids: [two.id] })).body).toMatchObject({ taken: 1 });
    const entries = await auditAfter(api.database.store, tenant, 0, 1_000);
    expect(entries.filter(({ action }) => action === 'redeliver').map(({ entityId }) => entityId)).toEqual([
      bridge,
      bridge,
    ]);
  });

  test('are asked for once by all who look within five seconds, and again behind a redelivery', async () => {
    const one = letter(1, bridge, 'dead') as Letter;
    hosts.h1 = { dead: [one], waiting: [] };
    hosts.h2 = { dead: [], waiting: [] };
    const look = async () => (await ask(api, 'GET', PATH, { token })).body;
    const [first, second] = await Promise.all([look(), look()]);
    expect(second).toEqual(first);
    nowMs += 4_999;
    expect(await look()).toEqual(first);
    // Two hosts, two states each.
    expect(asked).toHaveLength(4);

    hosts.h1 = { dead: [], waiting: [] };
    await ask(api, 'POST', `${PATH}/redeliver`, { token, body: { endpoint: bridge } });
    expect(await look()).toMatchObject({ endpoints: [] });
    hosts.h2 = { dead: [], waiting: [letter(2, bridge, 'waiting') as Letter] };
    expect(await look()).toMatchObject({ endpoints: [] });
    nowMs += 5_000;
    expect(await look()).toMatchObject({ endpoints: [{ waiting: 1 }] });
  });

  test('are no business of another tenant, nor of a token that only reads', async () => {
    hosts.h1 = { dead: [], waiting: [] };
    const other = await makeTenant(api, 'b.test');
    expect((await ask(api, 'GET', PATH, { token: other })).status).toBe(403);
    expect((await ask(api, 'GET', '/delivery/b.test', { token: other })).body).toMatchObject({
      endpoints: [],
    });
    expect(asked).toEqual([]);
    const reader = await makeTenant(api, 'a.test', 'read');
    expect((await ask(api, 'GET', PATH, { token: reader })).status).toBe(200);
    const body = { endpoint: bridge };
    expect((await ask(api, 'POST', `${PATH}/redeliver`, { token: reader, body })).status).toBe(403);
    expect((await ask(api, 'POST', `${PATH}/redeliver?dryRun=true`, { token, body })).body).toMatchObject({
      error: { code: 'dryRunImpossible' },
    });
  });
});
