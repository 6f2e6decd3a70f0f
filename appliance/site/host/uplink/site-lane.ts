import { recordMs } from '#shared/clock.ts';
import {
  type BatchClock,
  type Birth,
  type EventAck,
  type EventBatch,
  type Heartbeat,
  LANES,
  type Lane,
} from '#shared/contract/feed/index.ts';
import { cloudDestination, type OutboxRow } from '../../../delivery/outbox/index.ts';
import {
  batchOf,
  initialLane,
  type LaneEffect,
  type LaneInput,
  type LaneState,
  stepLane,
} from '../../index.ts';
import { type SitePorts, Timer } from '../site-port.ts';
import { EarliestTimer } from './earliest-timer.ts';

const ROWS_AT_ONCE = 100;
/** Rows that come together travel together: the lanes look so long after the journal wrote something. */
const LOOK_MS = 1_000;
/** `Chosen:` the lane `alarm` looks sooner: a person waits for an alarm of the alarm queue, and sees it within a second of the decision. */
const ALARM_LOOK_MS = 100;
/** The longest time between two looks: the journal may also be written by another program. */
const LONGEST_MS = 60_000;

/** Publishes a batch of one lane; a lost connection is no error here. */
export type SendBatch = (lane: Lane, batch: Pick<EventBatch, 'items' | 'clk'>) => void;

interface LaneEntry {
  state: LaneState;
  readonly resend: Timer;
  /** Highest seq seen in the journal. */
  newest: number;
}

/** The lanes of the outbox that lead to the cloud: reads the journal, sends, and lets go of what the cloud has. */
export class SiteLanes {
  readonly #ports: SitePorts;
  readonly #send: SendBatch;
  readonly #lanes: ReadonlyMap<Lane, LaneEntry>;
  readonly #look: EarliestTimer;
  readonly #alarmLook: Timer;
  #alarmLooks = false;
  #open = false;

