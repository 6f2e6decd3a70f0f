import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchStorage } from '#cloud/compose/storage-watch.ts';
import { ask, DEVICE, makeTenant, openApi, type TestApi } from './http/api.ts';

const DEVICES = '/provisioning/device/a.test';
const NO_LIMIT = 1_073_741_823;

let api: TestApi;
let token: string;
const logged: string[] = [];
beforeAll(async () => {
  api = await openApi();
  token = await makeTenant(api, 'a.test');
});
afterAll(() => api.close());

/** The database may not grow beyond so many pages: SQLite fails as on a full disk. */
async function limitPages(most: number): Promise<void> {
  const lease = await api.database.port.connection.lease();
  await lease.exec(`PRAGMA max_page_count = ${most}`);
  await lease.release(false);
}
const put = (n: number) =>
  ask(api, 'PUT', DEVICES, { token, body: { ...DEVICE, deviceId: `d-${n}`, description: 'x'.repeat(200) } });

test('a write on a full disk is 507 with the remedy, reading goes on, and nothing is half stored', async () => {
  await limitPages(1);
  const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => put(n)));
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body } of refused) {
    const { code } = body.error as { code: string };
    expect([507, 503]).toContain(status);
    expect(code).toBe(status === 507 ? 'storageFull' : 'storageUnavailable');
  }
  expect(refused.find(({ status }) => status === 507)?.body.reason).toContain('Free disk space');
  expect(api.defects).toEqual([]);
  for (const [n, { status }] of answers.entries())
    expect((await ask(api, 'GET', `${DEVICES}/d-${n}`, { token })).status).toBe(status === 200 ? 200 : 404);
});

test('it is noticed until a write succeeds', async () => {
  const watch = watchStorage(api.database.store, (_level, event) => void logged.push(event));
  const { withTx } = watch.store;
  const fill = () =>
    withTx(async (tx) => {
      await tx.db.insert(tx.tables.tenant).values({
        id: crypto.randomUUID(),
        domain: `${'x'.repeat(200)}.${crypto.randomUUID()}.test`,
        name: 'x'.repeat(20_000),
        createdAt: 0,
        notBefore: 0,
      });
    });
  expect(watch.fault()).toBeNull();
  await expect(fill()).rejects.toThrow();
  await expect(fill()).rejects.toThrow();
  expect(watch.fault()).toBe('the disk is full: free disk space');
  await limitPages(NO_LIMIT);
  await fill();
  watch.written();
  expect(watch.fault()).toBeNull();
  expect(logged).toEqual(['database.write_failed', 'database.write_recovered']);
  expect((await put(1)).status).toBe(200);
});
