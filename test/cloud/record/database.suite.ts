import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { keepRecordPartitions } from '#cloud/io/database/index.ts';
import {
  type DialectName,
  insertTenant,
  monthAfter,
  monthOf,
  PREFIX_SORTED,
  prefixPath,
  putRecords,
  type RecordPath,
  recordKeys,
  recordsForWrite,
  recordsOf,
  type SessionRecordRow,
} from '#cloud/store/index.ts';
import { openTestDatabase, type TestDatabase } from '../store/database.ts';
import { recordPlan } from './record-plan.ts';

const ROWS = 200_000;
const T0 = Date.UTC(2026, 9, 1);
const STEP_MS = 10_000;
const TENANT = 't';
const ALL = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };

/** 200,000 records of 1,000 devices, 10,000 callers, 10 sites: every row differs from the others by its number. */
const FILL: { readonly [D in DialectName]: (from: number, to: number) => string } = {
  sqlite: (from, to) =>
    `WITH RECURSIVE n(i) AS (SELECT ${from} UNION ALL SELECT i + 1 FROM n WHERE i < ${to - 1})`,
  pg: (from, to) => `WITH n(i) AS (SELECT generate_series(${from}, ${to - 1}))`,
};
/** Rows of one statement: a server ends one that takes long. */
const PIECE = 5_000;
const filled = (dialect: DialectName, from: number): string => {
  const text = (expression: string, digits: number) =>
    dialect === 'pg'
      ? `lpad((${expression})::text, ${digits}, '0')`
      : `printf('%0${digits}d', ${expression})`;
  return `INSERT INTO session_record (tenant, id, month, site_id, uid, host_id, seq, kind, result, at, received_at, trace_id,
      device_id, from_party, to_party, receiver, protocol, warnings, body)
    ${FILL[dialect](from, from + PIECE)} SELECT '${TENANT}', 'r' || ${text('i', 8)}, 202610, 's' || (i % 10), 'u', 'gw', i,
      CASE WHEN i % 50 = 0 THEN 'message' WHEN i % 2 = 0 THEN 'alarm' ELSE 'call' END, 'done',
      ${T0} + i * ${STEP_MS}, ${T0} + i * ${STEP_MS}, 'trace-' || i, 'dev-' || ${text('i % 1000', 4)},
      '+4670' || ${text('i % 10000', 6)}, '+4680', 'bridge', 'scaip', NULL, '{}' FROM n`;
};

const planOf = (database: TestDatabase, path: RecordPath, range = ALL): Promise<string> =>
  recordPlan(database, TENANT, path, range);

