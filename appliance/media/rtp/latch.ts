/** Chosen: a source that is silent for this long may be followed by another. */
const SILENT_MS = 500;
/** How far the sequence number of a moved stream may be ahead of the last one: 60 s of packets. */
const CONTINUES = 3_000;

/** What the packet of some source is: to be taken, or none of our business. */
export type Judged = 'taken' | 'foreign';

/**
 * Symmetric RTP: which source a leg listens to, and so where it sends to. A pure decision per packet.
 *
 * ```
 *              packet of the signalled address
 *   signalled ---------------------------------> locked to it
 *       |                                          |  other sources: foreign
 *       | allowed, and 3 packets in sequence       |  old one silent for 500 ms, stream continues (same SSRC,
 *       | of one source and SSRC                   |  sequence goes on), 3 in sequence: locked to the new one
 *       `----------------------------------> locked to another source
 *                                                  |  packet of the signalled address: locked to that
 *   new description: another address unlocks; the same one keeps the lock and lets a new source in without a pause
 * ```
 * Audio goes to `host` and `port` only: the signalled address until something is locked, then the locked source. Who
 * asks has checked version and payload type before, and with SRTP the tag.
 *
 * Chosen: the signalled address always wins, so nobody who shouts first keeps a leg. Taking over is latching, too: a leg
 * that must not latch never leaves its signalled address.
 */
export class Latch {
  /** Where to send to; port 0: nowhere. */
  host = '';
  port = 0;
  locked = false;

  readonly #needed: number;
  #signalledHost = '';
  #signalledPort = 0;
  #allowed = false;
  /** A new description came: the next source need not wait for silence. */
  #open = false;
  #lastMs = Number.NEGATIVE_INFINITY;
  #ssrc = -1;
  #sequence = 0;
  /** Who tries to get in. */
  #candidateHost = '';
  #candidatePort = 0;
  #candidateSsrc = -1;
  #candidateSequence = 0;
  #candidatePackets = 0;

  /** @param needed packets in sequence that another source must show; RTCP, which has no numbers, asks for one */
  constructor(needed = 3) {
    this.#needed = needed;
  }

  /** A description was agreed: where the peer says it is, and whether it may be elsewhere. */
  describe(host: string, port: number, allowed: boolean): void {
    const same = host === this.#signalledHost && port === this.#signalledPort;
    this.#signalledHost = host;
    this.#signalledPort = port;
    this.#allowed = allowed;
    this.#candidatePackets = 0;
    const isElsewhere = this.host !== host || this.port !== port;
    if (same && (allowed || !isElsewhere)) {
      this.#open = true;
      return;
    }
    this.host = host;
    this.port = port;
    this.locked = false;
    this.#open = false;
  }

  /** Whether a packet of this source could be taken at all: cheap, and asked before anything is decrypted. */
  concerns(host: string, port: number): boolean {
    return this.#allowed || (host === this.#signalledHost && port === this.#signalledPort);
  }

  /** One valid packet. */
  judge(host: string, port: number, ssrc: number, sequence: number, nowMs: number): Judged {
    if (port === this.port && host === this.host) {
      this.#follow(ssrc, sequence, nowMs);
      this.locked = true;
      this.#open = false;
      return 'taken';
    }
    if (port === this.#signalledPort && host === this.#signalledHost) {
      this.#lock(host, port, ssrc, sequence, nowMs);
      return 'taken';
    }
    if (!this.#allowed || !this.#mayEnter(ssrc, sequence, nowMs)) return 'foreign';
    if (!this.#isInSequence(host, port, ssrc, sequence)) return 'foreign';
    this.#lock(host, port, ssrc, sequence, nowMs);
    return 'taken';
  }

  #mayEnter(ssrc: number, sequence: number, nowMs: number): boolean {
    if (!this.locked || this.#open) return true;
    const ahead = (sequence - this.#sequence) & 0xffff;
    return nowMs - this.#lastMs >= SILENT_MS && ssrc === this.#ssrc && ahead <= CONTINUES;
  }

  #isInSequence(host: string, port: number, ssrc: number, sequence: number): boolean {
    const follows =
      this.#candidatePackets > 0 &&
      host === this.#candidateHost &&
      port === this.#candidatePort &&
      ssrc === this.#candidateSsrc &&
      sequence === ((this.#candidateSequence + 1) & 0xffff);
    this.#candidatePackets = follows ? this.#candidatePackets + 1 : 1;
    this.#candidateHost = host;
    this.#candidatePort = port;
    this.#candidateSsrc = ssrc;
    this.#candidateSequence = sequence;
    return this.#candidatePackets >= this.#needed;
  }

  #lock(host: string, port: number, ssrc: number, sequence: number, nowMs: number): void {
    this.host = host;
    this.port = port;
    this.locked = true;
    this.#open = false;
    this.#candidatePackets = 0;
    this.#follow(ssrc, sequence, nowMs);
  }

  #follow(ssrc: number, sequence: number, nowMs: number): void {
    this.#ssrc = ssrc;
    this.#sequence = sequence;
    this.#lastMs = nowMs;
  }
}
