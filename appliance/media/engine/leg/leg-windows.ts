import { dbm0OfPower, FRAME_MS } from '../../audio/index.ts';
import type { LegId, MediaEvent, MediaWindows } from '../../control/index.ts';
import type { LevelSample } from '../packet/level-sample.ts';
import type { LegReceive } from './leg-receive.ts';
import type { LegSend } from './leg-send.ts';

/** Length of a window in the first hour, and after it. */
const SHORT_MS = 5_000;
const LONG_MS = 60_000;
const MOST_SHORT = 720;
/** An hour of short windows, a day of long ones. A leg that lives longer is measured at its end only. */
const MOST = MOST_SHORT + 1_440;
/** Windows that travel together: one event per leg and minute costs the main thread nothing. */
const TOGETHER = 12;

type Column = 'received' | 'sent' | 'lost' | 'late' | 'concealedMs' | 'jitterMs' | 'latenessMs';
type LevelColumn = 'levelDbm0' | 'sentLevelDbm0';
type Columns = Record<Column, number[]> & Record<LevelColumn, (number | null)[]>;

const empty = (): Columns => ({
  ...{ received: [], sent: [], lost: [], late: [], concealedMs: [], jitterMs: [], latenessMs: [] },
  ...{ levelDbm0: [], sentLevelDbm0: [] },
});
const tenths = (value: number): number => Math.round(value * 10) / 10;

/**
 * The audio of one leg in windows of 5 s, for the trace: the statistics of a whole call hide the ten seconds in which it was bad.
 *
 * ```
 *   first packet ─ 5 s ─ 5 s ─ … 12 windows ─▶ event measured ─ … one hour ─ 60 s ─ 60 s ─ … one day ─ nothing more
 *                                                                             the end: `rest`, with a shorter last window
 * ```
 */
export class LegWindows {
  readonly #leg: LegId;
  readonly #receive: LegReceive;
  readonly #send: LegSend;
  readonly #sentLevel: LevelSample;
  readonly #emit: (event: MediaEvent) => void;
  /** A packet was received or sent. */
  #isBegun = false;
  /** Ticks of the leg's own clock: the begin of the window, and now. */
  #windowTick = 0;
  #tick = 0;
  #count = 0;
  #latestMs = 0;
  #columns = empty();
  /** Counters of the leg at the begin of the window. */
  readonly #before = { received: 0, sent: 0, lost: 0, late: 0, concealed: 0 };
  readonly #levelBefore = { sum: 0, frames: 0 };
  readonly #sentLevelBefore = { sum: 0, frames: 0 };

  constructor(
    leg: LegId,
    parts: { readonly receive: LegReceive; readonly send: LegSend; readonly sentLevel: LevelSample },
    emit: (event: MediaEvent) => void,
  ) {
    this.#leg = leg;
    this.#receive = parts.receive;
    this.#send = parts.send;
    this.#sentLevel = parts.sentLevel;
    this.#emit = emit;
  }

  /** The leg was worked so late. */
  worked(latenessMs: number): void {
    if (latenessMs > this.#latestMs) this.#latestMs = latenessMs;
  }

  /** @param tick of the leg's own clock */
  tick(tick: number): void {
    this.#tick = tick;
    if (!this.#isBegun) {
      this.#isBegun = this.#receive.reception.received + this.#send.packets > 0;
      this.#windowTick = tick;
      return;
    }
    if (this.#count >= MOST || (tick - this.#windowTick) * FRAME_MS < this.#lengthMs) return;
    this.#close();
    const isFull = this.#columns.received.length === TOGETHER || this.#count === MOST_SHORT;
    if (isFull || this.#count === MOST) this.#tell();
  }

  /** Windows that no event carried yet, the last one as long as it is; undefined: there are none. */
  rest(): MediaWindows | undefined {
    if (!this.#isBegun || this.#count >= MOST) return undefined;
    const everyMs = this.#lengthMs;
    const lastMs = (this.#tick - this.#windowTick) * FRAME_MS;
    if (lastMs > 0) this.#close();
    return this.#columns.received.length === 0 ? undefined : this.#taken(everyMs, lastMs || everyMs);
  }

  get #lengthMs(): number {
    return this.#count < MOST_SHORT ? SHORT_MS : LONG_MS;
  }

  #tell(): void {
    const everyMs = this.#count <= MOST_SHORT ? SHORT_MS : LONG_MS;
    this.#emit({ kind: 'measured', leg: this.#leg, windows: this.#taken(everyMs, everyMs) });
  }

  #taken(everyMs: number, lastMs: number): MediaWindows {
    const columns = this.#columns;
    this.#columns = empty();
    return { everyMs, lastMs, ...columns };
  }

  #close(): void {
    const { reception, jitter, concealedFrames, level } = this.#receive;
    const [columns, before] = [this.#columns, this.#before];
    // A packet that comes after its window was closed makes the sum smaller: no window has lost less than nothing.
    const lost = Math.max(0, reception.lost - before.lost);
    columns.received.push(reception.received - before.received);
    columns.sent.push(this.#send.packets - before.sent);
    columns.lost.push(lost);
    columns.late.push(jitter.counters.late - before.late);
    columns.concealedMs.push((concealedFrames - before.concealed) * FRAME_MS);
    columns.jitterMs.push(tenths(reception.stream.jitterMs));
    columns.latenessMs.push(tenths(this.#latestMs));
    columns.levelDbm0.push(levelSince(level, this.#levelBefore));
    columns.sentLevelDbm0.push(levelSince(this.#sentLevel, this.#sentLevelBefore));
    before.received = reception.received;
    before.sent = this.#send.packets;
    before.lost += lost;
    before.late = jitter.counters.late;
    before.concealed = concealedFrames;
    this.#latestMs = 0;
    this.#windowTick = this.#tick;
    this.#count++;
  }
}

/** Level of the frames since the last call; null: none was measured, as on the fast path, which decodes nothing. */
function levelSince({ sum, frames }: LevelSample, before: { sum: number; frames: number }): number | null {
  const count = frames - before.frames;
  const level = count === 0 ? null : tenths(dbm0OfPower((sum - before.sum) / count));
  before.sum = sum;
  before.frames = frames;
  return level;
}
