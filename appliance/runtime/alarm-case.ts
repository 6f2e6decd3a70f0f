import type { AlarmProtocol } from '#shared/contract/provisioning/index.ts';
import type { KeptExchange } from '../alarm/protocol/scaip/index.ts';
import type { ReceiverBridge } from '../alarm/receiver/index.ts';
import type { AlarmSession } from '../alarm/session/index.ts';
import type { CallbackCall } from '../callback/index.ts';
import type { JournalWrite, OutboxRow, SessionRow } from '../outbox/index.ts';
import type { RuntimePorts } from './port.ts';
import type { TraceBook } from './trace-book.ts';

/** What is known of an alarm besides its events; plain JSON, stored with the session. */
export interface CaseFacts {
  readonly sessionId: string;
  readonly traceId: string;
  readonly bridgeId: string;
  readonly protocol: AlarmProtocol;
  readonly customerSiteId: string | undefined;
  /** User part of From. */
  readonly sipFrom: string;
  /** User part of the request URI. */
  readonly calledParty: string;
  readonly sourceIp: string;
  /** Provisioned device; undefined = an unknown unit. */
  readonly deviceId: string | undefined;
  readonly createdMs: number;
}

/** A callback that waits for its event to be stored. */
export interface PreparedCallback {
  readonly row: OutboxRow;
  readonly call: CallbackCall;
}

/** One alarm session and the exchange with its device, while they run. */
export interface AlarmCase {
  readonly exchange: string;
  readonly facts: CaseFacts;
  readonly trace: TraceBook;
  session: AlarmSession;
  /** By ordinal; an event that the map drops has none. */
  readonly callbacks: Map<number, PreparedCallback>;
  /** The bridge as it was when the alarm came; undefined when a restart found it gone. */
  readonly bridge: ReceiverBridge | undefined;
  /** Rows whose live request was answered, to be written with the next commit. */
  settled: JournalWrite[];
  /** Something that a restart needs has changed since the last commit. */
  dirty: boolean;
}

/** Without facts and session: an exchange that waits for the rest of a split request. */
interface StoredCase {
  readonly version: 1;
  readonly facts?: CaseFacts;
  readonly session?: AlarmSession;
  readonly exchange: KeptExchange;
  readonly pages: number;
}

/** The session row that brings a case back after a restart and answers its repeats. */
export function sessionRow(
  facts: CaseFacts,
  session: AlarmSession,
  exchange: KeptExchange,
  times: { readonly nowMs: number; readonly dedupeUntilMs: number; readonly pages: number },
): SessionRow {
  const stored: StoredCase = { version: 1, facts, session, exchange, pages: times.pages };
  return {
    id: facts.sessionId,
    traceId: facts.traceId,
    protocol: facts.protocol,
    dedupeKey: exchange.id,
    dedupeUntilMs: times.dedupeUntilMs,
    body: JSON.stringify(stored),
    createdMs: facts.createdMs,
    updatedMs: times.nowMs,
    closed: session.state === 'closed',
  };
}

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
      const stored = readSessionRow(row);
      if (stored !== undefined) return [{ row, stored }];
      log('error', 'a stored session cannot be read; its events are delivered all the same', { id: row.id });
      return [];
    });
}

/** Undefined: written by a version that is not understood, or damaged. */
function readSessionRow(row: SessionRow): StoredCase | undefined {
  try {
    const stored = JSON.parse(row.body) as StoredCase;
    return stored.version === 1 ? stored : undefined;
  } catch {
    return undefined;
  }
}
