import { expect, test } from 'vitest';
import { keepRecordPartitions, tablesInOrder } from '#cloud/io/database/index.ts';
import { insertTenant, putRecords, type SessionRecordRow } from '#cloud/store/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';
import { recordDatabaseSuite } from './database.suite.ts';

for (const dialect of dialects) recordDatabaseSuite(dialect);

const MONTHS = { pg: areMadeAndRemoved, sqlite: areNone } as const;
test.each(dialects)(
  'months on %s: made before they begin, removed when empty and old; SQLite has none',
  (dialect) => MONTHS[dialect](),
);

/** Before they begin, and when they are empty and old. */
async function areMadeAndRemoved(): Promise<void> {
  const database = await openTestDatabase('pg');
  const { connection } = database.port;
  expect(await keepRecordPartitions(connection, [202611, 202612], 0)).toEqual({
    made: ['session_record_202611', 'session_record_202612'],
    removed: [],
  });
  // Once more: nothing is to be done.
  expect(await keepRecordPartitions(connection, [202611, 202612], 0)).toEqual({ made: [], removed: [] });
  await database.store.withTx(async (tx) => {
    await insertTenant(tx, { id: 't', domain: 'a.test', name: null, createdAt: 0, notBefore: 0 });
    const row: Omit<SessionRecordRow, 'id' | 'month'> = {
      ...{
        tenant: 't',
        siteId: 's',
        uid: 'u',
        hostId: 'h',
        seq: 1,
        kind: 'call' as const,
        result: 'done' as const,
      },
      ...{ at: 1, receivedAt: 1, traceId: null, deviceId: null, fromParty: null, toParty: null },
      ...{ receiver: null, protocol: null, warnings: null, body: {} },
    };
    await putRecords(tx, [
      { ...row, id: 'kept', month: 202612 },
      { ...row, id: 'elsewhere', month: 202701 },
    ]);
  });
  // The month of `elsewhere` has begun without its partition; December has a row.
  expect(await keepRecordPartitions(connection, [202701], 202701)).toEqual({
    made: [],
    removed: ['session_record_202611'],
  });
  expect(await tablesInOrder(connection)).not.toContain('session_record_202612');
  expect(await tablesInOrder(connection)).toContain('session_record');
  const lease = await connection.lease();
  await lease.exec('DROP TABLE session_record_202612');
  await lease.release(false);
  await database.close();
}

async function areNone(): Promise<void> {
  const database = await openTestDatabase('sqlite');
  expect(await keepRecordPartitions(database.port.connection, [202611], 0)).toEqual({
    made: [],
    removed: [],
  });
  await database.close();
}
