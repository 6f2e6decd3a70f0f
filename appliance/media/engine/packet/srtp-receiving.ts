import {
  SRTP_REPLAYED,
  SrtcpReceiver,
  type SrtpCrypto,
  SrtpReceiver,
  type SrtpSuite,
} from '../../rtp/index.ts';

/** Chosen: so many packets of our peer in a row that are not authentic are a wrong key, not an accident. */
const WRONG_KEY = 5;

/** Keys of one direction: kept over a new description with the same key, for they hold the rollover counters. */
export interface KeyedBy {
  readonly suite: SrtpSuite;
  readonly key: Uint8Array;
}

export const sameKey = (a: KeyedBy | null, b: KeyedBy | null): boolean =>
  a === b || (a !== null && b !== null && a.suite === b.suite && Buffer.compare(a.key, b.key) === 0);

/** Unprotects what a peer sends, when that was agreed. */
export class SrtpReceiving {
  rejected = 0;
  replayed = 0;
  /** Set when it looks as if our key were not the peer's; whoever reports it clears it. */
  failed = false;
  #keyed: KeyedBy | null = null;
  #rtp: SrtpReceiver | null = null;
  #rtcp: SrtcpReceiver | null = null;
  #inRow = 0;

  get active(): boolean {
    return this.#rtp !== null;
  }

  update(keyed: KeyedBy | null, crypto: SrtpCrypto): void {
    if (sameKey(keyed, this.#keyed)) return;
    this.#keyed = keyed;
    this.#inRow = 0;
    this.#rtp = keyed && new SrtpReceiver(keyed.suite, keyed.key, crypto);
    this.#rtcp = keyed && new SrtcpReceiver(keyed.key, crypto);
  }

  /** New length, or negative. @param isOurPeer strangers with other keys are no failure of ours */
  unprotect(bytes: Uint8Array, isOurPeer: boolean): number {
    const length = this.#rtp?.unprotect(bytes, bytes.length) ?? bytes.length;
    if (length >= 0) this.#inRow = 0;
    else if (length === SRTP_REPLAYED) this.replayed++;
    else {
      this.rejected++;
      if (isOurPeer && ++this.#inRow === WRONG_KEY) this.failed = true;
    }
    return length;
  }

  unprotectRtcp(bytes: Uint8Array): number {
    const length = this.#rtcp?.unprotect(bytes, bytes.length) ?? bytes.length;
    if (length === SRTP_REPLAYED) this.replayed++;
    else if (length < 0) this.rejected++;
    return length;
  }
}
