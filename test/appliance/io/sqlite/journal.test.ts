import { statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isStorageFailed } from '#appliance/delivery/outbox/index.ts';
import { type JournalSetting, type OpenJournal, openJournal } from '#appliance/io/sqlite/index.ts';
import { alarm, event, eventRow, outbox, outboxRow, session, sessionRow, t0 } from './journal-row.ts';
import { tempFolders } from './temp-folder.ts';

const dayMs = 24 * 3_600_000;
const folder = tempFolders();
const open: OpenJournal[] = [];

async function journal(file: string, setting: Partial<JournalSetting> = {}): Promise<OpenJournal> {
  const opened = await openJournal({ file, bootId: 'boot-a', ...setting });
  open.push(opened);
  return opened;
}
async function close(opened: OpenJournal): Promise<void> {
  open.splice(open.indexOf(opened), 1);
  await opened.close();
}
afterEach(async () => {
  for (const opened of open.splice(0)) await opened.close();
});

describe('commit', () => {
  it('keeps every kind of row as it was given', async () => {
    const file = join(folder(), 'journal.db');
    const first = await journal(file);
    await first.commit([
      session(1),
      session(2, { closed: true, dedupeKey: null }),
      event(1),
      event(1, { id: 'event-1b', ordinal: 1 }),
      outbox(first.nextSeq(), { late: true, lastErr: 'timeout', authIdx: 2 }),
      { kind: 'trace', row: { traceId: 'a', sessionId: null, ordinal: 0, atMs: t0, kind: 'in', body: '{}' } },
      {
        kind: 'heartbeat',
        row: { tenant: 't', deviceId: 'd', status: 'online', lastMs: 1, expiresMs: 2, body: '{}' },
      },
      { kind: 'binding', row: { tenant: 't', aor: 'a', contact: 'c', expiresMs: 9, body: '{}' } },
    ]);
    await close(first);
    const again = await journal(file);
    expect(again.openSessions()).toEqual([sessionRow(1)]);
    expect(again.events(sessionRow(1).id)).toEqual([
      eventRow(1),
      eventRow(1, { id: 'event-1b', ordinal: 1 }),
    ]);
    expect(again.pendingOutbox()).toEqual([outboxRow(1, { late: true, lastErr: 'timeout', authIdx: 2 })]);
    expect(again.trace('a')).toEqual([
      { traceId: 'a', sessionId: null, ordinal: 0, atMs: t0, kind: 'in', body: '{}' },
    ]);
    expect(again.heartbeats()).toMatchObject([{ deviceId: 'd', status: 'online', expiresMs: 2 }]);
    expect(again.bindings()).toMatchObject([{ aor: 'a', contact: 'c', expiresMs: 9 }]);
    expect(again.nextSeq()).toBe(2);
  });

  it('keeps the newer state of a session, of our own and of those that another host left', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const origin = '01jc7z5t3k9q8w6m4n2p0r1s5v';
    const left = (rank: number) =>
      ({ kind: 'peerPut', origin, what: 'session', row: { ...sessionRow(2), rank }, atMs: t0 }) as const;
    await opened.commit([session(1, { rank: 7, body: 'newer' }), left(7)]);
    await opened.commit([session(1, { rank: 6, body: 'older' }), left(6)]);
    expect(opened.session(sessionRow(1).id)).toMatchObject({ rank: 7, body: 'newer' });
    expect(opened.peerRows(origin).map(({ body }) => JSON.parse(body))).toMatchObject([{ rank: 7 }]);
    await opened.commit([session(1, { rank: 7, body: 'again' }), session(3)]);
    expect(opened.session(sessionRow(1).id)).toMatchObject({ rank: 7, body: 'again' });
    expect(opened.session(sessionRow(3).id)).toEqual(sessionRow(3));
  });

  it('replaces sessions, heartbeats and bindings, and removes the two last', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    await opened.commit([session(1)]);
    await opened.commit([session(1, { body: '{"state":"answered"}', updatedMs: t0 + 5, closed: true })]);
    expect(opened.openSessions()).toEqual([]);
    expect(opened.dedupeAnswers(t0)).toMatchObject([{ body: '{"state":"answered"}', closed: true }]);
    expect(opened.dedupeAnswers(t0 + 1_800_000)).toEqual([]);
    const beat = {
      tenant: 't',
      deviceId: 'd',
      status: 'online',
      lastMs: 1,
      expiresMs: 2,
      body: '{}',
    } as const;
    const binding = { tenant: 't', aor: 'a', contact: 'c', expiresMs: 9, body: '{}' };
    await opened.commit([
      { kind: 'heartbeat', row: beat },
      { kind: 'heartbeat', row: { ...beat, status: 'offline' } },
      { kind: 'binding', row: binding },
      { kind: 'binding', row: { ...binding, expiresMs: 10 } },
    ]);
    expect(opened.heartbeats()).toEqual([{ ...beat, status: 'offline' }]);
    expect(opened.bindings()).toEqual([{ ...binding, expiresMs: 10 }]);
    await opened.commit([
      { kind: 'heartbeatGone', tenant: 't', deviceId: 'd' },
      { kind: 'bindingGone', tenant: 't', aor: 'a', contact: 'c' },
    ]);
    expect([...opened.heartbeats(), ...opened.bindings()]).toEqual([]);
  });

  it('may be repeated: a second time the same ids change nothing', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    await opened.commit(alarm(1));
    await opened.commit([{ kind: 'outboxChange', id: 'out-1', atMs: t0, change: { state: 'done' } }]);
    await opened.commit(alarm(1));
    expect(opened.outboxRow('out-1')?.state).toBe('done');
    expect(opened.events(sessionRow(1).id)).toHaveLength(1);
  });

  it('groups what comes while the disk is busy, at most 64 callers at a time', async () => {
    const batches: number[] = [];
    const opened = await journal(join(folder(), 'journal.db'), {
      onBatch: (callers) => batches.push(callers),
    });
    const waiting = Array.from({ length: 500 }, (_, n) => opened.commit(alarm(n + 1)));
    await Promise.all(waiting);
    expect(batches.reduce((sum, callers) => sum + callers, 0)).toBe(500);
    expect(Math.max(...batches)).toBe(64);
    expect(batches).toHaveLength(8);
    await opened.commit(alarm(501));
    expect(batches.at(-1)).toBe(1);
  });

  it('reports how long the disk took for each COMMIT', async () => {
    const reported: (readonly [number, readonly number[]])[] = [];
    const opened = await journal(join(folder(), 'journal.db'), {
      onBatch: (_callers, ms, syncs) => reported.push([ms, syncs]),
    });
    await opened.commit(alarm(1));
    const [[ms = 0, syncs = []] = []] = reported;
    expect(syncs).toHaveLength(1);
    expect(syncs[0]).toBeGreaterThan(0);
    expect(syncs[0]).toBeLessThanOrEqual(ms);
  });

  it('resolves in the order of the calls', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const order: number[] = [];
    await Promise.all(
      Array.from({ length: 200 }, async (_, n) => {
        await opened.commit([session(n)]);
        order.push(n);
      }),
    );
    expect(order).toEqual(Array.from({ length: 200 }, (_, n) => n));
  });

  it('keeps a defective unit out of the company of the others', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const results = await Promise.allSettled([
      opened.commit(alarm(1)),
      opened.commit([session(2), outbox(1, { id: 'another row with the same seq' })]),
      opened.commit(alarm(3)),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const [, second] = results;
    expect(second?.status === 'rejected' && isStorageFailed(second.reason)).toBe(true);
    // All or nothing: the session of the defective unit is not there either.
    expect(opened.openSessions().map(({ id }) => id)).toEqual([sessionRow(1).id, sessionRow(3).id]);
  });
});

