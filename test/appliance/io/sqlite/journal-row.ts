import type { EventRow, JournalWrite, OutboxRow, SessionRow } from '#appliance/delivery/outbox/index.ts';

/** Rows as an alarm makes them; `n` makes them differ. */
export const t0 = 1_770_000_000_000;

export function sessionRow(n: number, change: Partial<SessionRow> = {}): SessionRow {
  return {
    id: `session-${String(n).padStart(6, '0')}`,
    traceId: `trace-${n}`,
    protocol: 'scaip',
    dedupeKey: `key-${n}`,
    dedupeUntilMs: t0 + 1_800_000,
    body: JSON.stringify({ n }),
    createdMs: t0,
    updatedMs: t0,
    closed: false,
    ...change,
  };
}

export function eventRow(n: number, change: Partial<EventRow> = {}): EventRow {
  return {
    id: `event-${n}`,
    sessionId: sessionRow(n).id,
    ordinal: 0,
    wallMs: t0,
    monoMs: 12.5,
    boot: 1,
    body: JSON.stringify({ raw: `<mrq>${n} å</mrq>` }),
    ...change,
  };
}

export function outboxRow(seq: number, change: Partial<OutboxRow> = {}): OutboxRow {
  return {
    id: `out-${seq}`,
    seq,
    lane: 'alarm',
    tenant: 'tenant',
    dest: 'bridge:1',
    orderKey: 'session',
    type: 'newAlarmbridgeEvent',
    body: '{}',
    createdWall: t0,
    createdMono: 5,
    boot: 1,
    epoch: 2,
    notBefore: 0,
    attempts: 0,
    deadline: 604_800_000,
    expirePolicy: 'record',
    state: 'new',
    late: false,
    lastErr: null,
    authIdx: 0,
    ...change,
  };
}

export const session = (n: number, change?: Partial<SessionRow>): JournalWrite => ({
  kind: 'session',
  row: sessionRow(n, change),
});
export const event = (n: number, change?: Partial<EventRow>): JournalWrite => ({
  kind: 'event',
  row: eventRow(n, change),
});
export const outbox = (seq: number, change?: Partial<OutboxRow>): JournalWrite => ({
  kind: 'outbox',
  row: outboxRow(seq, change),
});

/** Rows that one alarm writes before it is acknowledged. */
export const alarm = (n: number): readonly JournalWrite[] => [
  session(n),
  event(n),
  outbox(n, { state: 'inflight', orderKey: sessionRow(n).id }),
];
