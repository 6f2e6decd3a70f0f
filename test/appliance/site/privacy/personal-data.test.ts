import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { JournalWrite } from '#appliance/delivery/outbox/index.ts';
import { openRecordingStore } from '#appliance/io/recorder/index.ts';
import { type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import { openRecordStore } from '#appliance/io/sqlite/record-store/index.ts';
import type { ShelvedRecording } from '#appliance/media/recording/index.ts';
import { PersonalData } from '#appliance/site/privacy/index.ts';
import type { SessionRecord } from '#shared/contract/session-record/index.ts';
import { ulid } from '#shared/id.ts';
import type { DataSubject } from '#shared/matching/index.ts';
import { event, outbox, session, sessionRow, t0 } from '../../io/sqlite/journal-row.ts';
import { tempFolders } from '../../io/sqlite/temp-folder.ts';

const folders = tempFolders();
/** People and devices that memory has to forget. */
const forgotten: DataSubject[] = [];
let folder: string;
let journal: OpenJournal;
let personalData: PersonalData;

beforeEach(async () => {
  folder = folders();
  journal = await openJournal({ file: join(folder, 'journal.db'), bootId: 'a' });
  const recordingStore = openRecordingStore(join(folder, 'recording'));
  forgotten.splice(0);
  const forget = (whose: DataSubject) => void forgotten.push(whose);
  personalData = new PersonalData({
    journal,
    recordingStore,
    forget,
    nowMs: () => t0 + 1_000,
    log: () => undefined,
  });
});
afterEach(() => journal.close());

const subject = { deviceId: 'flat-1' };
const ask = (op: 'privacy.export' | 'privacy.erase', args: Record<string, unknown>) =>
  personalData.operations[op]({ args, by: 'user:test' });
const erase = (args: Record<string, unknown> = {}) => ask('privacy.erase', { subject, ...args });

/** All a device leaves behind: number `n`, reported by one event, delivered. */
const past = (n: number, deviceId: string, text = ''): readonly JournalWrite[] => [
  session(n, { closed: true, body: JSON.stringify({ deviceId }) }),
  event(n, { body: JSON.stringify({ deviceId, text }) }),
  // The second one names no person and belongs to the session as well.
  event(n, { id: `event-${n}b`, ordinal: 1 }),
  outbox(n, { orderKey: sessionRow(n).id, body: JSON.stringify({ body: JSON.stringify({ deviceId }) }) }),
  { kind: 'outboxChange', id: `out-${n}`, atMs: t0, change: { state: 'done' } },
  {
    kind: 'trace',
    row: { traceId: `trace-${n}`, sessionId: null, ordinal: 0, atMs: t0, kind: 'in', body: '{}' },
  },
  {
    kind: 'heartbeat',
    row: { tenant: 't', deviceId, status: 'online', lastMs: 1, expiresMs: 2, body: '{}' },
  },
  {
    kind: 'binding',
    row: { tenant: 't', aor: `sip:${deviceId}@care.example`, contact: 'c', expiresMs: 9, body: '{}' },
  },
];

const recording = (n: number, change: Partial<ShelvedRecording> = {}): ShelvedRecording => {
  const fileName = `audit-${n}.wav`;
  mkdirSync(join(folder, 'recording'), { recursive: true });
  writeFileSync(join(folder, 'recording', fileName), 'sound');
  return {
    recordingId: `r${n}`,
    fileName,
    expected: [fileName],
    report: { sessionId: sessionRow(n).id, connectionId: 'c', traceId: `trace-${n}` },
    ...{ startedAtMs: t0, endedAtMs: t0, durationMs: 9, degraded: false, marks: [], deliveries: [] },
    event: 'recordingSuccessful',
    files: [{ fileName, sizeBytes: 5, sha256: '00' }],
    ...{ reported: true, uploaded: true, ...change },
  };
};
const shelve = (one: ShelvedRecording) => openRecordingStore(join(folder, 'recording')).put(one);

/** Every page, its pieces put together again. */
async function exported(from: typeof ask = ask): Promise<Record<string, unknown[]>> {
  const texts = new Map<string, { kind: string; text: string }>();
  let after: unknown;
  for (let pages = 0; pages < 1_000; pages++) {
    const answer = await from('privacy.export', { subject, ...(after !== undefined && { after }) });
    if (!answer.ok) throw new Error(answer.reason);
    expect(JSON.stringify(answer.value).length).toBeLessThan(60 * 1_024);
    for (const { kind, key, text } of answer.value.rows as { kind: string; key: string; text: string }[])
      texts.set(key, { kind, text: (texts.get(key)?.text ?? '') + text });
    after = answer.value.next;
    if (after === undefined) break;
  }
  const rows: Record<string, unknown[]> = {};
  for (const { kind, text } of texts.values()) rows[kind] = [...(rows[kind] ?? []), JSON.parse(text)];
  return rows;
}

describe('the data of a device on a host', () => {
  test('is shown whole, in pages, and nothing of another device', async () => {
    const long = 'x"å'.repeat(40_000);
    await journal.commit([...past(1, 'flat-1'), ...past(2, 'flat-12'), ...past(3, 'flat-1', long)]);
    await shelve(recording(1));
    await shelve(recording(2));
    const rows = await exported();
    expect(Object.fromEntries(Object.entries(rows).map(([kind, all]) => [kind, all.length]))).toEqual({
      ...{ event: 4, message: 2, trace: 2, session: 2, recording: 1 },
    });
    expect(rows.event).toContainEqual(expect.objectContaining({ body: { deviceId: 'flat-1', text: long } }));
    expect(JSON.stringify(rows)).not.toContain('flat-12');
  });

  test('has the words of its recordings, whole, and they are removed with them', async () => {
    await journal.commit(past(1, 'flat-1'));
    const lines = Array.from({ length: 1_500 }, (_, at) => ({
      ...{ channel: 0, offsetMs: at * 1_000, durationMs: 900, text: `line ${at} "å"` },
    }));
    const transcribed = { transcript: { lines, missed: 0 } };
    await shelve(recording(1, transcribed));
    await shelve({ ...recording(2, transcribed), report: recording(1).report });
    const rows = await exported();
    expect(rows.recording).toMatchObject([transcribed, transcribed]);
    expect(await erase()).toMatchObject({ ok: true, value: { removed: { recording: 2 } } });
    expect(await exported()).toEqual({});
  });

  test('lists its records of sessions, page by page', async () => {
    await journal.commit(past(1, 'flat-1'));
    await shelve(recording(1));
    const records = await openRecordStore({
      ...{ file: join(folder, 'record.db'), quotaBytes: 64 * 1_024 * 1_024, log: () => undefined },
    });
    const whole = Array.from({ length: 1_200 }, (_, n) => ({
      ...{ v: 1, recordId: ulid(t0 + n, new Uint8Array(10)), kind: 'call', at: t0 + n, result: 'done' },
      ...{ times: { arrived: t0 + n }, reason: 'x'.repeat(200) },
      ...(n === 700 ? { traceId: 'trace-1' } : { deviceId: n % 3 === 0 ? 'flat-1' : 'flat-12' }),
    })) as SessionRecord[];
    for (const record of whole) records.put(record);
    const recordingStore = openRecordingStore(join(folder, 'recording'));
    const listing = new PersonalData({
      ...{ journal, recordingStore, forget: () => undefined, nowMs: () => t0 + 1_000, log: () => undefined },
      recordsOf: (...of) => records.named(...of),
    });
    const rows = await exported((op, args) => listing.operations[op]({ args, by: 'user:test' }));
    expect(rows.record).toEqual(
      whole.filter(({ deviceId, traceId }) => deviceId === 'flat-1' || traceId === 'trace-1'),
    );
    expect(rows).toMatchObject({ session: [{}], recording: [{}] });
    await records.close();
  });

  test('is removed, all of it and nothing else; again there is nothing to remove', async () => {
    await journal.commit([...past(1, 'flat-1'), ...past(2, 'flat-12')]);
    await shelve(recording(1));
    await shelve(recording(2));
    expect(await erase()).toEqual({
      ok: true,
      value: {
        removed: { recording: 1, event: 2, message: 1, trace: 1, session: 1, heartbeat: 1, registration: 1 },
        files: ['audit-1.wav'],
      },
    });
    expect(forgotten).toEqual([subject]);
    expect(await exported()).toEqual({});
    expect(readdirSync(join(folder, 'recording')).filter((name) => name.endsWith('.wav'))).toEqual([
      'audit-2.wav',
    ]);
    expect(journal.events(sessionRow(2).id)).toHaveLength(2);
    expect(journal.heartbeats().map(({ deviceId }) => deviceId)).toEqual(['flat-12']);
    expect(await erase()).toEqual({ ok: true, value: { removed: {}, files: [] } });
  });

  test('is taken out of the captured messages, found by its name and by its traces while these are there', async () => {
    await journal.commit(past(1, 'flat-1'));
    const asked: unknown[] = [];
    const captured = async (isIn: (text: string) => boolean, traceIds: readonly string[]) => {
      asked.push(isIn('From: <sip:flat-1@x>'), isIn('From: <sip:flat-12@x>'), traceIds);
      asked.push(journal.trace('trace-1').length);
      return 3;
    };
    const recordingStore = openRecordingStore(join(folder, 'recording'));
    const capturing = new PersonalData({
      ...{
        journal,
        recordingStore,
        captured,
        forget: () => undefined,
        nowMs: () => t0 + 1_000,
        log: () => undefined,
      },
    });
    const { 'privacy.erase': remove } = capturing.operations;
    expect(await remove({ args: { subject, check: true }, by: 'user:test' })).toMatchObject({ ok: true });
    expect(asked).toEqual([]);
    expect(await remove({ args: { subject }, by: 'user:test' })).toMatchObject({
      ok: true,
      value: { removed: { capture: 3, session: 1 } },
    });
    expect(asked).toEqual([true, false, ['trace-1'], 1]);
  });

  test('leaves a device in service that stays', async () => {
    await journal.commit(past(1, 'flat-1'));
    expect(await erase({ keepDevice: true })).toMatchObject({ ok: true, value: { removed: { session: 1 } } });
    expect(journal.heartbeats()).toHaveLength(1);
    expect(journal.bindings()).toHaveLength(1);
  });

  test('stays while an alarm of it is active, and while a recording runs', async () => {
    await journal.commit([
      ...past(1, 'flat-1'),
      session(2, { body: JSON.stringify({ deviceId: 'flat-1' }) }),
    ]);
    const refused = { ok: false, code: 'alarmActive' };
    expect(await erase({ check: true })).toMatchObject(refused);
    expect(await erase()).toMatchObject(refused);
    expect(forgotten).toEqual([]);
    await journal.commit([session(2, { closed: true, body: '{"deviceId":"flat-1"}', rank: 1 })]);
    const { event: _, ...running } = recording(1);
    await shelve(running);
    expect(await erase()).toMatchObject(refused);
    expect((await exported()).session).toHaveLength(2);
    await shelve(recording(1));
    expect(await erase()).toMatchObject({ ok: true });
  });

  test('stays while a message about it is waited for, here or from another host', async () => {
    await journal.commit([
      ...past(1, 'flat-1'),
      outbox(7, { orderKey: 'flat-1', dest: 'cloud', lane: 'svc', body: '{}' }),
    ]);
    const owed = { ok: false, code: 'owed', reason: expect.stringContaining('1 messages') as string };
    expect(await erase({ check: true })).toMatchObject({ ok: true, value: { owed: 1 } });
    expect(await erase()).toMatchObject(owed);
    await journal.commit([
      { kind: 'outboxChange', id: 'out-7', atMs: t0, change: { state: 'done' } },
      {
        kind: 'peerPut',
        ...{ origin: 'u2', what: 'outbox', atMs: t0 },
        row: { id: 'p1', lane: 'alarm', dest: 'bridge:1', seq: 1, body: '{"deviceId":"flat-1"}' },
      },
    ]);
    expect(await erase()).toMatchObject(owed);
    await journal.commit([{ kind: 'peerDone', origin: 'u2', id: 'p1' }]);
    expect(await erase()).toMatchObject({ ok: true, value: { removed: { message: 2, copy: 1 } } });
  });

  test('keeps what began while it was being removed', async () => {
    await journal.commit([
      session(1, { body: '{"deviceId":"flat-1"}' }),
      event(1, { body: '{"deviceId":"flat-1"}' }),
      outbox(1, { orderKey: sessionRow(1).id }),
      session(2, { closed: true, body: '{"deviceId":"flat-1"}', updatedMs: t0 + 2_000 }),
    ]);
    const known = { subject, sessions: [sessionRow(1).id, sessionRow(2).id], traces: [] };
    for (let table = 0; table < 5; table++) {
      const position = { table, afterRow: 0 };
      const step = { ...known, work: 'remove', position, beforeMs: t0 + 1_000 } as const;
      expect((await journal.subjectStep(step)).removed).toEqual({});
    }
  });

  test('is not found behind a wrong question', async () => {
    expect(await ask('privacy.erase', { subject: {} })).toMatchObject({ ok: false, code: 'invalid' });
    expect(await ask('privacy.export', { subject, after: 'x' })).toMatchObject({
      ok: false,
      code: 'invalid',
    });
    expect(await ask('privacy.erase', { subject: { address: '12' } })).toMatchObject({ code: 'invalid' });
  });

  test('a long journal is read through with alarms in between', async () => {
    const many = Array.from({ length: 1_300 }, (_, at) => past(at + 10, at % 2 === 0 ? 'flat-1' : 'flat-2'));
    await journal.commit(many.flat());
    const erased = erase();
    await journal.commit([session(9, { body: JSON.stringify({ deviceId: 'flat-3' }) })]);
    expect(await erased).toMatchObject({ ok: true, value: { removed: { session: 650, event: 1_300 } } });
    expect(journal.session(sessionRow(11).id)).toBeDefined();
  });
});