describe('the write-ahead log', () => {
  it('stays short under load without a quiet moment', async () => {
    const file = join(folder(), 'journal.db');
    const opened = await journal(file);
    let next = 1;
    const body = JSON.stringify({ text: 'x'.repeat(1_000) });
    const store = async () => {
      while (next <= 4_000) await opened.commit([session(next, { body }), event(next++, { body })]);
    };
    await Promise.all(Array.from({ length: 50 }, store));
    expect(statSync(`${file}-wal`).size).toBeLessThan(1_500 * 4_096);
    expect(statSync(file).size).toBeGreaterThan(4_000 * 1_000);
  });
});

describe('close', () => {
  it('waits for what was committed before it and takes nothing after it', async () => {
    const file = join(folder(), 'journal.db');
    const first = await journal(file);
    const waiting = Array.from({ length: 200 }, (_, n) => first.commit(alarm(n + 1)));
    await close(first);
    await Promise.all(waiting);
    await expect(first.commit(alarm(201))).rejects.toSatisfy(isStorageFailed);
    expect((await journal(file)).openSessions()).toHaveLength(200);
  });
});

describe('writer thread', () => {
  it('that dies rejects what waits for it, and the next commit has a new one', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    await opened.commit(alarm(1));
    const crashed = opened.crashWriter();
    await expect(opened.commit(alarm(2))).rejects.toSatisfy(isStorageFailed);
    await crashed;
    await opened.commit(alarm(3));
    expect(opened.openSessions().map(({ id }) => id)).toEqual([sessionRow(1).id, sessionRow(3).id]);
  });

  it('that dies in a batch leaves each commit of it kept or rejected', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const waiting = Promise.allSettled(Array.from({ length: 300 }, (_, n) => opened.commit(alarm(n + 1))));
    await opened.commit(alarm(301)).catch(() => undefined);
    const more = Promise.allSettled(Array.from({ length: 300 }, (_, n) => opened.commit(alarm(n + 401))));
    await opened.crashWriter();
    const results = [...(await waiting), ...(await more)];
    const kept = new Set(opened.openSessions().map(({ id }) => id));
    const numbers = Array.from({ length: 600 }, (_, n) => (n < 300 ? n + 1 : n + 101));
    const promised = numbers.filter((_, index) => results[index]?.status === 'fulfilled');
    expect(promised.length).toBeGreaterThanOrEqual(300);
    expect(promised.filter((n) => !kept.has(sessionRow(n).id))).toEqual([]);
  });

  it('that cannot open the file rejects the opening', async () => {
    const failure = openJournal({ file: join(folder(), 'no', 'such', 'folder', 'journal.db') });
    await expect(failure).rejects.toSatisfy(isStorageFailed);
  });
});

