import type { EventRow, JournalPorts, SessionRow } from '../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../kernel/port.ts';
import {
  type AlarmSession,
  SESSION_SETTING,
  type SessionEvent,
  type SessionSetting,
} from '../session/index.ts';
import type { ActiveAlarm, AlarmInfo } from './active-alarm.ts';
import { isSendingRow } from './alarm-forward.ts';
import type { AdapterName, PersistedAdapterState } from './protocol-adapter.ts';

/** A case as the journal gives it back. Without facts and session: a conversation that waits for more of its device. */
interface StoredAlarm {
  readonly facts?: AlarmInfo;
  readonly session?: AlarmSession;
  readonly front: AdapterName;
  /** State of the adapter. */
  readonly kept: unknown;
  /** Pages of the trace written so far. */
  readonly pages: number;
}

/**
 * The row as it is written: the session without the parts that other rows hold. The first event has a row of its own,
 * and settings are mostly the built-in ones. Every byte here is written twice for each alarm and synced each time.
 */
export interface Written extends Omit<StoredAlarm, 'session'> {
  readonly version: 2;
  readonly session?: Omit<AlarmSession, 'setting' | 'first'> & { readonly setting: Partial<SessionSetting> };
}

/** Version 1 knew no front but SCAIP and called what it kept an exchange. */
interface WrittenBefore extends Omit<Written, 'version' | 'front' | 'kept'> {
  readonly version: 1;
  readonly exchange: unknown;
}

export const writtenBody = (written: Written): string => JSON.stringify(written);

/** The session row that brings a case back after a restart and answers its repeats. */
export function sessionRow(
  { facts, session, front }: ActiveAlarm,
  kept: PersistedAdapterState,
  times: { readonly nowMs: number; readonly pages: number; readonly rank: number },
): SessionRow {
  const { setting, first, ...rest } = session;
  const lean = { ...rest, pending: [], setting: differing(setting) };
  return {
    id: facts.sessionId,
    traceId: facts.traceId,
    protocol: facts.protocol,
    dedupeKey: kept.dedupeKey,
    dedupeUntilMs: times.nowMs + kept.dedupeMs,
    body: writtenBody({
      version: 2,
      facts,
      session: lean,
      front: front.name,
      kept: kept.body,
      pages: times.pages,
    }),
    createdMs: facts.createdMs,
    updatedMs: times.nowMs,
    closed: session.state === 'closed',
    rank: times.rank,
  };
}

/** Sessions and their events, as a disk has them. */
export interface PersistedSessions {
  readonly sessions: readonly SessionRow[];
  readonly events: (sessionId: string) => readonly EventRow[];
}

/**
 * Rows (absent: those in the journal) of alarms that are open, or whose repeats are still answered; the oldest first.
 */
export function readStoredAlarms(
  { journal, clock, log }: KernelPorts & JournalPorts,
  kept: PersistedSessions = {
    sessions: [...journal.dedupeAnswers(clock.wallMs()), ...journal.openSessions()],
    events: journal.events,
  },
): { readonly row: SessionRow; readonly stored: StoredAlarm }[] {
  const rows = new Map<string, SessionRow>();
  for (const row of kept.sessions) if (!isSendingRow(row)) rows.set(row.id, row);
  return [...rows.values()]
    .filter(({ closed, dedupeUntilMs }) => !closed || dedupeUntilMs > clock.wallMs())
    .sort((a, b) => a.createdMs - b.createdMs)
    .flatMap((row) => {
      const stored = readSessionRow(row, kept.events);
      if (stored !== undefined) return [{ row, stored }];
      log(
        'error',
        'stored_alarm.read_failed',
        'Could not read a stored session; its events were still delivered',
        {
          id: row.id,
          traceId: row.traceId,
          reason: 'its text is no session of this version, or its events are not stored',
        },
      );
      return [];
    });
}

/** Undefined: written by a version that is not understood, or damaged. */
function readSessionRow(
  row: SessionRow,
  events: (sessionId: string) => readonly EventRow[],
): StoredAlarm | undefined {
  try {
    const written = current(JSON.parse(row.body) as Written | WrittenBefore);
    if (written === undefined) return undefined;
    const { session, ...stored } = written;
    if (session === undefined) return stored;
    const setting = Object.freeze({ ...SESSION_SETTING, ...session.setting });
    return {
      ...stored,
      session: { ...session, setting, first: row.closed ? null : firstOf(events(row.id)) },
    };
  } catch {
    return undefined;
  }
}

function current(written: Written | WrittenBefore): Omit<Written, 'version'> | undefined {
  if (written.version === 2) return written;
  if (written.version !== 1) return undefined;
  const { version: _, exchange: kept, ...rest } = written;
  return { ...rest, front: 'scaip', kept };
}

function firstOf(rows: readonly EventRow[]): SessionEvent | null {
  const first = rows.find(({ ordinal }) => ordinal === 0);
  return first === undefined ? null : (JSON.parse(first.body) as SessionEvent);
}

const BUILT_IN: ReadonlyMap<string, unknown> = new Map(Object.entries(SESSION_SETTING));

/** The values that are not the built-in ones. */
function differing(setting: SessionSetting): Partial<SessionSetting> {
  return Object.fromEntries(Object.entries(setting).filter(([name, value]) => BUILT_IN.get(name) !== value));
}
