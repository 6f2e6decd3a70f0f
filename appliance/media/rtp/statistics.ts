import { ReplayWindow } from './replay-window.ts';

/** A leap beyond these is a restart of the sender, once two packets in a row agree (RFC 3550, A.1). */
const MAX_DROPOUT = 3_000;
const MAX_MISORDER = 100;
const SEQUENCES = 65_536;

/** The kind of a packet in its stream. */
export type Arrival = 'next' | 'gap' | 'reordered' | 'duplicate' | 'doubtful' | 'restarted';

/** One reception report block (RFC 3550, 6.4.1), as we write it. */
export interface ReceptionReport {
  readonly fractionLost: number;
  readonly cumulativeLost: number;
  readonly highestSequence: number;
  readonly jitter: number;
}

/**
 * Counts what arrived of one SSRC: sequence with wraps, loss, order, interarrival jitter (RFC 3550, 6.4.1, A.1, A.3, A.8).
 *
 * ```
 *   next      one more than the highest         gap        some are missing before it, they may still come
 *   reordered below the highest, first time     duplicate  seen before, or too old to know
 *   doubtful  far off: ignored until the next one follows it; then `restarted` and everything counts again
 * ```
 */
export class ReceptionStatistics {
  readonly #clockRate: number;
  #window = new ReplayWindow();
  #first = -1;
  #expectedRestart = -1;
  #transit = Number.NaN;
  #jitter = 0;
  #lastArrivalMs = Number.NaN;
  #longestGapMs = 0;
  /** The counts of streams before the last restart. */
  #earlierExpected = 0;
  #received = 0;
  #duplicates = 0;
  #reordered = 0;
  #restarts = 0;
  /** At the last report. */
  #reportedExpected = 0;
  #reportedReceived = 0;

  constructor(clockRate = 8_000) {
    this.#clockRate = clockRate;
  }

  /**
   * Counts one packet of this SSRC that arrived at `nowMs` (monotonic).
   *
   * @param timed false for packets whose timestamp is not when they were sent (telephone-event): no jitter is taken
   */
  push(sequence: number, timestamp: number, nowMs: number, timed = true): Arrival {
    const arrival = this.#place(sequence);
    if (arrival === 'doubtful') return arrival;
    if (arrival === 'duplicate') {
      this.#duplicates++;
      return arrival;
    }
    this.#received++;
    if (arrival === 'reordered') this.#reordered++;
    this.#measureGap(nowMs);
    if (timed) this.#measureJitter(timestamp, nowMs);
    return arrival;
  }

  get received(): number {
    return this.#received;
  }

  /** Missing so far; what comes late is no longer missing. */
  get lost(): number {
    return Math.max(0, this.#expected() - this.#received);
  }

  get duplicates(): number {
    return this.#duplicates;
  }

  get reordered(): number {
    return this.#reordered;
  }

  get restarts(): number {
    return this.#restarts;
  }

  get jitterMs(): number {
    return (this.#jitter * 1_000) / this.#clockRate;
  }

  /** Longest time between two packets. */
  get longestGapMs(): number {
    return this.#longestGapMs;
  }

  /** The block for the next sender or receiver report; starts a new interval. */
  report(): ReceptionReport {
    const expected = this.#expected();
    const expectedNow = expected - this.#reportedExpected;
    const lostNow = expectedNow - (this.#received - this.#reportedReceived);
    this.#reportedExpected = expected;
    this.#reportedReceived = this.#received;
    return {
      fractionLost:
        expectedNow <= 0 || lostNow <= 0 ? 0 : Math.min(255, Math.floor((lostNow * 256) / expectedNow)),
      cumulativeLost: Math.min(this.lost, 0x7f_ffff),
      highestSequence: Math.max(0, this.#window.highest) % 0x1_0000_0000,
      jitter: Math.floor(this.#jitter),
    };
  }

  #expected(): number {
    const current = this.#first < 0 ? 0 : this.#window.highest - this.#first + 1;
    return this.#earlierExpected + current;
  }

  #place(sequence: number): Arrival {
    if (this.#first < 0) return this.#begin(sequence, 'next');
    const highest = this.#window.highest;
    const ahead = (sequence - (highest % SEQUENCES) + SEQUENCES) % SEQUENCES;
    const index = ahead < SEQUENCES / 2 ? highest + ahead : highest + ahead - SEQUENCES;
    if (index > highest + MAX_DROPOUT || index < highest - MAX_MISORDER) {
      if (sequence === this.#expectedRestart) {
        this.#earlierExpected = this.#expected() + 1;
        this.#received++;
        this.#restarts++;
        return this.#begin(sequence, 'restarted');
      }
      this.#expectedRestart = (sequence + 1) % SEQUENCES;
      return 'doubtful';
    }
    this.#expectedRestart = -1;
    if (this.#window.check(index) !== 'new') return 'duplicate';
    this.#window.mark(index);
    if (index < this.#first) this.#first = index;
    if (index < highest) return 'reordered';
    return index === highest + 1 ? 'next' : 'gap';
  }

  /** Starts one round of numbers up, so that a packet from before the first has a number too. */
  #begin(sequence: number, arrival: Arrival): Arrival {
    this.#window = new ReplayWindow();
    this.#first = sequence + SEQUENCES;
    this.#window.mark(this.#first);
    this.#expectedRestart = -1;
    this.#transit = Number.NaN;
    return arrival;
  }

  #measureGap(nowMs: number): void {
    if (nowMs - this.#lastArrivalMs > this.#longestGapMs) this.#longestGapMs = nowMs - this.#lastArrivalMs;
    this.#lastArrivalMs = nowMs;
  }

  #measureJitter(timestamp: number, nowMs: number): void {
    const transit = ((nowMs * this.#clockRate) / 1_000 - timestamp) % 0x1_0000_0000;
    if (!Number.isNaN(this.#transit)) {
      const change = Math.abs(transit - this.#transit);
      // The timestamp wrapped between the two.
      const distance = change > 0x8000_0000 ? 0x1_0000_0000 - change : change;
      this.#jitter += (distance - this.#jitter) / 16;
    }
    this.#transit = transit;
  }
}