describe('outbox rows', () => {
  it('change in what is named only', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    await opened.commit([outbox(1, { lastErr: 'timeout' })]);
    const change = { attempts: 3, notBefore: t0 + 5, late: true };
    await opened.commit([{ kind: 'outboxChange', id: 'out-1', atMs: t0, change }]);
    expect(opened.outboxRow('out-1')).toEqual(outboxRow(1, { lastErr: 'timeout', ...change }));
    await opened.commit([
      { kind: 'outboxChange', id: 'out-1', atMs: t0, change: { lastErr: null, state: 'dead' } },
    ]);
    expect(opened.deadLetters(0, 10)).toEqual([outboxRow(1, { ...change, state: 'dead' })]);
    expect(opened.deadLetters(1, 10)).toEqual([]);
    expect(opened.pendingOutbox()).toEqual([]);
  });

  it('are read by lane after a number, acknowledged ones too, until they are cleaned', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const cloud = { dest: 'cloud' } as const;
    await opened.commit([1, 2, 4, 5].map((seq) => outbox(seq, cloud)));
    await opened.commit([outbox(3, { ...cloud, lane: 'svc' }), outbox(6)]);
    const seqs = (after: number, limit = 100) =>
      opened.pending('cloud', 'alarm', after, limit).map(({ seq }) => seq);
    expect(seqs(0)).toEqual([1, 2, 4, 5]);
    expect(seqs(2, 1)).toEqual([4]);
    await opened.acknowledge('alarm', 4, t0);
    expect(seqs(4)).toEqual([5]);
    // The cloud was restored from a backup and knows less than before.
    expect(seqs(1)).toEqual([2, 4, 5]);
    expect(opened.outboxRow('out-3')?.state).toBe('new');
    expect(opened.pendingOutbox().map(({ seq }) => seq)).toEqual([6]);
  });
});

describe('counters', () => {
  it('give no number twice, also when the rows are deleted', async () => {
    const file = join(folder(), 'journal.db');
    const first = await journal(file);
    expect([first.nextSeq(), first.nextSeq()]).toEqual([1, 2]);
    await first.commit([outbox(2, { state: 'new' })]);
    await first.commit([{ kind: 'outboxChange', id: 'out-2', atMs: t0, change: { state: 'done' } }]);
    expect(await first.clean(t0 + 10 * dayMs)).toBe(1);
    await close(first);
    expect((await journal(file)).nextSeq()).toBe(3);
  });

  it('count a boot for each new kernel, not for each start', async () => {
    const file = join(folder(), 'journal.db');
    const boots: number[] = [];
    for (const bootId of ['a', 'a', 'b', 'b', 'c']) {
      const opened = await journal(file, { bootId });
      boots.push(opened.boot);
      await close(opened);
    }
    expect(boots).toEqual([1, 1, 2, 2, 3]);
  });

  it('remember how long the program was running', async () => {
    const file = join(folder(), 'journal.db');
    const first = await journal(file);
    expect(first.runningMs).toBe(0);
    await first.commit([{ kind: 'runningMs', ms: 600_000 }]);
    await close(first);
    expect((await journal(file)).runningMs).toBe(600_000);
  });
});

