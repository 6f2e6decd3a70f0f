import { describe, expect, it } from 'vitest';
import { recordIdOf, SessionTrace, type TraceObserver } from '#appliance/kernel/session-trace.ts';

const pages = (book: SessionTrace) =>
  book.takePage().map((write) => (write.kind === 'trace' ? write.row : undefined));

describe('SessionTrace', () => {
  it('writes its entries as numbered pages of the session they belong to', () => {
    let now = 10.25;
    const book = new SessionTrace('trace-1', () => now++);
    book.add('sipReceived', { method: 'MESSAGE' });
    book.belongsTo('session-1');
    book.add('stored', { tookMs: 1 });
    const [first] = pages(book);
    expect(first).toMatchObject({ traceId: 'trace-1', sessionId: 'session-1', ordinal: 0, atMs: 10 });
    expect(JSON.parse(first?.body ?? '')).toEqual([
      { atMs: 10.25, kind: 'sipReceived', detail: { method: 'MESSAGE' } },
      { atMs: 11.25, kind: 'stored', detail: { tookMs: 1 } },
    ]);
    expect(pages(book)).toEqual([]);
    book.add('decided');
    expect(pages(book)[0]?.ordinal).toBe(1);
  });

  it('writes many entries as several pages, in their order', () => {
    const book = new SessionTrace('trace-1', () => 0);
    book.belongsTo('session-1');
    for (let n = 0; n < 1_000; n++) book.add('note', { n });
    const all = pages(book);
    expect(all.length).toBeGreaterThan(5);
    expect(all.map((page) => page?.ordinal)).toEqual(all.map((_, at) => at));
    const entries = all.map((page) => JSON.parse(page?.body ?? '[]') as { detail: { n: number } }[]);
    expect(entries.flat().map(({ detail }) => detail.n)).toEqual(Array.from({ length: 1_000 }, (_, n) => n));
    expect(Math.max(...entries.map(({ length }) => length))).toBeLessThan(200);
    expect(book.pages).toBe(all.length);
  });

  it('has little left to do at the end of a call of 60,000 steps', () => {
    const book = new SessionTrace('trace-1', () => 0);
    book.belongsTo('session-1');
    let written = 0;
    const step = { toJSON: () => ++written };
    for (let n = 0; n < 60_000; n++) book.add('note', { step });
    const before = written;
    expect(pages(book).length).toBeGreaterThan(400);
    expect(written).toBe(60_000);
    expect(written - before).toBeLessThan(200);
  });

  it('reports to an observer all that happened before its session began, and names the session by the first of it', () => {
    let now = 1_000;
    const told: unknown[] = [];
    const nothing = () => undefined;
    const observer: TraceObserver = {
      opened: (_trace, _opening, before) => told.push(...before.map(({ detail }) => detail.n)),
      ...{ added: nothing, joined: nothing, attempted: nothing },
    };
    const book = new SessionTrace('trace-1', () => now++, observer);
    for (let n = 0; n < 300; n++) book.add('note', { n });
    expect(book.open({ kind: 'call' })).toBe(recordIdOf('trace-1', 1_000));
    expect(told).toEqual(Array.from({ length: 300 }, (_, n) => n));
  });

  it('goes on where a restart cut it', () => {
    const book = new SessionTrace('trace-1', () => 0);
    book.belongsTo('session-1', 3);
    book.add('decided');
    expect(pages(book)[0]?.ordinal).toBe(3);
  });

  it('keeps nothing of what opened no session, unless it was reported', () => {
    const book = new SessionTrace('trace-2', () => 0);
    book.add('sipReceived');
    expect(pages(book)).toEqual([]);
    book.add('alarmRaised', { type: 'serviceAlarm' });
    expect(JSON.parse(pages(book)[0]?.body ?? '[]')).toHaveLength(2);
  });
});
