import { describe, expect, it } from 'vitest';
import { recordIdOf, SessionTrace, type TraceObserver } from '#appliance/kernel/session-trace.ts';

const pages = (table: SessionTrace) =>
  table.takePage().map((write) => (write.kind === 'trace' ? write.row : undefined));

describe('SessionTrace', () => {
  it('writes its entries as numbered pages of the session they belong to', () => {
    let now = 10.25;
    const table = new SessionTrace('trace-1', () => now++);
    table.add('sipReceived', { method: 'MESSAGE' });
    table.belongsTo('session-1');
    table.add('stored', { tookMs: 1 });
    const [first] = pages(table);
    expect(first).toMatchObject({ traceId: 'trace-1', sessionId: 'session-1', ordinal: 0, atMs: 10 });
    expect(JSON.parse(first?.body ?? '')).toEqual([
      { atMs: 10.25, kind: 'sipReceived', detail: { method: 'MESSAGE' } },
      { atMs: 11.25, kind: 'stored', detail: { tookMs: 1 } },
    ]);
    expect(pages(table)).toEqual([]);
    table.add('decided');
    expect(pages(table)[0]?.ordinal).toBe(1);
  });

  it('writes many entries as several pages, in their order', () => {
    const table = new SessionTrace('trace-1', () => 0);
    table.belongsTo('session-1');
    for (let n = 0; n < 1_000; n++) table.add('note', { n });
    const all = pages(table);
    expect(all.length).toBeGreaterThan(5);
    expect(all.map((page) => page?.ordinal)).toEqual(all.map((_, at) => at));
    const entries = all.map((page) => JSON.parse(page?.body ?? '[]') as { detail: { n: number } }[]);
    expect(entries.flat().map(({ detail }) => detail.n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(Math.max(...entries.map(({ length }) => length))).toBeLessThan(200);
    expect(table.pages).toBe(all.length);
  });

  it('has little left to do at the end of a call of 60,000 steps', () => {
    const table = new SessionTrace('trace-1', () => 0);
    table.belongsTo('session-1');
    let written = 0;
    const step = { toJSON: () => ++written };
    for (let n = 0; n < 60_000; n++) table.add('note', { step });
    const before = written;
    expect(pages(table).length).toBeGreaterThan(400);
    expect(written).toBe(60_000);
    expect(written - before).toBeLessThan(200);
  });

  it('reports to an observer all that happened before its session began, and names the session by the first of it', () => {
    let now = 1_000;
    const reported: unknown[] = [];
    const nothing = () => undefined;
    const observer: TraceObserver = {
      opened: (_trace, _opening, before) => reported.push(...before.map(({ detail }) => detail.n)),
      ...{ added: nothing, joined: nothing, attempted: nothing },
    };
    const table = new SessionTrace('trace-1', () => now++, observer);
    for (let n = 0; n < 300; n++) table.add('note', { n });
    expect(table.open({ kind: 'call' })).toBe(recordIdOf('trace-1', 1_000));
    expect(reported).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it('goes on where a restart cut it', () => {
    const table = new SessionTrace('trace-1', () => 0);
    table.belongsTo('session-1', 3);
    table.add('decided');
    expect(pages(table)[0]?.ordinal).toBe(3);
  });

  it('keeps nothing of what opened no session, unless it was reported', () => {
    const table = new SessionTrace('trace-2', () => 0);
    table.add('sipReceived');
    expect(pages(table)).toEqual([]);
    table.add('alarmRaised', { type: 'serviceAlarm' });
    expect(JSON.parse(pages(table)[0]?.body ?? '[]')).toHaveLength(2);
  });
});
