import { describe, expect, it } from 'vitest';
import { recordIdOf } from '#appliance/kernel/session-trace.ts';
import { SiteRecords } from '#appliance/site/host/uplink/site-records.ts';
import { PAYLOAD_LIMIT_BYTES } from '#shared/contract/feed/index.ts';
import {
  RECORD_BATCH_LIMIT,
  type RecordBatch,
  recordBatchSchema,
  type SessionRecord,
} from '#shared/contract/session-record/index.ts';
import { Listeners } from '#shared/listeners.ts';

const SID = '01jc7z5t3k9q8w6m4n2p0r1s5a';

const record = (n: number, reason = 'The call ended'): SessionRecord => ({
  v: 1,
  recordId: recordIdOf(`session ${n}`, n),
  kind: 'call',
  at: n,
  result: 'done',
  reason,
  times: {},
});

/** An uplink for records over a queue in memory, on a clock of its own. `says`: the queue says that something was written. */
function room({ says = false } = {}) {
  let nowMs = 0;
  const timers = new Map<symbol, { dueMs: number; fire: () => void }>();
  const rows: { seq: number; record: SessionRecord }[] = [];
  const sent: Pick<RecordBatch, 'items'>[] = [];
  let acked = 0;
  const state = { eventsWait: false, calls: 0, reads: 0 };
  const written = new Listeners<[]>();
  const uplink = new SiteRecords(
    {
      clock: { monoMs: () => nowMs, wallMs: () => nowMs },
      run: (work) => void work,
      startTimer: (ms, fire) => {
        const key = Symbol('timer');
        timers.set(key, { dueMs: nowMs + ms, fire });
        return () => void timers.delete(key);
      },
      queue: {
        ...(says && { written }),
        unsent: (afterSeq, limit) => {
          state.reads++;
          return rows.filter(({ seq }) => seq > afterSeq).slice(0, limit);
        },
        acked: () => acked,
        sent: async (upTo) => {
          acked = upTo;
        },
      },
      leaves: (whole) => ({ ...whole, from: 'masked' }),
      isCallRunning: () => state.calls > 0,
    },
    (batch) => {
      const text = JSON.stringify({ v: 1, sid: SID, ...batch });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(PAYLOAD_LIMIT_BYTES);
      recordBatchSchema.parse(JSON.parse(text));
      sent.push(batch);
    },
    () => state.eventsWait,
  );
  return {
    uplink,
    sent,
    state,
    acked: () => acked,
    put: (...records: readonly SessionRecord[]) => {
      for (const each of records) rows.push({ seq: 100 + rows.length * 10, record: each });
      written.emit();
    },
    open() {
      uplink.opened();
      uplink.capable(true);
    },
    pass(ms: number) {
      const untilMs = nowMs + ms;
      for (;;) {
        const due = [...timers].toSorted(([, a], [, b]) => a.dueMs - b.dueMs)[0];
        if (due === undefined || due[1].dueMs > untilMs) break;
        timers.delete(due[0]);
        nowMs = due[1].dueMs;
        due[1].fire();
      }
      nowMs = untilMs;
    },
  };
}

const seqs = ({ items }: Pick<RecordBatch, 'items'>) => items.map(({ seq }) => seq);

