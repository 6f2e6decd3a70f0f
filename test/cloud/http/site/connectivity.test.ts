import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { changesOfConnectivity, noteConnectivity } from '#cloud/store/index.ts';
import { ask, makeTenant, type TestApi } from '../api.ts';
import { HOST, type HostStage, openHostStage } from '../host-stage.ts';

const DAY_MS = 86_400_000;

let stage: HostStage;
let api: TestApi;
let uid: string;

beforeEach(async () => {
  stage = await openHostStage();
  ({ api } = stage);
  uid = await stage.serving('box-1');
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

type State = Parameters<typeof noteConnectivity>[2]['after'];
const noted = (...changes: readonly (readonly [at: number, before: State, after: State])[]) =>
  api.database.store.withTx(async (tx) => {
    for (const [at, before, after] of changes) await noteConnectivity(tx, uid, { at, before, after });
  });
const read = (query = '', token = stage.token) => ask(api, 'GET', `${HOST}/connectivity${query}`, { token });

describe('changes of the connectivity of a host', () => {
  test('are listed newest first, page by page', async () => {
    await noted([1_000, 'never', 'online'], [2_000, 'online', 'suspect'], [3_000, 'suspect', 'offline']);
    const first = await read('?limit=2');
    expect(first.body.changes).toEqual([
      { at: 3_000, before: 'suspect', after: 'offline' },
      { at: 2_000, before: 'online', after: 'suspect' },
    ]);
    const rest = await read(`?limit=2&nextToken=${String(first.body.nextToken)}`);
    expect(rest.body).toEqual({ success: true, changes: [{ at: 1_000, before: 'never', after: 'online' }] });
  });

  test('are one within a millisecond', async () => {
    await noted([1_000, 'online', 'suspect'], [1_000, 'suspect', 'online']);
    expect((await read()).body.changes).toEqual([{ at: 1_000, before: 'online', after: 'online' }]);
  });

  test('are bounded for a host that is lost all the time', async () => {
    await noted(...Array.from({ length: 2_003 }, (_, n) => [n, 'online', 'suspect'] as const));
    const kept = await changesOfConnectivity(api.database.store, uid, undefined, 5_000);
    expect([kept.length, kept[0]?.at, kept.at(-1)?.at]).toEqual([2_000, 2_002, 3]);
  });

  test('are kept for 30 days', async () => {
    const now = 100 * DAY_MS;
    await noted([now - 31 * DAY_MS, 'never', 'online'], [now - 29 * DAY_MS, 'online', 'offline']);
    await stage.sites.connectivity.expire(now);
    expect((await read()).body.changes).toEqual([
      { at: now - 29 * DAY_MS, before: 'online', after: 'offline' },
    ]);
  });

  test('are shown to no one else, for no other host, and not behind a token of another list', async () => {
    expect((await read('', await makeTenant(api, 'b.test'))).status).toBe(403);
    const other = await ask(api, 'GET', `${HOST}-2/connectivity`, { token: stage.token });
    expect(other.status).toBe(404);
    const token = Buffer.from(JSON.stringify([1, 'no time'])).toString('base64url');
    expect((await read(`?nextToken=${token}`)).status).toBe(400);
  });
});
