import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordExportRouter } from '#cloud/http/index.ts';
import { createRecordExports, RecordIntake } from '#cloud/record/index.ts';
import { auditAfter, blankRecord, insertHost, tenantByDomain } from '#cloud/store/index.ts';
import type { RecordExportJob } from '#shared/contract/session-record/index.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { batchOf, callOf, NOW, recordIdOf } from '../../record/stage.ts';
import { ask, makeTenant, openApi, type TestApi } from '../api.ts';

/** Three reads of the file, and a part of one. */
const RECORDS = 1_600;
const BATCH = 50;

let api: TestApi;
let token: string;
let other: string;
let reader: string;
let tenant: string;

beforeAll(async () => {
  api = await openApi({}, async (store) => [
    recordExportRouter(createRecordExports({ store, nowMs: () => api.clock.now })),
  ]);
  api.clock.now = NOW + 10_000;
  token = await makeTenant(api, 'a.test');
  other = await makeTenant(api, 'b.test');
  const made = await ask(api, 'POST', '/provisioning/apitoken/a.test', { body: { scope: 'read' } });
  reader = String(made.body.token);
  const { store } = api.database;
  tenant = (await tenantByDomain(store, 'a.test'))?.id ?? '';
  await store.withTx((tx) =>
    insertHost(tx, {
      ...{ ...HOST_ROW, uid: 'gw-1', tenant, siteId: 'north', hostId: 'gw-1', sh: '00' },
      ...{ lifecycle: 'active', lifecycleSince: 0, createdAt: 0 },
    }),
  );
  const intake = new RecordIntake({ store, onTaken: () => undefined });
  const place = { tenant, siteId: 'north', uid: 'gw-1', sh: '00' };
  const requestOf = (n: number): object =>
    n === 1 ? { kind: 'alarm', reason: '=1+1, "quoted"', from: '+46701234567' } : {};
  for (let first = 1; first <= RECORDS; first += BATCH) {
    const items = Array.from({ length: BATCH }, (_, at) => first + at).map(
      (n) => [n, callOf(n, requestOf(n))] as const,
    );
    await intake.take(place, 'gw-1', batchOf(...items), api.clock.now);
  }
});
afterAll(() => api.close());

const start = async (body: object, as = token) => {
  const { status, body: answer } = await ask(api, 'POST', '/record/a.test/export', { token: as, body });
  return { status, answer, job: answer.job as RecordExportJob };
};
const file = (job: RecordExportJob, as = token) =>
  api.app.request(job.path, { headers: { authorization: `Bearer ${as}` } });

describe('the export', () => {
  test('is a job that keeps its search with the range of the request', async () => {
    const { status, job } = await start({ format: 'jsonl', kind: 'alarm' });
    expect(status).toBe(200);
    expect(job).toMatchObject({
      ...{ state: 'ready', format: 'jsonl', kind: 'alarm' },
      ...{ from: NOW + 10_000 - 86_400_000, to: NOW + 10_001 },
    });
    const read = await ask(api, 'GET', `/record/a.test/export/${job.jobId}`, { token });
    expect(read).toMatchObject({ status: 200, body: { success: true, job } });
  });

  test('streams every record once, newest first, as JSON lines', async () => {
    const { job } = await start({ format: 'jsonl' });
    const answer = await file(job);
    expect(answer.headers.get('content-type')).toBe('application/jsonl; charset=utf-8');
    expect(answer.headers.get('content-disposition')).toBe('attachment; filename="records.jsonl"');
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { recordId: string }).recordId)).toEqual(
      Array.from({ length: RECORDS }, (_, at) => recordIdOf(RECORDS - at)),
    );
  });

  test('is a CSV that no spreadsheet runs', async () => {
    const { job } = await start({ kind: 'alarm' });
    const answer = await file(job);
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [head = '', row = '', ...more] = (await answer.text()).split('\r\n');
    expect(more).toEqual(['']);
    expect(head).toMatch(/^"recordId","at","kind","result","reason",/);
    expect(row).toContain(`"${recordIdOf(1)}","${new Date(NOW + 1).toISOString()}","alarm","done"`);
    expect(row).toContain(`"'=1+1, ""quoted""","north","gw-1"`);
    expect(row).toContain(`"'+46701234567"`);
  });

  test('masks numbers by the rights of the caller who downloads, as the list does', async () => {
    const { job } = await start({ kind: 'alarm' });
    const masked = await (await file(job, reader)).text();
    expect(masked).toContain('"…67"');
    expect(masked).not.toContain('46701234567');
    expect((await start({ number: '+4670' }, reader)).status).toBe(403);
    const { job: byNumber } = await start({ number: '+46701234567' });
    expect((await file(byNumber, reader)).status).toBe(403);
    expect((await (await file(byNumber)).text()).split('\r\n')).toHaveLength(3);
  });

  test('looks at the records while it is read: what was erased meanwhile is not in it', async () => {
    const { job } = await start({ format: 'jsonl', deviceId: 'flat-1599' });
    expect(await (await file(job)).text()).toContain('"from":"+46701599"');
    await api.database.store.withTx((tx) => blankRecord(tx, tenant, recordIdOf(1_599)));
    expect(await (await file(job)).text()).toBe('');
  });

  test('stands in the audit log, start and download, without the number', async () => {
    const { job } = await start({ number: '+4670123', format: 'jsonl' });
    await (await file(job)).text();
    const entries = (await auditAfter(api.database.store, tenant, 0, 1_000)).filter(
      ({ entity }) => entity === 'recordExport',
    );
    expect(entries.slice(-2)).toMatchObject([
      { action: 'create', entityId: 'jsonl', detail: { byNumber: true, masked: false } },
      { action: 'read', entityId: 'jsonl', detail: { byNumber: true, masked: false } },
    ]);
    expect(JSON.stringify(entries)).not.toContain('4670123');
  });

  test('is closed to other tenants, and an id that no export has is not found', async () => {
    const { job } = await start({});
    expect((await file(job, other)).status).toBe(403);
    const foreign = job.path.replace('a.test', 'b.test');
    const empty = await api.app.request(foreign, { headers: { authorization: `Bearer ${other}` } });
    expect((await empty.text()).split('\r\n')).toHaveLength(2);
    for (const id of ['x', Buffer.from('{"format":"csv"}').toString('base64url'), 'A'.repeat(5_000)])
      expect(await ask(api, 'GET', `/record/a.test/export/${id}`, { token })).toMatchObject({
        status: 404,
        body: { error: { code: 'notFound' } },
      });
    expect((await start({ format: 'xml' })).status).toBe(400);
  });
});
