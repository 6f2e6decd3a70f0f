import { type Arrival, ReceptionStatistics, type RtpPacket } from '../../rtp/index.ts';

/** Counts what arrived on a leg over all its sources, one after another. */
export class Reception {
  /** The SSRC of the running stream; −1 before the first packet. */
  ssrc = -1;
  ssrcChanges = 0;
  lastMs = Number.NEGATIVE_INFINITY;
  #stream = new ReceptionStatistics();
  readonly #earlier = { received: 0, lost: 0, duplicates: 0, reordered: 0, longestGapMs: 0 };

  /** @param timed whether the timestamp says when the packet was sent */
  push({ ssrc, sequence, timestamp }: RtpPacket, nowMs: number, timed: boolean): Arrival {
    if (ssrc !== this.ssrc) this.#change(ssrc);
    this.lastMs = nowMs;
    return this.#stream.push(sequence, timestamp, nowMs, timed);
  }

  get stream(): ReceptionStatistics {
    return this.#stream;
  }

  get received(): number {
    return this.#earlier.received + this.#stream.received;
  }

  get lost(): number {
    return this.#earlier.lost + this.#stream.lost;
  }

  get duplicates(): number {
    return this.#earlier.duplicates + this.#stream.duplicates;
  }

  get reordered(): number {
    return this.#earlier.reordered + this.#stream.reordered;
  }

  get longestGapMs(): number {
    return Math.max(this.#earlier.longestGapMs, this.#stream.longestGapMs);
  }

  #change(ssrc: number): void {
    if (this.ssrc >= 0) {
      this.ssrcChanges++;
      this.#earlier.received += this.#stream.received;
      this.#earlier.lost += this.#stream.lost;
      this.#earlier.duplicates += this.#stream.duplicates;
      this.#earlier.reordered += this.#stream.reordered;
      this.#earlier.longestGapMs = this.longestGapMs;
      this.#stream = new ReceptionStatistics();
    }
    this.ssrc = ssrc;
  }
}