describe('records for the control plane', () => {
  it('wait until the control plane says that it takes them', () => {
    const { uplink, sent, put, pass } = room();
    put(record(1));
    uplink.opened();
    pass(60_000);
    expect(sent).toEqual([]);
    uplink.capable(true);
    pass(500);
    expect(sent.map(seqs)).toEqual([[100]]);
    // An older control plane has taken over: nothing more goes.
    uplink.capable(false);
    put(record(2));
    pass(60_000);
    expect(sent).toHaveLength(1);
  });

  it('leave within 2 s, with the numbers as the tenant lets them', () => {
    const { sent, put, open, pass } = room();
    open();
    put(record(1));
    pass(1_000);
    expect(sent[0]?.items).toMatchObject([{ seq: 100, prev: 0, record: { from: 'masked' } }]);
  });

  it('wait for events, which go first', () => {
    const { sent, put, open, pass, state } = room();
    open();
    state.eventsWait = true;
    put(record(1));
    pass(60_000);
    expect(sent).toEqual([]);
    state.eventsWait = false;
    pass(500);
    expect(sent).toHaveLength(1);
  });

  it('go out again until they are acknowledged, and then the next ones', () => {
    const { uplink, sent, put, open, pass, acked } = room();
    open();
    put(...Array.from({ length: RECORD_BATCH_LIMIT + 1 }, (_, n) => record(n)));
    pass(25_000);
    expect(sent.map(seqs).map(([first]) => first)).toEqual([100, 100, 100]);
    const last = seqs(sent[0] ?? { items: [] }).at(-1) ?? 0;
    uplink.acknowledged(last);
    expect(acked()).toBe(last);
    expect(sent.at(-1)?.items).toMatchObject([{ seq: last + 10, prev: last }]);
    // About another store, before this one: it must not skip records of ours.
    uplink.acknowledged(Number.MAX_SAFE_INTEGER);
    expect(acked()).toBe(last + 10);
  });

  it('begin again behind what is acknowledged when the connection is new', () => {
    const { uplink, sent, put, open, pass } = room();
    open();
    put(record(1), record(2));
    pass(500);
    uplink.acknowledged(100);
    uplink.lost();
    pass(60_000);
    const before = sent.length;
    open();
    pass(500);
    expect(sent.slice(before).map(seqs)).toEqual([[110]]);
  });

  it('arrive in their order after a month offline, none twice', () => {
    const { uplink, sent, put, open, pass } = room();
    const made = Array.from({ length: 5_000 }, (_, n) => record(n));
    put(...made);
    open();
    pass(500);
    for (let n = 0; n < 1_000; n++) {
      const last = seqs(sent.at(-1) ?? { items: [] }).at(-1) ?? 0;
      uplink.acknowledged(last);
      if (last === 100 + 4_999 * 10) break;
    }
    const arrived = sent.flatMap(({ items }) => items);
    expect(arrived.map(({ record: { recordId } }) => recordId)).toEqual(made.map(({ recordId }) => recordId));
    expect(arrived.map(({ prev }) => prev)).toEqual([0, ...arrived.slice(0, -1).map(({ seq }) => seq)]);
  });

  it('are sent at 256 kbit/s at most while a call runs', () => {
    const { uplink, sent, put, open, pass, state } = room();
    state.calls = 1;
    put(...Array.from({ length: 10_000 }, (_, n) => record(n, 'z'.repeat(250))));
    open();
    const seconds = 20;
    for (let ms = 0; ms < seconds * 1_000; ms += 100) {
      pass(100);
      const last = sent.at(-1);
      if (last !== undefined) uplink.acknowledged(seqs(last).at(-1) ?? 0);
    }
    const bytes = sent.reduce((sum, batch) => sum + Buffer.byteLength(JSON.stringify(batch)), 0);
    // One batch is above the mean at the beginning.
    expect(bytes).toBeLessThanOrEqual(32_000 * seconds + PAYLOAD_LIMIT_BYTES);
    expect(bytes).toBeGreaterThan(32_000 * seconds * 0.5);
    state.calls = 0;
    const before = sent.length;
    pass(500);
    for (let n = 0; n < 50; n++) uplink.acknowledged(seqs(sent.at(-1) ?? { items: [] }).at(-1) ?? 0);
    expect(sent.length - before).toBeGreaterThanOrEqual(49);
  });

  describe('from a store that says when it has written', () => {
    it('are not looked for while none comes, and leave within half a second when one does', () => {
      const { uplink, sent, put, open, pass, state } = room({ says: true });
      open();
      pass(1_000);
      const before = state.reads;
      pass(59_000);
      expect(state.reads - before).toBeLessThanOrEqual(1);
      put(record(1));
      pass(500);
      expect(sent.map(seqs)).toEqual([[100]]);
      uplink.acknowledged(100);
      pass(1_000);
      const after = state.reads;
      pass(50_000);
      expect(state.reads - after).toBeLessThanOrEqual(1);
    });

    it('wait for events and for their pace, and leave when these let them', () => {
      const { uplink, sent, put, open, pass, state } = room({ says: true });
      open();
      state.eventsWait = true;
      put(record(1));
      pass(60_000);
      expect(sent).toEqual([]);
      state.eventsWait = false;
      state.calls = 1;
      pass(500);
      expect(sent.map(seqs)).toEqual([[100]]);
      put(record(2, 'z'.repeat(250)));
      uplink.acknowledged(100);
      pass(1_000);
      expect(sent.map(seqs)).toEqual([[100], [110]]);
    });

    it('go out again where the acknowledgement stays away', () => {
      const { sent, put, open, pass } = room({ says: true });
      open();
      put(record(1));
      pass(11_000);
      expect(sent.map(seqs)).toEqual([[100], [100]]);
    });

    it('that were written before the control plane took records leave when it does', () => {
      const { uplink, sent, put, pass } = room({ says: true });
      uplink.opened();
      put(record(1));
      pass(30_000);
      uplink.capable(true);
      pass(500);
      expect(sent.map(seqs)).toEqual([[100]]);
    });
  });
});
