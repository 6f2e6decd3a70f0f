/** Chosen: a source that is silent for this long may be followed by another. */
const SILENT_MS = 500;
/** Chosen: a source is lost after this silence; another stream of an address that can be trusted may then follow it. */
const LOST_MS = 2_000;
/** How far the sequence number of a moved stream may be ahead of the last one: 60 s of packets. */
const CONTINUES = 3_000;

/** Sources beside the signalled one that may take a leg. */
export interface LatchRule {
  /** Every address: a NAT was announced, or SRTP has authenticated what comes. */
  readonly anywhere: boolean;
  /** Every port of these addresses (RFC 4961): those that description and signalling come from. */
  readonly hosts: readonly string[];
  /** SRTP has authenticated each packet before it is judged. */
  readonly proven: boolean;
}

/** The signalled source alone. */
const NO_LATCHING: LatchRule = { anywhere: false, hosts: [], proven: false };

/** The verdict on a packet of a source: to be taken, or foreign. */
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
 *       |                                          |  trusted source, and the old one is not, or is silent for 2 s: the same
 *       `----------------------------------> locked to another source
 *                                                  |  packet of the signalled address: locked to that
 *   new description: another address unlocks; the same one keeps the lock and lets a new source in without a pause
 * ```
 * Trusted are ports of the signalled addresses, and with SRTP every source: there a stranger that came first gives way, and another
 * stream may follow one that stopped. Elsewhere only the same stream may: another sender in a pause would hear the call.
 *
 * Audio goes to `host` and `port` only: the signalled address until something is locked, then the locked source. The caller has
 * checked version and payload type before, and with SRTP the tag.
 *
 * Chosen: an address that a description has left does not latch. Two phones of a fork share the address of their NAT: the one that
 * lost still sends for a moment, and must not take the leg of the other one.
 *
 * Chosen: the signalled address always wins, so a stranger that sends first does not keep a leg. Taking over is latching, too:
 * a leg that must not latch never leaves its signalled address.
 */
export class Latch {
  /** Where to send to; port 0: nowhere. */
  host = '';
  port = 0;
  locked = false;

  readonly #needed: number;
  #signalledHost = '';
  #signalledPort = 0;
  /** The signalled address before the latest description. */
  #leftHost = '';
  #leftPort = 0;
  #rule = NO_LATCHING;
  /** The locked source is a trusted one. */
  #isTrusted = false;
  /** A new description came: the next source need not wait for silence. */
  #open = false;
  #lastMs = Number.NEGATIVE_INFINITY;
  #ssrc = -1;
  #sequence = 0;
  /** The source that tries to get in. */
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
  describe(host: string, port: number, rule: LatchRule = NO_LATCHING): void {
    const same = host === this.#signalledHost && port === this.#signalledPort;
    if (!same) [this.#leftHost, this.#leftPort] = [this.#signalledHost, this.#signalledPort];
    this.#signalledHost = host;
    this.#signalledPort = port;
    this.#rule = rule;
    this.#candidatePackets = 0;
    const isElsewhere = this.host !== host || this.port !== port;
    if (same && (!isElsewhere || this.#isAllowed(this.host))) {
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
    return (host === this.#signalledHost && port === this.#signalledPort) || this.#isAllowed(host);
  }

  #isAllowed(host: string): boolean {
    return this.#rule.anywhere || this.#rule.hosts.includes(host);
  }

  #trusts(host: string): boolean {
    return this.#rule.proven || this.#rule.hosts.includes(host);
  }

  /** One valid packet. */
  judge(host: string, port: number, ssrc: number, sequence: number, nowMs: number): Judged {
    if (port === this.port && host === this.host) {
      this.#follow(ssrc, sequence, nowMs);
      if (!this.locked) this.#isTrusted = true;
      this.locked = true;
      this.#open = false;
      return 'taken';
    }
    if (port === this.#signalledPort && host === this.#signalledHost) {
      this.#lock(host, port, ssrc, sequence, nowMs);
      return 'taken';
    }
    if (host === this.#leftHost && port === this.#leftPort) return 'foreign';
    if (!this.#isAllowed(host) || !this.#mayEnter(host, ssrc, sequence, nowMs)) return 'foreign';
    if (!this.#isInSequence(host, port, ssrc, sequence)) return 'foreign';
    this.#lock(host, port, ssrc, sequence, nowMs);
    return 'taken';
  }

  #mayEnter(host: string, ssrc: number, sequence: number, nowMs: number): boolean {
    if (!this.locked || this.#open) return true;
    const silentMs = nowMs - this.#lastMs;
    if (this.#trusts(host) && (!this.#isTrusted || silentMs >= LOST_MS)) return true;
    const ahead = (sequence - this.#sequence) & 0xffff;
    return silentMs >= SILENT_MS && ssrc === this.#ssrc && ahead <= CONTINUES;
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
    this.#isTrusted = host === this.#signalledHost || this.#trusts(host);
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
