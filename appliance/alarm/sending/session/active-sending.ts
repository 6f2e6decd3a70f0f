import { receivedForm } from '#shared/alarm-event/index.ts';
import { type JournalPorts, type SessionRow, statesIn } from '../../../delivery/outbox/index.ts';
import type { KernelPorts } from '../../../kernel/port.ts';
import type { SessionOpening, SessionTrace } from '../../../kernel/session-trace.ts';
import { isSendingRow, SENDING_KEY } from '../../receiving/alarm-forward.ts';
import type { SendingSession } from '../../sender/index.ts';
import type { Attempt } from '../attempt/attempt.ts';
import type { NativeForm } from '../order/native-form.ts';
import type { SendOrder, SendReference, TargetProtocol } from '../order/send-order.ts';
import type { SendTarget } from '../order/send-target.ts';

/** A request under an Idempotency-Key: the same request again gets the same answer, any other one is refused. */
export interface Idempotency {
  readonly key: string;
  readonly bodyHash: string;
}

/** The data of a sending session besides its state; plain JSON, stored with it. */
export interface SendingInfo {
  readonly sessionId: string;
  readonly traceId: string;
  readonly protocol: TargetProtocol;
  readonly createdMs: number;
  readonly order: SendOrder;
  readonly reference: SendReference;
  readonly idempotency?: Idempotency;
  /** Times that a program has taken it up again; absent: never. */
  readonly restarts?: number;
}

/** The facts of an event that is sent on in its record, whose id is that of the session. */
export const openingOf = (
  { sessionId, protocol, order, restarts }: SendingInfo,
  target: SendTarget | undefined,
): SessionOpening => ({
  kind: 'alarmSent',
  ...{ recordId: sessionId, sessionId, protocol, restarts },
  deviceId: order.deviceId,
  customerSiteId: order.event.customerSiteId,
  from: order.callingParty,
  to: target?.addresses.primary.destination,
  receiver: target?.mapper?.id,
  receiverName: target?.mapper?.name,
  rule: order.alarmSessionId === undefined ? 'sendalarmevent' : 'alarmEventMapper of the alarm bridge',
  event: { ...receivedForm(order.event) },
});

/** One event on its way, while it runs. */
export interface ActiveSending {
  facts: SendingInfo;
  readonly trace: SessionTrace;
  session: SendingSession;
  /** As provisioned when the session began, or was taken up again. */
  readonly target: SendTarget | undefined;
  readonly form: NativeForm | undefined;
  attempt: Attempt | undefined;
  /** Callbacks sent so far: their order. */
  callbacks: number;
  /** States written so far: their order, also over hosts. */
  states: number;
}

interface Written {
  readonly version: 'sending 1';
  readonly facts: SendingInfo;
  readonly session: SendingSession;
  readonly told: number;
  readonly pages: number;
}

/** A session as an earlier life has left it. */
export type StoredSending = Omit<Written, 'version'> & { readonly states: number };

/** An Idempotency-Key is remembered this long (decisions 1). */
export const KEY_KEPT_MS = 24 * 3_600_000;

/** Key and id of what is kept of a controller begin with this; no session's does. */
export const CONTROLLER_KEY = `${SENDING_KEY}controller `;

export const isControllerRow = ({ dedupeKey }: SessionRow): boolean =>
  dedupeKey?.startsWith(CONTROLLER_KEY) ?? false;

export function sendingRow(
  { facts, session, callbacks, trace }: ActiveSending,
  nowMs: number,
  rank: number,
): SessionRow {
  const { sessionId, traceId, protocol, createdMs, idempotency } = facts;
  const written: Written = { version: 'sending 1', facts, session, told: callbacks, pages: trace.pages + 1 };
  return {
    id: sessionId,
    traceId,
    protocol,
    dedupeKey: `${SENDING_KEY}${sessionId}`,
    dedupeUntilMs: idempotency === undefined ? 0 : createdMs + KEY_KEPT_MS,
    body: JSON.stringify(written),
    createdMs,
    updatedMs: nowMs,
    closed: session.phase === 'over',
    rank,
  };
}

/** Sendings that the journal holds: open sessions, and those whose key is remembered; the oldest first. */
export function storedSendings({ journal, clock, log }: JournalPorts & Pick<KernelPorts, 'clock' | 'log'>) {
  const rows = new Map<string, SessionRow>();
  for (const row of [...journal.dedupeAnswers(clock.wallMs()), ...journal.openSessions()])
    if (isSendingRow(row) && !isControllerRow(row)) rows.set(row.id, row);
  return [...rows.values()]
    .sort((a, b) => a.createdMs - b.createdMs)
    .flatMap((row): StoredSending[] => {
      const written = read(row.body);
      if (written !== undefined) return [{ ...written, states: statesIn(row) }];
      log('error', 'stored_sending.read_failed', 'Could not read a stored sending session', {
        ...{ sessionId: row.id, traceId: row.traceId },
        reason: 'its text is no sending session of this version',
      });
      return [];
    });
}

function read(body: string): Written | undefined {
  try {
    const written = JSON.parse(body) as Written;
    return written.version === 'sending 1' ? written : undefined;
  } catch {
    return undefined;
  }
}

const REF_SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The answer of SCAIP is known by its reference alone: 16 signs that cannot be guessed (80 bits). */
export const newRef = (random: Uint8Array): string =>
  [...random].map((byte) => REF_SIGNS[byte % 32]).join('');