/** Records in the database: paths, months, and one row for each id. */
export function recordDatabaseSuite(dialect: DialectName): void {
  describe(`records on ${dialect}`, () => {
    let database: TestDatabase;
    beforeAll(async () => {
      database = await openTestDatabase(dialect);
      await database.store.withTx((tx) =>
        insertTenant(tx, { id: TENANT, domain: 'a.test', name: null, createdAt: 0, notBefore: 0 }),
      );
      const { connection } = database.port;
      await keepRecordPartitions(connection, [202609, 202610, 202611], 0);
      const lease = await connection.lease();
      for (let from = 0; from < ROWS; from += PIECE) await lease.exec(filled(dialect, from));
      if (dialect === 'pg') await lease.exec('ANALYZE session_record');
      await lease.release(false);
    }, 300_000);
    afterAll(async () => {
      // The next test takes the same instance, and expects tables as migrations make them.
      if (dialect === 'pg') {
        const lease = await database.port.connection.lease();
        await lease.exec('DROP TABLE session_record_202609, session_record_202610, session_record_202611');
        await lease.release(false);
      }
      await database.close();
    });

    const paths: readonly [string, RecordPath, string][] = [
      ['time', { by: 'time' }, 'session_record_time|tenant_at_id'],
      [
        'device',
        { by: 'value', column: 'deviceId', value: 'dev-0007' },
        'session_record_device|device_id_at_id',
      ],
      [
        'caller',
        { by: 'value', column: 'fromParty', value: '+4670000007' },
        'session_record_from|from_party_at_id',
      ],
      [
        'called number',
        { by: 'value', column: 'toParty', value: '+4680' },
        'session_record_to|to_party_at_id',
      ],
      ['trace', { by: 'value', column: 'traceId', value: 'trace-77' }, 'session_record_trace|trace_id_at_id'],
      ['kind', { by: 'value', column: 'kind', value: 'message' }, 'session_record_kind|kind_at_id'],
      ['site', { by: 'value', column: 'siteId', value: 's3' }, 'session_record_site|site_id_at_id'],
    ];
    const middle = { at: T0 + (ROWS / 2) * STEP_MS, id: 'r00100000' };

    test.each(paths)(
      'a page by %s walks its index, from the begin and from the middle',
      async (_, path, index) => {
        for (const range of [ALL, { ...ALL, fromMs: T0 + 1, before: middle }]) {
          const plan = await planOf(database, path, range);
          expect(plan).toMatch(new RegExp(index));
          // An empty partition is read as it stands, by whatever way.
          expect(plan).not.toMatch(/Seq Scan on session_record_202610|SCAN session_record|USE TEMP B-TREE/);
        }
      },
    );

    test('a prefix of few rows is looked up in its index, one of many is left to the time', async () => {
      const few = { by: 'prefix', column: 'fromParty', prefix: '+467000001' } as const;
      expect(await prefixPath(database.store, TENANT, 'fromParty', few.prefix)).toEqual(few);
      expect(await planOf(database, few)).toMatch(/session_record_from|from_party_at_id/);
      const hits = await recordKeys(database.store, TENANT, few, ALL, 1_000);
      // Ten callers, each in every ten thousandth record.
      expect(hits.map(({ fromParty }) => fromParty?.slice(0, -1))).toEqual(hits.map(() => few.prefix));
      expect(hits.length).toBe(10 * (ROWS / 10_000));
      expect(hits.map(({ at }) => at)).toEqual(hits.map(({ at }) => at).toSorted((a, b) => b - a));
      expect(ROWS / 1_000).toBeLessThan(PREFIX_SORTED);
      expect(await prefixPath(database.store, TENANT, 'deviceId', 'dev-')).toEqual({ by: 'time' });
      expect(await prefixPath(database.store, TENANT, 'deviceId', 'dev-0007')).toEqual({
        ...{ by: 'value', column: 'deviceId', value: 'dev-0007' },
      });
      expect(await prefixPath(database.store, TENANT, 'deviceId', 'dew')).toBeUndefined();
      expect(await prefixPath(database.store, 'another', 'deviceId', 'dev-0007')).toBeUndefined();
    });

    test('pages by key give every record of a device once, newest first', async () => {
      const path = { by: 'value', column: 'deviceId', value: 'dev-0009' } as const;
      const seen: string[] = [];
      let before: { at: number; id: string } | undefined;
      for (;;) {
        const page = await recordKeys(database.store, TENANT, path, { ...ALL, before }, 33);
        seen.push(...page.map(({ id }) => id));
        before = page.at(-1);
        if (page.length < 33) break;
      }
      const numbers = Array.from({ length: ROWS / 1_000 }, (_, n) => n * 1_000 + 9);
      expect(seen).toEqual(numbers.toReversed().map((n) => `r${String(n).padStart(8, '0')}`));
    });

    test('an end that comes a month later stands in the month of its start', async () => {
      const { store } = database;
      const last = Date.UTC(2026, 9, 31, 23, 59, 59);
      expect([monthOf(last), monthOf(last + 1_000)]).toEqual([202610, 202611]);
      expect([monthAfter(202610), monthAfter(202612)]).toEqual([202611, 202701]);
      const row = rowAt(last);
      await store.withTx(async (tx) => {
        expect((await recordsForWrite(tx, TENANT, [row.id])).size).toBe(0);
        await putRecords(tx, [row]);
      });
      await store.withTx(async (tx) => {
        const before = (await recordsForWrite(tx, TENANT, [row.id])).get(row.id);
        expect(before?.month).toBe(202610);
        await putRecords(tx, [{ ...row, month: before?.month ?? 0, result: 'done', at: last + 90_000 }]);
      });
      expect(await recordsOf(store, TENANT, [row.id])).toEqual([
        { ...row, result: 'done', at: last + 90_000 },
      ]);
    });
  });
}

const rowAt = (at: number): SessionRecordRow => ({
  ...{
    tenant: TENANT,
    id: '01jc7z5t3k9q8w6m4n2p0r1s5v',
    month: monthOf(at),
    siteId: 's1',
    uid: 'u',
    hostId: 'gw',
  },
  ...{ seq: 1, kind: 'call', result: 'running', at, receivedAt: at, traceId: null, deviceId: null },
  ...{ fromParty: null, toParty: null, receiver: null, protocol: null, warnings: null, body: { a: 1 } },
});
