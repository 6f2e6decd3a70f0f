import { PAYLOAD_LIMIT_BYTES } from '#shared/contract/feed/index.ts';
import { RECORD_BATCH_LIMIT, type RecordBatch } from '#shared/contract/session-record/index.ts';
import type { RecordQueue, SessionRecordPorts, SitePorts } from '../site-port.ts';
import { EarliestTimer } from './earliest-timer.ts';

type Ports = SessionRecordPorts & Pick<SitePorts, 'startTimer' | 'run' | 'clock'>;

/** Records that come together travel together; what waits for its turn is looked at this often. */
const LOOK_MS = 500;
/** The longest time between two looks: the store may also be written by another program. */
const LONGEST_MS = 60_000;
/** A batch without an acknowledgement goes out again. */
const RESEND_MS = 10_000;
/** 256 kbit/s, as long as a call runs. */
const BACKLOG_BYTES_PER_S = 32_000;
/** Bytes of a batch beside its records. */
const FRAME_BYTES = 256;
/** Bytes of `seq`, `prev` and commas of a record. */
const ITEM_BYTES = 64;

/**
 * Sends the records of sessions: batch after batch, each when the one before is acknowledged, and only while no event waits and
 * the control plane takes records.
 */
export class SiteRecords {
  readonly #ports: Ports;
  readonly #send: (batch: Pick<RecordBatch, 'items'>) => void;
  readonly #eventsWait: () => boolean;
  readonly #look: EarliestTimer;
  #isOpen = false;
  #isCapable = false;
  #acked = 0;
  /** The batch under way; undefined: none. */
  #under: { readonly upTo: number; readonly resendMs: number } | undefined;
  /** Highest number ever sent: an acknowledgement above it is about another store. */
  #newest = 0;
  /** Monotonic ms before which the next batch would be faster than the backlog may be. */
  #freeMs = 0;

  constructor(ports: Ports, send: (batch: Pick<RecordBatch, 'items'>) => void, eventsWait: () => boolean) {
    this.#ports = ports;
    this.#send = send;
    this.#eventsWait = eventsWait;
    this.#look = new EarliestTimer(ports);
    ports.queue.written?.add(() => this.#lookWithin(LOOK_MS));
  }

  opened(): void {
    this.#isOpen = true;
    this.#acked = this.#ports.queue.acked();
    this.#newest = Math.max(this.#newest, this.#acked);
    this.#lookWithin(LOOK_MS);
  }

  lost(): void {
    this.#isOpen = false;
    this.#isCapable = false;
    this.#under = undefined;
    this.#look.stop();
  }

  /** Whether the retained state of the control plane has the capability. */
  capable(yes: boolean): void {
    this.#isCapable = yes;
    if (yes) this.#lookWithin(LOOK_MS);
    else this.#under = undefined;
  }

  acknowledged(seq: number): void {
    const upTo = Math.min(seq, this.#newest);
    if (upTo <= this.#acked) return;
    this.#acked = upTo;
    this.#ports.run(this.#ports.queue.sent(upTo));
    if (this.#under !== undefined && upTo >= this.#under.upTo) this.#under = undefined;
    this.#next();
  }

  #lookWithin(delayMs: number): void {
    if (!this.#isOpen) return;
    this.#look.startWithin(delayMs, () => {
      this.#next();
      this.#lookWithin(this.#usualMs);
    });
  }

  /** The store says that it has written something, or the uplink looks by itself. */
  get #usualMs(): number {
    return this.#ports.queue.written === undefined ? LOOK_MS : LONGEST_MS;
  }

  /** Sends the next batch if it is its turn; else looks again soon where records wait. */
  #next(): void {
    if (!this.#isOpen || !this.#isCapable) return;
    const { clock, queue, isCallRunning } = this.#ports;
    const nowMs = clock.monoMs();
    const isUnacknowledged = this.#under !== undefined && nowMs < this.#under.resendMs;
    if (isUnacknowledged || (nowMs < this.#freeMs && isCallRunning())) {
      this.#lookWithin(LOOK_MS);
      return;
    }
    const rows = queue.unsent(this.#acked, RECORD_BATCH_LIMIT);
    if (rows.length === 0) return;
    this.#lookWithin(LOOK_MS);
    if (this.#eventsWait()) return;
    const { items, bytes } = this.#batchOf(rows);
    const upTo = items.at(-1)?.seq ?? this.#acked;
    this.#newest = Math.max(this.#newest, upTo);
    this.#under = { upTo, resendMs: nowMs + RESEND_MS };
    this.#freeMs = nowMs + (bytes * 1_000) / BACKLOG_BYTES_PER_S;
    this.#send({ items });
  }

  /** As many as one message carries, one at least. */
  #batchOf(rows: ReturnType<RecordQueue['unsent']>): {
    readonly items: RecordBatch['items'];
    readonly bytes: number;
  } {
    const items: RecordBatch['items'] = [];
    let bytes = FRAME_BYTES;
    let prev = this.#acked;
    for (const { seq, record: whole } of rows) {
      const record = this.#ports.leaves(whole);
      const size = Buffer.byteLength(JSON.stringify(record)) + ITEM_BYTES;
      if (items.length > 0 && bytes + size > PAYLOAD_LIMIT_BYTES) break;
      items.push({ seq, prev, record });
      bytes += size;
      prev = seq;
    }
    return { items, bytes };
  }
}
