/**
 * Rows of the journal: what this host has promised to remember. Times are epoch milliseconds unless a name says
 * `mono`; `body` is JSON text that the journal never opens.
 */

/** `alarm` and `svc` reach customers, `audit` and `usage` the cloud; each is sent independently, `alarm` first. */
export type Lane = 'alarm' | 'svc' | 'audit' | 'usage';

/** Destination of rows that travel to the cloud over the uplink; the policy machine leaves them alone. */
export const cloudDestination = 'cloud';

/**
 * `new`: waits for delivery. `inflight`: a live chain is working on it; found at start-up it means that the chain
 * died with the process, and the row is delivered as a late record. `dead`: a dead letter, kept until a person
 * redelivers it.
 *
 * Chosen: a record under way stays `new` on disk. Writing its attempt first would cost a commit and buy nothing,
 * since after a crash it has to be sent again anyway.
 */
export type OutboxState = 'new' | 'inflight' | 'done' | 'dead';

/** `record`: 7 days. `telemetry`: 24 hours. Both count running time and never end before 30 min of attempts. */
export type ExpirePolicy = 'record' | 'telemetry';

/**
 * Text with which the body of a row begins that gives way to all others of its destination: of a unit that is not
 * provisioned. It stands in the body, so that an earlier program reads the row as any other.
 */
export const YIELDING_PREFIX = '{"givesWay":true,';

/** Platform alarms that anybody can cause. */
const ABOUT_UNKNOWN: readonly string[] = ['unknownDevice', 'authError'];

/** Known devices come first in every queue: whether this row is of none of them. */
export const isYielding = ({ type, body }: Pick<OutboxRow, 'type' | 'body'>): boolean =>
  ABOUT_UNKNOWN.includes(type) || body.startsWith(YIELDING_PREFIX);

/** One alarm session with the state its machine needs to go on, and the answer that a duplicate gets. */
export interface SessionRow {
  readonly id: string;
  readonly traceId: string;
  readonly protocol: string;
  /** Key of the duplicate rule of the protocol; null where the protocol has none. */
  readonly dedupeKey: string | null;
  readonly dedupeUntilMs: number;
  readonly body: string;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly closed: boolean;
  /** Which state of the session this is: see `sessionRank`. Absent: 0, older than any other. */
  readonly rank?: number;
}

/**
 * Orders the states of one session over all hosts of a site: by the term in which it was written, then by the count of
 * states before it. Clocks do not count, since every host has its own.
 */
export const sessionRank = (epoch: number, count: number): number => epoch * COUNTS + count;

/** States of the session up to this one. */
export const statesIn = ({ rank = 0 }: Pick<SessionRow, 'rank'>): number => rank % COUNTS;

/** More states than a session ever has. */
const COUNTS = 2 ** 20;

/** One received event: common event, native text, call id. Written once, never changed. */
export interface EventRow {
  /** ULID. */
  readonly id: string;
  readonly sessionId: string;
  /** Position within the session, from 0. */
  readonly ordinal: number;
  readonly wallMs: number;
  readonly monoMs: number;
  /** Boot counter of the journal. Order within a host is by (boot, seq) only. */
  readonly boot: number;
  readonly body: string;
}

/** One message that must reach a receiver. */
export interface OutboxRow {
  /** ULID, made at capture; the Idempotency-Key over all retries and hosts. */
  readonly id: string;
  /** Counter of this host, from `Journal.nextSeq()`; ascending, may have gaps. */
  readonly seq: number;
  readonly lane: Lane;
  readonly tenant: string;
  /** `cloud`, or the name under which the runtime finds address and credentials; one circuit breaker each. */
  readonly dest: string;
  /** Session or device id: strict order within (dest, orderKey), none between keys. */
  readonly orderKey: string;
  readonly type: string;
  readonly body: string;
  readonly createdWall: number;
  readonly createdMono: number;
  readonly boot: number;
  readonly epoch: number;
  /** Wall clock before which no attempt is made; 0 = at once. */
  readonly notBefore: number;
  readonly attempts: number;
  /** On the running clock of the journal (`Journal.runningMs` + elapsed), not the wall clock. */
  readonly deadline: number;
  readonly expirePolicy: ExpirePolicy;
  readonly state: OutboxState;
  readonly late: boolean;
  readonly lastErr: string | null;
  /** Credential that worked last. */
  readonly authIdx: number;
  /** Taken over from another host of the site: where the row was born, as JSON text `{uid, boot, seq}`. */
  readonly origin?: string | null;
}

/** A row that another host of the site has left with us. */
export interface PeerRow {
  readonly kind: 'session' | 'event' | 'outbox';
  readonly id: string;
  /** Its receiver has it, or it was taken over into our own outbox. */
  readonly done: boolean;
  /** The row as that host keeps it, JSON text. */
  readonly body: string;
}

/** The fields that may change in an outbox row; absent means unchanged. */
export interface OutboxChange {
  readonly state?: OutboxState;
  readonly notBefore?: number;
  readonly attempts?: number;
  readonly deadline?: number;
  readonly late?: boolean;
  readonly lastErr?: string | null;
  readonly authIdx?: number;
}

/** One line of what the runtime did for a trace. */
export interface TraceRow {
  readonly traceId: string;
  readonly sessionId: string | null;
  readonly ordinal: number;
  readonly atMs: number;
  readonly kind: string;
  readonly body: string;
}

/** Supervision state of one device. */
export interface HeartbeatRow {
  readonly tenant: string;
  readonly deviceId: string;
  readonly status: 'online' | 'offline';
  readonly lastMs: number;
  readonly expiresMs: number;
  readonly body: string;
}

/** One SIP contact that a registrar has accepted. */
export interface BindingRow {
  readonly tenant: string;
  readonly aor: string;
  /** Contact URI, or instance and reg-id: unique within the address of record. */
  readonly contact: string;
  readonly expiresMs: number;
  readonly body: string;
}
