import type {
  BindingRow,
  EventRow,
  HeartbeatRow,
  Lane,
  OutboxChange,
  OutboxRow,
  PeerRow,
  SessionRow,
  TraceRow,
} from './row.ts';

/**
 * One change of the journal. Heartbeats and bindings replace, and so do sessions, by `rank` never a newer state by an older
 * one; events and outbox rows are written once.
 */
export type JournalWrite =
  | { readonly kind: 'session'; readonly row: SessionRow }
  | { readonly kind: 'event'; readonly row: EventRow }
  | { readonly kind: 'outbox'; readonly row: OutboxRow }
  | {
      readonly kind: 'outboxChange';
      readonly id: string;
      readonly atMs: number;
      readonly change: OutboxChange;
    }
  | { readonly kind: 'acknowledge'; readonly lane: Lane; readonly seq: number; readonly atMs: number }
  | { readonly kind: 'trace'; readonly row: TraceRow }
  | { readonly kind: 'heartbeat'; readonly row: HeartbeatRow }
  | { readonly kind: 'heartbeatGone'; readonly tenant: string; readonly deviceId: string }
  | { readonly kind: 'binding'; readonly row: BindingRow }
  | { readonly kind: 'bindingGone'; readonly tenant: string; readonly aor: string; readonly contact: string }
  /** It was given back to the host that it came from. */
  | { readonly kind: 'outboxGone'; readonly id: string }
  /** A row of another host of the site; `at` is our time. */
  | {
      readonly kind: 'peerPut';
      readonly origin: string;
      readonly what: PeerRow['kind'];
      readonly row: Readonly<Record<string, unknown>> & { readonly id: string };
      readonly atMs: number;
    }
  | { readonly kind: 'peerDone'; readonly origin: string; readonly id: string }
  | { readonly kind: 'peerGone'; readonly origin: string; readonly id: string }
  /** The cloud has every row of that host's lane up to `seq`. */
  | { readonly kind: 'peerAcked'; readonly origin: string; readonly lane: Lane; readonly seq: number }
  /** Term of the site; the highest one stays. */
  | { readonly kind: 'epoch'; readonly epoch: number }
  /** Running time so far, so that deadlines survive a restart. */
  | { readonly kind: 'runningMs'; readonly ms: number };

/**
 * The error that `commit` rejects with: disk full, I/O error, the writer has ended. Nothing of the commit is promised, so no device
 * is acknowledged (protocols 2.1): it repeats or tries its next receiver.
 */
export interface StorageFailed extends Error {
  readonly code: 'storageFailed';
}

export const isStorageFailed = (thrown: unknown): thrown is StorageFailed =>
  thrown instanceof Error && 'code' in thrown && thrown.code === 'storageFailed';

/** The durable memory of the host. The database behind it arrives from `io`. Reads show committed rows only. */
export interface Journal {
  /** Counts kernel boots that this journal has seen. */
  readonly boot: number;
  /** Highest term of the site that this journal has seen; 0 = none. */
  readonly epoch: number;
  /** When its file was last found damaged, epoch ms: rows that are older may be missing. Absent: never. */
  readonly salvagedMs?: () => number | undefined;
  /** Milliseconds the program had been running, in all its lives, when the journal was opened. */
  readonly runningMs: number;
  /** Next host-wide outbox number; never repeats, also not after a restart. */
  nextSeq(): number;
  /**
   * Resolves when the group commit holding all of `writes` is synced to the disk; all or none of them are there.
   * Commits become durable in the order of the calls. Rejects with `StorageFailed`.
   */
  commit(writes: readonly JournalWrite[]): Promise<void>;

  openSessions(): readonly SessionRow[];
  /** Open or closed, as long as it is kept. */
  session(id: string): SessionRow | undefined;
  /** Sessions, open or closed, whose duplicates are still answered at `nowMs`. */
  dedupeAnswers(nowMs: number): readonly SessionRow[];
  events(sessionId: string): readonly EventRow[];
  /** Everything not yet delivered but rows for the cloud, by seq. */
  pendingOutbox(): readonly OutboxRow[];
  /** Dead letters after `afterSeq`, by seq. */
  deadLetters(afterSeq: number, limit: number): readonly OutboxRow[];
  outboxRow(id: string): OutboxRow | undefined;
  /**
   * Rows of one lane after `afterSeq`, by seq, acknowledged ones included as long as they are kept: a cloud that was
   * restored from a backup acknowledges less than before and gets them again.
   */
  pending(dest: string, lane: Lane, afterSeq: number, limit: number): readonly OutboxRow[];
  /** Rows of lanes alarm and svc after `afterSeq` that no receiver has yet, or that the cloud has not, by seq. */
  undelivered(afterSeq: number, limit: number): readonly OutboxRow[];
  /** The rows that another host has left with us, its outbox by seq. */
  peerRows(origin: string): readonly PeerRow[];
  peerRow(origin: string, id: string): PeerRow | undefined;
  /**
   * Rows of the outbox that were made at another host and left with us before `beforeMs`, not known to be delivered, after
   * `afterSeq`.
   */
  owedCopies(
    origin: string,
    afterSeq: number,
    beforeMs: number,
    limit: number,
  ): readonly { readonly id: string; readonly seq: number; readonly madeAt: number }[];
  /** Rows of each lane that still wait, for receivers and for the cloud. */
  waiting(): Readonly<Record<Lane, number>>;
  heartbeats(): readonly HeartbeatRow[];
  bindings(): readonly BindingRow[];
  trace(traceId: string): readonly TraceRow[];
  /** Pages of a trace in the order of their writing, behind row `afterRow`: one, and more while they have less than `leastBytes`. */
  tracePart(traceId: string, afterRow: number, leastBytes: number): TracePart;

  /** The cloud has committed every row of `lane` up to `seq`. Same promise as `commit`. */
  acknowledge(lane: Lane, seq: number, atMs: number): Promise<void>;
  /** Removes what `retention` no longer keeps, in small steps between commits. Resolves to the number of rows. */
  clean(nowMs: number): Promise<number>;
  close(): Promise<void>;
}

/** Some pages of a trace, each a JSON array of entries. */
interface TracePart {
  readonly pages: readonly string[];
  /** The row to go on behind; undefined: these are the last pages. */
  readonly nextRow: number | undefined;
}

export interface JournalPorts {
  readonly journal: Journal;
}
