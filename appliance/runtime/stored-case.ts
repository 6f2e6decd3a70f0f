import { type KeptExchange, SCAIP_PROFILE } from '../alarm/protocol/scaip/index.ts';
import {
  type AlarmSession,
  SESSION_SETTING,
  type SessionEvent,
  type SessionSetting,
} from '../alarm/session/index.ts';
import type { EventRow, SessionRow } from '../outbox/index.ts';
import type { CaseFacts } from './alarm-case.ts';
import type { RuntimePorts } from './port.ts';

/** A case as the journal gives it back. Without facts and session: an exchange that waits for the rest of a request. */
export interface StoredCase {
  readonly facts?: CaseFacts;
  readonly session?: AlarmSession;
  readonly exchange: KeptExchange;
  /** Pages of the trace written so far. */
  readonly pages: number;
}

/**
 * What is written: the case without what stands elsewhere. The first event has a row of its own, and settings and
 * profile are mostly the built-in ones. Every byte here is written twice for each alarm and synced each time.
 */
interface Written extends Omit<StoredCase, 'session'> {
  readonly version: 1;
  readonly session?: Omit<AlarmSession, 'setting' | 'first'> & { readonly setting: Partial<SessionSetting> };
}

/** The session row that brings a case back after a restart and answers its repeats. */
export function sessionRow(
  facts: CaseFacts,
  session: AlarmSession,
  exchange: KeptExchange,
  times: { readonly nowMs: number; readonly dedupeUntilMs: number; readonly pages: number },
): SessionRow {
  const { setting, first, ...rest } = session;
  const lean = { ...rest, pending: [], setting: differing(setting, SESSION_SETTING) };
  const written: Written = {
    version: 1,
    facts,
    session: lean,
    exchange: packed(exchange),
    pages: times.pages,
  };
  return {
    id: facts.sessionId,
    traceId: facts.traceId,
    protocol: facts.protocol,
    dedupeKey: exchange.id,
    dedupeUntilMs: times.dedupeUntilMs,
    body: JSON.stringify(written),
    createdMs: facts.createdMs,
    updatedMs: times.nowMs,
    closed: session.state === 'closed',
  };
}

/** The row of an exchange that has no session yet; open, since its parts were acknowledged, until there is one. */
export function partRow(exchange: KeptExchange, nowMs: number): SessionRow {
  const written: Written = { version: 1, exchange: packed(exchange), pages: 0 };
  return {
    id: partRowId(exchange.id),
    traceId: '',
    protocol: 'scaip',
    dedupeKey: exchange.id,
    dedupeUntilMs: 0,
    body: JSON.stringify(written),
    createdMs: nowMs,
    updatedMs: nowMs,
    closed: false,
  };
}

/** What becomes of the row of parts in the commit that stores their event: its session takes its place. */
export const partRowOver = (exchange: string, session: SessionRow): SessionRow => ({
  ...session,
  id: partRowId(exchange),
  dedupeUntilMs: 0,
  closed: true,
});

const partRowId = (exchange: string): string => `part ${exchange}`;

/** What the journal holds of alarms that are open, or whose repeats are still answered; the oldest first. */
export function storedCases({
  journal,
  clock,
  log,
}: RuntimePorts): { readonly row: SessionRow; readonly stored: StoredCase }[] {
  const rows = new Map<string, SessionRow>();
  for (const row of [...journal.dedupeAnswers(clock.wallMs()), ...journal.openSessions()])
    rows.set(row.id, row);
  return [...rows.values()]
    .sort((a, b) => a.createdMs - b.createdMs)
    .flatMap((row) => {
      const stored = readSessionRow(row, journal.events);
      if (stored !== undefined) return [{ row, stored }];
      log('error', 'a stored session cannot be read; its events are delivered all the same', { id: row.id });
      return [];
    });
}

/** Undefined: written by a version that is not understood, or damaged. */
function readSessionRow(
  row: SessionRow,
  events: (sessionId: string) => readonly EventRow[],
): StoredCase | undefined {
  try {
    const { version, session, exchange, ...rest } = JSON.parse(row.body) as Written;
    if (version !== 1) return undefined;
    const stored = { ...rest, exchange: unpacked(exchange) };
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

function firstOf(rows: readonly EventRow[]): SessionEvent | null {
  const first = rows.find(({ ordinal }) => ordinal === 0);
  return first === undefined ? null : (JSON.parse(first.body) as SessionEvent);
}

/** The values that are not the built-in ones. */
function differing(setting: SessionSetting, builtIn: SessionSetting): Partial<SessionSetting> {
  const usual = new Map<string, unknown>(Object.entries(builtIn));
  return Object.fromEntries(Object.entries(setting).filter(([name, value]) => usual.get(name) !== value));
}

type Profile = KeptExchange['snapshot']['exchange']['profile'];

const withProfile = (kept: KeptExchange, profile: Profile | null): KeptExchange => ({
  ...kept,
  snapshot: { ...kept.snapshot, exchange: { ...kept.snapshot.exchange, profile: profile as Profile } },
});

/** The built-in profile is written as null. */
const packed = (kept: KeptExchange): KeptExchange =>
  kept.snapshot.exchange.profile === SCAIP_PROFILE ? withProfile(kept, null) : kept;

const unpacked = (kept: KeptExchange): KeptExchange =>
  (kept.snapshot.exchange.profile as Profile | null) === null ? withProfile(kept, SCAIP_PROFILE) : kept;
