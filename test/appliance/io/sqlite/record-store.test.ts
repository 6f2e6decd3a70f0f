import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRecordStore, type RecordStore } from '#appliance/io/sqlite/record-store/index.ts';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';

const NOW = 1_770_000_000_000;
const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;

let folder: string;
let open: RecordStore[];
let logged: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'carillon-record-'));
  open = [];
  logged = [];
});
afterEach(async () => {
  for (const store of open) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = () => join(folder, 'record.db');

async function store(quotaBytes = 64 * MIB): Promise<RecordStore> {
  const log = (level: string, event: string) => logged.push(`${level} ${event}`);
  const made = await openRecordStore({ file: file(), quotaBytes, log });
  open.push(made);
  return made;
}

async function closed(made: RecordStore): Promise<void> {
  open.splice(open.indexOf(made), 1);
  await made.close();
}

function record(n: number, more: Partial<SessionRecord> = {}): SessionRecord {
  const at = more.at ?? NOW + n;
  return {
    v: 1,
    recordId: recordIdOf(`session ${n}`, at),
    kind: 'call',
    at,
    result: 'done',
    times: {},
    ...more,
  };
}

const all = { fromMs: 0, toMs: NOW * 2, limit: 1_000 };
const ids = (records: readonly SessionRecord[]) => records.map(({ recordId }) => recordId);

describe('the store of records', () => {
  it('says when records are in the file, and nothing when they are acknowledged', async () => {
    const records = await store();
    const seen: number[] = [];
    records.written.add(() => seen.push(records.unsent(0, 10).length));
    records.put(record(1));
    records.put(record(2));
    expect(seen).toEqual([]);
    await records.flush();
    expect(seen).toEqual([2]);
    await records.sent(records.unsent(0, 10)[0]?.seq ?? 0);
    await records.flush();
    expect(seen).toEqual([2]);
  });

  it('shows the newest first, page by page, and nothing twice', async () => {
    const records = await store();
    // Several of one moment: the id decides between them.
    const made = Array.from({ length: 25 }, (_, n) => record(n, { at: NOW + Math.floor(n / 5) }));
    for (const each of made) records.put(each);
    const seen: string[] = [];
    let after: { at: number; recordId: string } | undefined;
    for (;;) {
      const page = await records.list({ ...all, limit: 7, ...(after && { after }) });
      const last = page.at(-1);
      if (last === undefined) break;
      seen.push(...ids(page));
      after = last;
    }
    const sorted = made.toSorted((a, b) => b.at - a.at || (a.recordId < b.recordId ? 1 : -1));
    expect(seen).toEqual(ids(sorted));
  });

  it('finds by every filter', async () => {
    const records = await store();
    const one = record(1, {
      ...{ kind: 'alarm', result: 'failed', deviceId: 'unit-17', from: '+4612345', to: 'scaip' },
      ...{ receiver: 'bridge', protocol: 'scaip', traceId: 'trace', warnings: ['unknownDevice'] },
    });
    const other = record(2, { deviceId: 'unit-2', from: '+4699', to: 'bo', receiver: 'b', traceId: 't' });
    for (const each of [one, other]) records.put(each);
    const questions = [
      { kind: 'alarm' },
      { result: 'failed' },
      { device: 'unit-1' },
      { number: '+4612' },
      { number: 'sca' },
      { receiver: 'bridge' },
      { protocol: 'scaip' },
      { warning: 'unknown' },
      { traceId: 'trace' },
      { toMs: NOW + 2 },
    ] as const;
    for (const question of questions)
      expect([question, ids(await records.list({ ...all, ...question }))]).toEqual([
        question,
        [one.recordId],
      ]);
    expect(await records.list({ ...all, device: 'nit' })).toEqual([]);
    expect(await records.byId(other.recordId)).toEqual(other);
    expect(await records.byId('01kge3h9z8m91zhtfdrhzgd4pg')).toBeUndefined();
  });

  it('has one row for start and end; a start that comes late changes nothing', async () => {
    const records = await store();
    const start = record(1, { result: 'running' });
    records.put(start);
    await records.flush();
    const [first] = records.unsent(0, 10);
    expect(records.running()).toEqual([start]);
    records.put(record(1));
    records.put(start);
    await records.flush();
    const rest = records.unsent(0, 10);
    expect(rest).toHaveLength(1);
    expect(rest[0]?.record.result).toBe('done');
    expect(rest[0]?.seq).toBeGreaterThan(first?.seq ?? 0);
    expect(records.running()).toEqual([]);
  });

  it('numbers on over a restart and in a new file, and remembers what the control plane has', async () => {
    const before = await store();
    for (const n of [1, 2, 3]) before.put(record(n));
    await before.flush();
    const [, second] = before.unsent(0, 10);
    await before.sent(second?.seq ?? 0);
    await closed(before);
    const records = await store();
    expect(records.acked()).toBe(second?.seq);
    expect(records.unsent(records.acked(), 10).map(({ record: { recordId } }) => recordId)).toEqual([
      record(3).recordId,
    ]);
    const third = records.unsent(0, 10)[0]?.seq ?? 0;
    await closed(records);
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    const fresh = await store();
    fresh.put(record(4));
    await fresh.flush();
    expect(fresh.unsent(0, 10)[0]?.seq).toBeGreaterThan(third);
  });

  it('survives the death of its thread, and writes what waited', async () => {
    const records = await store();
    records.put(record(1));
    await records.flush();
    await records.crashWriter();
    records.put(record(2));
    await records.flush();
    records.put(record(3));
    await records.flush();
    expect(ids(await records.list(all)).toSorted()).toEqual(
      [1, 2, 3].map((n) => record(n).recordId).toSorted(),
    );
  });

  it('stays within its quota: the oldest that were sent go first, then the oldest', async () => {
    const quotaBytes = 8 * MIB;
    const records = await store(quotaBytes);
    const long = 'x'.repeat(1_000);
    const put = async (from: number, count: number) => {
      for (let n = from; n < from + count; n++) records.put(record(n, { reason: long }));
      await records.flush();
    };
    await put(0, 4_000);
    const sentUpTo = records.unsent(0, 4_000)[1_999]?.seq ?? 0;
    await records.sent(sentUpTo);
    await put(4_000, 3_000);
    const left = await records.list({ ...all, limit: 10_000 });
    const kept = new Set(ids(left));
    const has = (n: number) => kept.has(record(n).recordId);
    // Sent ones have made room; of the others none had to go.
    expect(has(0)).toBe(false);
    expect([2_000, 3_999, 6_999].map(has)).toEqual([true, true, true]);
    await put(7_000, 7_000);
    const after = await records.list({ ...all, limit: 20_000 });
    expect(after.some(({ recordId }) => recordId === record(13_999).recordId)).toBe(true);
    expect(after.some(({ recordId }) => recordId === record(2_000).recordId)).toBe(false);
    const bytes = readFileSync(file()).length;
    expect(bytes).toBeLessThan(quotaBytes * 1.25);
  });

  it('drops attempts of unknown sources first and alarms last, the oldest of each class first', async () => {
    const quotaBytes = 4 * MIB;
    const records = await store(quotaBytes);
    const long = 'x'.repeat(1_000);
    const kinds = ['alarm', 'call', 'attempt', 'message'] as const;
    for (let n = 0; n < 12_000; n++) {
      records.put(record(n, { kind: kinds[n % 4] ?? 'call', reason: long }));
      if (n % 500 === 499) await records.flush();
    }
    await records.flush();
    const left = records.unsent(0, 20_000).map(({ record: each }) => each);
    expect(left.map(({ at }) => at)).toEqual(left.map(({ at }) => at).toSorted((a, b) => a - b));
    const ofKind = (kind: string) => left.filter((each) => each.kind === kind).map(({ at }) => at - NOW);
    // Room for some 3,000: every other class has made room for the alarms, but for the newest of the last writes.
    expect(ofKind('alarm').length).toBeGreaterThan(2_000);
    for (const kind of ['call', 'attempt', 'message'])
      expect(Math.min(...ofKind(kind), 12_000), kind).toBeGreaterThan(11_000);
    expect(ofKind('alarm').at(-1)).toBe(11_996);
    expect(readFileSync(file()).length).toBeLessThan(quotaBytes * 1.5);
  });

  it('removes what is older than its class', async () => {
    const records = await store();
    const old = NOW - 100 * DAY_MS;
    const kinds = ['alarm', 'alarmSent', 'call', 'message', 'attempt'] as const;
    for (const [n, kind] of kinds.entries()) records.put(record(n, { kind, at: old + n }));
    records.put(record(10, { kind: 'attempt', at: NOW - 13 * DAY_MS }));
    await records.flush();
    expect(await records.clean(NOW, { alarms: 730, calls: 90, logs: 14 })).toBe(3);
    const left = await records.list(all);
    expect(left.map(({ kind }) => kind)).toEqual(['attempt', 'alarmSent', 'alarm']);
  });

  it('erases a person and a device, and leaves nothing of them in its files', async () => {
    const records = await store();
    const number = '+46701234567';
    records.put(record(1, { from: number, requestUri: `sip:${number}@care.example` }));
    records.put(record(2, { deviceId: 'unit-17' }));
    records.put(record(3, { sessionId: 'session-of-it', from: 'other' }));
    records.put(record(4, { from: 'kept' }));
    expect(await records.erase({ address: number }, ['session-of-it'], [])).toBe(2);
    expect(await records.erase({ deviceId: 'unit-17' }, [], [])).toBe(1);
    expect(ids(await records.list(all))).toEqual([record(4).recordId]);
    const raw = readdirSync(folder)
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    for (const word of [number.slice(1), 'unit-17', 'session-of-it']) expect(raw).not.toContain(word);
    expect(raw).toContain('kept');
  });

  it('that is damaged is put aside at the next start, and what can be read of it stays', async () => {
    const before = await store();
    for (let n = 0; n < 2_000; n++) before.put(record(n, { reason: 'y'.repeat(200) }));
    await closed(before);
    const bytes = readFileSync(file());
    bytes.fill(0xff, Math.floor(bytes.length / 2), Math.floor(bytes.length / 2) + 8_192);
    writeFileSync(file(), bytes);
    const records = await store();
    expect(logged).toContain('warn record_store.salvaged');
    const left = await records.list({ ...all, limit: 5_000 });
    expect(left.length).toBeGreaterThan(500);
    expect(left.length).toBeLessThan(2_000);
    expect(readdirSync(folder).some((name) => name.startsWith('record.db.damaged-'))).toBe(true);
    records.put(record(5_000));
    expect(await records.byId(record(5_000).recordId)).toBeDefined();
  });

  it('that is no database keeps no host from starting', async () => {
    writeFileSync(file(), 'this is no database, and was never one. '.repeat(500));
    const records = await store();
    records.put(record(1));
    expect(ids(await records.list(all))).toEqual([record(1).recordId]);
  });

  it('takes the ends of 10,000 sessions at once, in their order', async () => {
    const records = await store();
    const made = Array.from({ length: 10_000 }, (_, n) => record(n));
    for (const each of made) records.put({ ...each, result: 'running' });
    for (const each of made) records.put(each);
    await records.flush();
    const unsent = records.unsent(0, 20_000);
    expect(unsent.map(({ record: { recordId } }) => recordId)).toEqual(ids(made));
    expect(records.running()).toEqual([]);
  });
});