describe('retention', () => {
  it('removes what is old and done with, and nothing that is still waited for', async () => {
    const retention = { alarms: 90, calls: 90, logs: 14 };
    const opened = await journal(join(folder(), 'journal.db'), { retention });
    const old = { createdWall: t0, state: 'new' } as const;
    await opened.commit([
      session(1, { closed: true }),
      session(2),
      event(1),
      event(2),
      outbox(1, old),
      outbox(2, { ...old, dest: 'cloud' }),
      outbox(3, { ...old, dest: 'cloud', lane: 'usage' }),
      outbox(4, old),
      outbox(5, { ...old, lane: 'svc' }),
      outbox(6, old),
    ]);
    await opened.commit([
      { kind: 'outboxChange', id: 'out-4', atMs: t0, change: { state: 'dead' } },
      { kind: 'outboxChange', id: 'out-5', atMs: t0, change: { state: 'dead' } },
      { kind: 'outboxChange', id: 'out-6', atMs: t0 + 99 * dayMs, change: { state: 'done' } },
    ]);
    await opened.clean(t0 + 100 * dayMs);
    expect(opened.openSessions().map(({ id }) => id)).toEqual([sessionRow(2).id]);
    expect(opened.events(sessionRow(1).id)).toEqual([]);
    expect(opened.events(sessionRow(2).id)).toHaveLength(1);
    const kept = [1, 2, 3, 4, 5, 6].filter((seq) => opened.outboxRow(`out-${seq}`) !== undefined);
    expect(kept).toEqual([1, 2, 4, 6]);
  });

  it('keeps alarms two years, and dead letters of the audit for ever, where nothing is set', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const dead = { createdWall: t0, state: 'new' } as const;
    await opened.commit([
      session(1, { closed: true }),
      event(1),
      outbox(1, { ...dead, lane: 'audit' }),
      outbox(2, { ...dead, lane: 'svc' }),
    ]);
    await opened.commit(
      ['out-1', 'out-2'].map((id) => ({
        kind: 'outboxChange' as const,
        id,
        atMs: t0,
        change: { state: 'dead' as const },
      })),
    );
    await opened.clean(t0 + 729 * dayMs);
    expect(opened.session(sessionRow(1).id)).toBeDefined();
    expect(opened.events(sessionRow(1).id)).toHaveLength(1);
    await opened.clean(t0 + 732 * dayMs);
    expect(opened.session(sessionRow(1).id)).toBeUndefined();
    expect(opened.events(sessionRow(1).id)).toEqual([]);
    expect([1, 2].filter((seq) => opened.outboxRow(`out-${seq}`) !== undefined)).toEqual([1]);
  });

  it('goes through long tables in steps, with commits between them', async () => {
    const opened = await journal(join(folder(), 'journal.db'));
    const lines = Array.from({ length: 3_000 }, (_, ordinal) => ({
      kind: 'trace' as const,
      row: { traceId: 'a', sessionId: null, ordinal, atMs: t0 + ordinal * 86_400, kind: 'in', body: '{}' },
    }));
    await opened.commit(lines);
    const cleaned = opened.clean(t0 + 15 * dayMs);
    await opened.commit(alarm(1));
    expect(await cleaned).toBe(1_000);
    expect(opened.trace('a')[0]?.ordinal).toBe(1_000);
  });
});

it('knows the oldest row that waits in each lane, for receivers and for the cloud', async () => {
  const opened = await journal(join(folder(), 'journal.db'));
  expect(opened.oldestWaiting()).toEqual([]);
  const row = (more: Parameters<typeof outbox>[1]) => outbox(opened.nextSeq(), more);
  await opened.commit([
    row({ lane: 'alarm', state: 'done', createdWall: 1 }),
    row({ lane: 'alarm', state: 'inflight', createdWall: 2, createdMono: 20, boot: 5 }),
    row({ lane: 'alarm', createdWall: 3 }),
    row({ lane: 'svc', dest: 'cloud', createdWall: 4, createdMono: 40, boot: 6 }),
    row({ lane: 'svc', dest: 'cloud', createdWall: 5 }),
    row({ lane: 'alarm', dest: 'cloud', createdWall: 6, createdMono: 60, boot: 6 }),
    row({ lane: 'audit', state: 'dead', createdWall: 7 }),
  ]);
  expect(opened.oldestWaiting()).toMatchObject([
    { lane: 'alarm', createdWall: 6, createdMono: 60, boot: 6 },
    { lane: 'svc', createdWall: 4, createdMono: 40, boot: 6 },
    { lane: 'alarm', createdWall: 2, createdMono: 20, boot: 5 },
  ]);
});