  constructor(ports: SitePorts, send: SendBatch) {
    this.#ports = ports;
    this.#send = send;
    this.#look = new EarliestTimer(ports);
    this.#alarmLook = new Timer(ports);
    this.#lanes = new Map(
      LANES.map((lane) => {
        const acked = this.#ackedOf(lane);
        return [lane, { state: initialLane(acked), resend: new Timer(ports), newest: acked }] as const;
      }),
    );
    ports.written?.add(() => {
      this.#lookForAlarms();
      this.#lookWithin(LOOK_MS);
    });
  }

  /** The birth is out: `alarm` first. */
  opened(): void {
    this.#open = true;
    for (const lane of LANES) this.#decide(lane, { kind: 'opened' });
    this.#lookWithin(this.#usualMs);
  }

  lost(): void {
    this.#open = false;
    this.#look.stop();
    this.#alarmLook.stop();
    this.#alarmLooks = false;
    for (const lane of LANES) this.#decide(lane, { kind: 'lost' });
  }

  acknowledged({ ack }: EventAck): void {
    for (const lane of LANES) {
      const seq = ack[lane];
      const entry = this.#lanes.get(lane);
      if (seq === undefined || entry === undefined) continue;
      // More than was ever held here is about a journal before this one; it must not skip rows of ours.
      this.#decide(lane, { kind: 'ack', seq: Math.min(seq, Math.max(entry.newest, entry.state.acked)) });
    }
  }

  /** Per lane: last seq the cloud has, and the newest one held. */
  get heads(): Birth['ev'] {
    return Object.fromEntries(
      [...this.#lanes].map(([lane, { state, newest }]) => [
        lane,
        [state.acked, Math.max(newest, state.acked)],
      ]),
    );
  }

  /** No event waits for the cloud. */
  get isIdle(): boolean {
    return [...this.#lanes].every(([lane, { state }]) => this.#rows(lane, state.acked, 1).length === 0);
  }

  /** Rows that wait, at most 100 counted per lane, and the age of the oldest in seconds. */
  get waiting(): Heartbeat['out'] {
    let oldestMs = Number.POSITIVE_INFINITY;
    const out: Heartbeat['out'] = {};
    for (const [lane, { state }] of this.#lanes) {
      const rows = this.#rows(lane, state.acked);
      out[lane] = rows.length;
      oldestMs = Math.min(oldestMs, rows[0]?.createdWall ?? oldestMs);
    }
    const ageMs = Number.isFinite(oldestMs) ? this.#ports.clock.wallMs() - oldestMs : 0;
    return { ...out, oldestS: Math.max(0, Math.round(ageMs / 1_000)) };
  }

  /** Engines that write rows know nothing of the uplink: the journal says that there may be some, or the lanes look each second. */
  get #usualMs(): number {
    return this.#ports.written === undefined ? LOOK_MS : LONGEST_MS;
  }

  #lookWithin(delayMs: number): void {
    if (!this.#open) return;
    this.#look.startWithin(delayMs, () => {
      for (const lane of LANES) this.#decide(lane, { kind: 'wake' });
      this.#lookWithin(this.#usualMs);
    });
  }

  /** Once for all that is written until then. */
  #lookForAlarms(): void {
    if (!this.#open || this.#alarmLooks) return;
    this.#alarmLooks = true;
    this.#alarmLook.start(ALARM_LOOK_MS, () => {
      this.#alarmLooks = false;
      this.#decide('alarm', { kind: 'wake' });
    });
  }

  #decide(lane: Lane, input: LaneInput): void {
    const entry = this.#lanes.get(lane);
    if (entry === undefined) return;
    const { state, effects } = stepLane(entry.state, input);
    entry.state = state;
    for (const effect of effects) this.#perform(lane, entry, effect);
  }

  #perform(lane: Lane, entry: LaneEntry, effect: LaneEffect): void {
    switch (effect.kind) {
      case 'send':
        this.#sendAfter(lane, entry, effect);
        return;
      case 'acknowledge':
        this.#ports.run(this.#ports.journal.acknowledge(lane, effect.seq, this.#ports.clock.wallMs()));
        return;
      case 'startTimer':
        entry.resend.start(effect.delayMs, () => this.#decide(lane, { kind: 'resend' }));
        return;
      case 'stopTimer':
        entry.resend.stop();
    }
  }

  #sendAfter(
    lane: Lane,
    entry: LaneEntry,
    { afterSeq, wentBack }: Extract<LaneEffect, { kind: 'send' }>,
  ): void {
    // Rows go oldest first: while the last one the cloud has is kept, so is everything after it.
    const gap = wentBack && this.#rows(lane, afterSeq - 1, 1)[0]?.seq !== afterSeq;
    const rows = this.#rows(lane, afterSeq);
    const clk = this.#clock();
    const { boot, mono } = clk;
    const batch = batchOf(rows, { afterSeq, gap, nowMs: this.#ports.clock.wallMs(), boot, mono });
    entry.newest = Math.max(entry.newest, rows.at(-1)?.seq ?? 0);
    if (batch !== undefined) {
      const boots = new Set(batch.items.map((item) => item.boot));
      const pairs = clk.pairs.filter((pair) => boots.has(pair.boot));
      this.#send(lane, { items: [...batch.items], clk: { ...clk, pairs } });
    }
    this.#decide(lane, { kind: 'sent', upTo: batch?.upTo });
  }

  #clock(): BatchClock {
    const { clock, journal, records } = this.#ports;
    return { boot: journal.boot, mono: recordMs(clock), from: 0, pairs: [], ...records?.() };
  }

  #rows(lane: Lane, afterSeq: number, limit = ROWS_AT_ONCE): readonly OutboxRow[] {
    return this.#ports.journal.pending(cloudDestination, lane, afterSeq, limit);
  }

  /** The last row before the first that still waits; 0 when nothing is known. */
  #ackedOf(lane: Lane): number {
    let acked = 0;
    for (;;) {
      const rows = this.#rows(lane, acked);
      const waits = rows.findIndex(({ state }) => state !== 'done');
      acked = (waits < 0 ? rows.at(-1) : rows[waits - 1])?.seq ?? acked;
      if (waits >= 0 || rows.length < ROWS_AT_ONCE) return acked;
    }
  }
}
