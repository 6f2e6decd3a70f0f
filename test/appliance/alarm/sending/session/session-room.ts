import type { ActiveSending, SendingInfo } from '#appliance/alarm/sending/session/active-sending.ts';
import { sendingRow } from '#appliance/alarm/sending/session/active-sending.ts';
import type { JournalWrite, SessionRow } from '#appliance/delivery/outbox/index.ts';
import { EngineTimers } from '#appliance/kernel/engine-timers.ts';
import { SessionTrace } from '#appliance/kernel/session-trace.ts';
import { orderOfUnit } from '../order/order-room.ts';

/** Clock, wheel and journal of a host; what is committed stays, also for the next one that is given its rows. */
export function sessionRoom(rows: SessionRow[] = []) {
  let nowMs = 0;
  const clock = { monoMs: () => nowMs, wallMs: () => nowMs };
  const timers = new EngineTimers({ clock }, (defect) => {
    throw defect;
  });
  const logged: string[] = [];
  const journal = {
    commit: async (writes: readonly JournalWrite[]) => {
      for (const write of writes) {
        if (write.kind !== 'session') continue;
        const before = rows.findIndex(({ id }) => id === write.row.id);
        if (before >= 0) rows.splice(before, 1);
        rows.push(write.row);
      }
    },
    openSessions: () => rows.filter(({ closed }) => !closed),
    dedupeAnswers: (wallMs: number) => rows.filter(({ dedupeUntilMs }) => (dedupeUntilMs ?? 0) > wallMs),
  };
  return {
    rows,
    logged,
    timers,
    ports: {
      clock,
      timers,
      journal,
      run: (work: Promise<unknown>) => void work,
      log: (_level: string, event: string) => void logged.push(event),
      place: { epoch: 1 },
    } as never,
    at: (ms: number) => {
      nowMs = ms;
      timers.advance(ms);
    },
  };
}

/** A sending session as it is stored in this phase. */
export function stored(
  sessionId: string,
  phase: string,
  createdMs = 0,
  fields: Partial<SendingInfo> = {},
): SessionRow {
  const known = {
    facts: {
      sessionId,
      traceId: 't',
      protocol: 'scaip',
      createdMs,
      order: orderOfUnit(),
      reference: { ref: 'abcd', sequence: '0001', atMs: 0 },
      ...fields,
    },
    session: { phase },
    told: 0,
    trace: new SessionTrace('t', () => 0),
  } as unknown as ActiveSending;
  return sendingRow(known, createdMs, 1);
}
