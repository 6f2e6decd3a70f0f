import {
  type JournalWrite,
  type OutboxRow,
  type SessionRow,
  sessionRank,
} from '#appliance/delivery/outbox/index.ts';

const STEPS = 4;

/** The rows that a host writes when a device's alarm of this reference comes: session, event and callback. */
export function alarmWrites(
  reference: string,
  id: string,
  seq: number,
  epoch: number,
  nowMs: number,
): readonly JournalWrite[] {
  const session: SessionRow = {
    id: `session-${id}`,
    traceId: '',
    protocol: 'scaip',
    dedupeKey: reference,
    dedupeUntilMs: nowMs + 1_800_000,
    body: '1',
    rank: sessionRank(epoch, 1),
    createdMs: nowMs,
    updatedMs: nowMs,
    closed: false,
  };
  const row: OutboxRow = {
    id,
    seq,
    lane: 'alarm',
    tenant: 'care.example',
    dest: 'bridge b1',
    orderKey: session.id,
    type: 'newAlarmbridgeEvent',
    body: '{}',
    createdWall: 1_770_000_000_000 + nowMs,
    createdMono: nowMs,
    boot: 1,
    epoch: 1,
    notBefore: 0,
    attempts: 0,
    deadline: 1,
    expirePolicy: 'record',
    state: 'inflight',
    late: false,
    lastErr: null,
    authIdx: 0,
  };
  const event = {
    id: `e-${id}`,
    sessionId: session.id,
    ordinal: 0,
    wallMs: nowMs,
    monoMs: nowMs,
    boot: 1,
    body: '{}',
  };
  return [
    { kind: 'session', row: session },
    { kind: 'event', row: event },
    { kind: 'outbox', row },
  ];
}

/** The alarm one step further, in this term of the site; over after four. */
export function nextState(row: SessionRow, epoch: number, nowMs: number): SessionRow {
  const step = Number(row.body) + 1;
  const rank = sessionRank(epoch, step);
  return { ...row, body: String(step), rank, updatedMs: nowMs, closed: step >= STEPS };
}
