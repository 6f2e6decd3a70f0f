import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, type TestApi } from '../api.ts';
import { type HostStage, openHostStage } from '../host-stage.ts';

let stage: HostStage;
let api: TestApi;

beforeEach(async () => {
  stage = await openHostStage();
  ({ api } = stage);
});
afterEach(async () => {
  expect(api.defects).toEqual([]);
  await stage.close();
});

const read = (query = '') => ask(api, 'GET', `/site/a.test${query}`, { token: stage.token });

describe('hosts and sites of a tenant', () => {
  test('are numbers alone, the same as those of the lists, for a client that wants no more', async () => {
    await stage.serving('box-1');
    await stage.serving('box-2');
    await stage.joined('box-3');
    const { site, sites } = (await read()).body.data as { site: { status: string }[]; sites: unknown[] };
    const byStatus = Map.groupBy(site, ({ status }) => status);
    const hosts = [...byStatus].map(([status, { length }]) => ({ status, amount: length }));
    expect(hosts.length).toBeGreaterThan(1);
    expect((await read('?counts=true')).body).toEqual({
      success: true,
      data: { site: [], sites: [], counts: { sites: sites.length, hosts } },
    });
  });

  test('are lists without numbers otherwise', async () => {
    await stage.serving('box-1');
    for (const query of ['', '?counts=false']) {
      const { data } = (await read(query)).body as { data: Record<string, unknown[]> };
      expect([data.site?.length, data.sites?.length, data.counts]).toEqual([1, 1, undefined]);
    }
    expect((await read('?counts=maybe')).status).toBe(400);
  });
});
