import { setImmediate as nextRound } from 'node:timers/promises';
import { keepRecordPartitions } from '#cloud/io/database/index.ts';
import { createRecordQueries } from '#cloud/record/index.ts';
import {
  type DialectName,
  insertTenant,
  monthAfter,
  monthOf,
  PREFIX_SORTED,
  type RecordPath,
} from '#cloud/store/index.ts';
import type { RecordSearch } from '#shared/contract/session-record/index.ts';
import { recordPlan } from '#test/cloud/record/record-plan.ts';
import { openTestDatabase, type TestDatabase } from '#test/cloud/store/database.ts';
import { startPostgres } from '#test/peers/support/postgres.ts';

/*
 * Lists of 100 records out of very many, on demand; it needs minutes and up to 10 GB in TMPDIR:
 *
 *     TMPDIR=/some/folder nice -n 19 node test/bench/record/record-list.ts sqlite 10000000
 */

const [dialect = 'sqlite', rowsText = '10000000'] = process.argv.slice(2) as [DialectName?, string?];
const ROWS = Number(rowsText);
const TENANT = 't';
const [DEVICES, NUMBERS] = [20_000, 200_000];
const YEAR_MS = 365 * 86_400_000;
const T0 = Date.UTC(2025, 10, 1);
const STEP_MS = Math.floor(YEAR_MS / ROWS);
const TRIES = 200;
const PAGE = 100;
/** Rows of one transaction. */
const CHUNK = 250_000;
const PATHS = [
  { by: 'time' },
  { by: 'value', column: 'deviceId', value: 'dev-00042' },
  { by: 'value', column: 'fromParty', value: '+4670000042' },
] as const satisfies readonly RecordPath[];
const NO_WALK = /SCAN session_record\b|USE TEMP B-TREE/;
/** Rows that PostgreSQL expects to sort, or to read without an index: a few are cheaper that way, as an empty month is. */
const rowsRead = (plan: string): number =>
  [...plan.matchAll(/(?:Sort|Seq Scan on \S+(?: \S+)?) {2}\(cost=\S+ rows=(\d+)/g)].reduce(
    (sum, [, rows]) => sum + Number(rows),
    0,
  );
/** A database that is thrown away: memory for the indexes, and no log of the rows. */
const FILLING = [
  "maintenance_work_mem = '1GB'",
  'max_parallel_maintenance_workers = 2',
  'statement_timeout = 0',
];
const MOST_MS: { readonly [D in DialectName]: number } = { sqlite: 50, pg: 20 };

const server = dialect === 'pg' ? await startPostgres() : undefined;
if (server !== undefined) process.env.TEST_POSTGRES = server.url;
const database = await openTestDatabase(dialect);
let isGood = true;
try {
  await fill(database);
  const queries = createRecordQueries({ store: database.store, nowMs: () => T0 + YEAR_MS });
  const random = sequence();
  const number = (count: number, digits: number) =>
    String(Math.floor(random() * count)).padStart(digits, '0');
  // A list that sorts, or reads a month whole, is slow in a way that no figure of a small table shows.
  for (const path of PATHS) {
    const plan = await recordPlan(database, TENANT, path, { fromMs: 0, toMs: T0 + YEAR_MS });
    const isWalk = !NO_WALK.test(plan) && rowsRead(plan) <= PREFIX_SORTED;
    isGood &&= isWalk;
    say(`${path.by}: ${isWalk ? 'the plan walks the index' : `NO walk of the index\n${plan}`}`);
  }
  const searches: Readonly<Record<string, () => RecordSearch>> = {
    device: () => ({ deviceId: `dev-${number(DEVICES, 5)}`, from: 0 }),
    'number prefix': () => ({ number: `+4670${number(NUMBERS / 10, 5)}`, from: 0 }),
    time: () => ({ from: 0, to: T0 + Math.floor(random() * YEAR_MS) }),
  };
  for (const [name, search] of Object.entries(searches)) {
    const tookMs: number[] = [];
    const begun = process.cpuUsage();
    let found = 0;
    for (let at = 0; at < TRIES; at++) {
      const begunMs = performance.now();
      const page = await queries.search(TENANT, search(), { after: '', limit: PAGE, whole: true });
      tookMs.push(performance.now() - begunMs);
      found += page.ok ? page.value.items.length : 0;
    }
    const [first = 0] = tookMs;
    const usedMs = process.cpuUsage(begun).user / 1_000 / TRIES;
    const sorted = tookMs.toSorted((a, b) => a - b);
    const at = (share: number): number => sorted[Math.floor(TRIES * share)] ?? 0;
    const p95 = at(0.95);
    isGood &&= p95 <= MOST_MS[dialect] && found / TRIES > PAGE / 4;
    say(
      `${dialect}, ${ROWS} rows, by ${name}: p50 ${at(0.5).toFixed(1)}, p95 ${p95.toFixed(1)}, least ${at(0).toFixed(1)}, first ${first.toFixed(1)} ms, ` +
        `${(found / TRIES).toFixed(0)} records a page, ${usedMs.toFixed(1)} ms of this processor each; at most ${MOST_MS[dialect]} ms`,
    );
  }
} finally {
  await database.close();
  await server?.stop();
}
process.exitCode = isGood ? 0 : 1;

function say(line: string): void {
  process.stdout.write(`${new Date().toISOString()} ${line}\n`);
}

/** Numbers in [0, 1), the same in every run. */
function sequence(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

/** Indexes are made again behind the rows: built row by row they would take hours. */
async function fill({ port, store }: TestDatabase): Promise<void> {
  await store.withTx((tx) =>
    insertTenant(tx, { id: TENANT, domain: 'a.test', name: null, createdAt: 0, notBefore: 0 }),
  );
  const months: number[] = [];
  for (let month = monthOf(T0); month <= monthOf(T0 + YEAR_MS); month = monthAfter(month)) months.push(month);
  await keepRecordPartitions(port.connection, months, 0);
  const lease = await port.connection.lease();
  const indexes = (await port.connection.rows(
    dialect === 'pg'
      ? "SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') FROM pg_indexes WHERE tablename = 'session_record' AND indexname NOT LIKE '%_pk'"
      : "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND tbl_name = 'session_record' AND sql IS NOT NULL",
    [],
  )) as [string, string][];
  if (indexes.length < 8) throw new Error('the indexes of records were not found');
  // The look of the reader ends with this round; while it lasts, no checkpoint shortens the log of SQLite.
  await nextRound();
  for (const [name] of indexes) await lease.exec(`DROP INDEX ${name}`);
  if (dialect === 'pg') {
    for (const setting of FILLING) await lease.exec(`SET ${setting}`);
    for (const month of months) await lease.exec(`ALTER TABLE session_record_${month} SET UNLOGGED`);
  }
  say(`${ROWS} rows`);
  for (let first = 0; first < ROWS; first += CHUNK)
    await lease.exec(inserted(first, Math.min(ROWS, first + CHUNK) - 1));
  for (const [name, definition] of indexes) {
    say(name);
    await lease.exec(definition);
  }
  if (dialect === 'pg') await lease.exec('VACUUM (ANALYZE) session_record');
  // On the same connection: it is the one whose statements may last.
  const [[count] = []] = await lease.rows('SELECT count(*) FROM session_record', []);
  if (Number(count) !== ROWS) throw new Error(`${String(count)} rows instead of ${ROWS}`);
  if (dialect === 'pg') await validIndexes(port, indexes.length * months.length);
  await lease.release(false);
  await nextRound();
}

/** An index of the whole table without one in each month is none for a list, and the figures would be those of a full scan. */
async function validIndexes({ connection }: TestDatabase['port'], least: number): Promise<void> {
  const [[valid, invalid] = []] = await connection.rows(
    `SELECT count(*) FILTER (WHERE i.indisvalid AND c.relkind = 'i'), count(*) FILTER (WHERE NOT i.indisvalid)
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relname LIKE 'session_record%'`,
    [],
  );
  if (Number(invalid) > 0 || Number(valid) < least)
    throw new Error(
      `${String(valid)} indexes of months instead of ${least}, and ${String(invalid)} that are not valid`,
    );
}

/** A year of records; neighbours in time are of other devices and numbers. */
function inserted(first: number, last: number): string {
  const isPg = dialect === 'pg';
  const text = (expression: string, digits: number) =>
    isPg ? `lpad((${expression})::text, ${digits}, '0')` : `printf('%0${digits}d', ${expression})`;
  const at = `(${T0} + i * ${STEP_MS})`;
  const month = isPg
    ? `to_char(to_timestamp(${at} / 1000) AT TIME ZONE 'UTC', 'YYYYMM')::int`
    : `CAST(strftime('%Y%m', ${at} / 1000, 'unixepoch') AS INTEGER)`;
  const numbers = isPg
    ? `WITH n(i) AS (SELECT generate_series(${first}::bigint, ${last}))`
    : `WITH RECURSIVE n(i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${last})`;
  const body = JSON.stringify({ record: { v: 1, times: {}, reason: 'r'.repeat(200) } });
  return `INSERT INTO session_record (tenant, id, month, site_id, uid, host_id, seq, kind, result, at, received_at, trace_id,
      device_id, from_party, to_party, receiver, protocol, warnings, body)
    ${numbers} SELECT '${TENANT}', 'r' || ${text('i', 25)}, ${month}, 's' || (i % 10), 'u', 'gw', i,
      CASE WHEN i % 2 = 0 THEN 'alarm' ELSE 'call' END, 'done', ${at}, ${at}, 'trace-' || i,
      'dev-' || ${text(`(i * 7919) % ${DEVICES}`, 5)}, '+4670' || ${text(`(i * 104729) % ${NUMBERS}`, 6)},
      '+4680' || (i % 100), 'bridge', 'scaip', NULL, '${body}' FROM n`;
}
