import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRecordStore, type RecordStore } from '#appliance/io/sqlite/record-store/index.ts';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import { SiteRecords } from '#appliance/site/host/uplink/site-records.ts';
import { recordsAfter } from '#cloud/store/index.ts';
import type { RecordBatch, SessionRecord } from '#shared/contract/session-record/index.ts';
import { intakeStage } from '#test/cloud/record/stage.ts';
import { openTestDatabase, type TestDatabase } from '#test/cloud/store/database.ts';

/*
 * Thirty days without control plane, on the store of a host and a clock of the test: more sessions than the quota holds, a
 * restart each week, retention each day. Then the real intake takes what is left.
 */

const MIB = 1024 * 1024;
const QUOTA_BYTES = 2 * MIB;
const DAY_MS = 86_400_000;
const [DAYS, A_DAY, EACH_MS] = [30, 240, 360_000];
const BEGIN = Date.UTC(2026, 9, 25);
const KINDS = ['call', 'attempt', 'message', 'attempt', 'mediaService', 'alarm'] as const;
const KEPT = { alarms: 730, calls: 90, logs: 14 };

let folder: string;
let database: TestDatabase;
let records: RecordStore;
const open = () =>
  openRecordStore({ file: join(folder, 'record.db'), quotaBytes: QUOTA_BYTES, log: () => undefined });

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-record-month-'));
  database = await openTestDatabase('sqlite');
  records = await open();
});
afterEach(async () => {
  await records.close();
  await database.close();
  rmSync(folder, { recursive: true });
});

const record = (n: number): SessionRecord => {
  const at = BEGIN + n * EACH_MS;
  return {
    ...{ v: 1, recordId: recordIdOf(`session ${n}`, at), kind: KINDS[n % KINDS.length] ?? 'call', at },
    ...{ result: 'done', reason: 'x'.repeat(200), traceId: `trace-${n}`, times: { ended: at + 60_000 } },
  };
};
/** The log of SQLite beside it is some MiB, whatever the quota. */
const bytesOnDisk = (): number => statSync(join(folder, 'record.db')).size;

/** The days pass; gives the largest size of the store on the disk. */
async function month(): Promise<number> {
  let most = 0;
  for (let day = 0; day < DAYS; day++) {
    for (let n = day * A_DAY; n < (day + 1) * A_DAY; n++) {
      records.put({ ...record(n), result: 'running' });
      records.put(record(n));
    }
    await records.flush();
    await records.clean(BEGIN + (day + 1) * DAY_MS, KEPT);
    if (day % 7 === 6) {
      await records.close();
      records = await open();
    }
    most = Math.max(most, bytesOnDisk());
  }
  return most;
}

/** The uplink until nothing is left; gives the batches as they went out. */
async function sendAll(take: (batch: unknown) => Promise<number | undefined>): Promise<readonly string[]> {
  const order: string[] = [];
  let nowMs = 0;
  let due: { readonly atMs: number; readonly fire: () => void } | undefined;
  let eventsWait = 3;
  let work: Promise<unknown> = Promise.resolve();
  const uplink: SiteRecords = new SiteRecords(
    {
      clock: { monoMs: () => nowMs, wallMs: () => nowMs },
      run: (doing) => {
        work = Promise.all([work, doing]);
      },
      startTimer: (ms, fire) => {
        const mine = { atMs: nowMs + ms, fire };
        due = mine;
        return () => {
          if (due === mine) due = undefined;
        };
      },
      queue: records,
      leaves: (whole) => whole,
      isCallRunning: () => false,
    },
    (batch: Pick<RecordBatch, 'items'>) => {
      order.push(...batch.items.map(({ record: { recordId } }) => recordId));
      work = work.then(async () => uplink.acknowledged((await take({ v: 1, sid: 'sid', ...batch })) ?? 0));
    },
    () => eventsWait-- > 0,
  );
  uplink.opened();
  uplink.capable(true);
  for (let quiet = 0; quiet < 10; quiet++) {
    const before = order.length;
    nowMs = due?.atMs ?? nowMs + 500;
    due?.fire();
    for (let waited = work; ; waited = work) {
      await waited;
      if (waited === work) break;
    }
    if (order.length > before) quiet = 0;
  }
  uplink.lost();
  return order;
}

it('a month of sessions stays in its quota, loses the least first, and arrives in order', async () => {
  const most = await month();
  expect(most).toBeLessThan(QUOTA_BYTES * 1.5);
  const kept = records.unsent(0, 100_000).map((each) => each.record);
  expect(kept.length).toBeLessThan(DAYS * A_DAY);
  const stage = await intakeStage(database.store);
  const host = await stage.host('u1');
  const order = await sendAll((batch) => stage.intake.take(host, 'gw-1', batch, BEGIN + DAYS * DAY_MS));

  // In the order in which the sessions ended, each once; nothing waits any more.
  expect(order).toEqual(kept.map(({ recordId }) => recordId));
  expect(order).toEqual(order.toSorted());
  expect(records.unsent(records.acked(), 10)).toEqual([]);
  const rows = await recordsAfter(database.store, 't', '', 100_000);
  expect(rows.map(({ id }) => id)).toEqual(order);
  expect(rows.every(({ result }) => result === 'done')).toBe(true);

  // Every alarm of the month is there; of the other classes the newest.
  const numbers = (kinds: readonly string[]) =>
    rows.filter(({ kind }) => kinds.includes(kind)).map(({ at }) => (at - BEGIN) / EACH_MS);
  expect(numbers(['alarm'])).toEqual(
    Array.from(
      { length: (DAYS * A_DAY) / KINDS.length },
      (_, n) => n * KINDS.length + KINDS.indexOf('alarm'),
    ),
  );
  const calls = numbers(['call', 'message', 'mediaService']);
  expect(calls.length).toBeGreaterThan(100);
  const oldestCall = Math.min(...calls);
  expect(calls).toHaveLength(
    Array.from(
      { length: DAYS * A_DAY - oldestCall },
      (_, n) => KINDS[(oldestCall + n) % KINDS.length],
    ).filter((kind) => kind !== 'alarm' && kind !== 'attempt').length,
  );
  expect(Math.min(...numbers(['attempt']))).toBeGreaterThan(oldestCall);
}, 120_000);
