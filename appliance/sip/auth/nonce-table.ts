/** The value of a nonce for the request that brings it. */
export type NonceState =
  | 'good'
  /** Made here for this source, but too long ago, or so busy since that its counter is no longer kept. */
  | 'stale'
  /** This nonce count was there before: the request is recorded and played again. */
  | 'replayed'
  /** Not made here, or made for another source. */
  | 'foreign';

export interface NonceSettings {
  /** How long a nonce may be used. */
  readonly lifeMs: number;
  /** Nonces in use whose counters are kept. */
  readonly remembered: number;
}

export const DEFAULT_NONCE: NonceSettings = { lifeMs: 300_000, remembered: 16_384 };

/** Nonce counts below the highest one that may still come: UDP reorders. */
const WINDOW = 32;
const STAMP = 12;
const SERIAL = 8;
const MAC = 32;

/**
 * Nonces that need no memory until they are used (RFC 7616 3.3, 5.4):
 *
 *     stamp (12 hex, ms) · serial (8 hex) · HMAC(key, stamp serial source), first 16 bytes (32 hex)
 *
 * Bound to time, source and key. The serial makes each one single, so that two devices behind one address do
 * not share a counter. Counters are kept for nonces that came back with a right response, hence from a sender who knows a
 * password; when there are too many, the oldest is dropped and with it every nonce of its age or older that is not kept: what
 * cannot be checked for replay is stale, never accepted.
 *
 * The key must be of this process: counters die with it, nonces must too.
 */
export class NonceTable {
  readonly #hmac: (text: string) => string;
  readonly #settings: NonceSettings;
  /** By serial, in the order of use. */
  readonly #used = new Map<number, Used>();
  #serial = 0;
  /** Nonces made up to here and not in `#used` are stale. */
  #horizonMs = -1;

  constructor(hmac: (text: string) => string, settings: NonceSettings = DEFAULT_NONCE) {
    this.#hmac = hmac;
    this.#settings = settings;
  }

  /** A new nonce for a source (its address; ports change behind NAT). */
  make(source: string, nowMs: number): string {
    this.#serial = (this.#serial + 1) >>> 0;
    const stamp = Math.max(0, Math.floor(nowMs)).toString(16).padStart(STAMP, '0');
    const body = stamp + this.#serial.toString(16).padStart(SERIAL, '0');
    return body + this.#mac(body, source);
  }

  /**
   * Judges a nonce and, when it is good, marks the count as used. Ask only after the response proved right:
   * counters cost memory. Without a count (RFC 2069 peers) a nonce is good once.
   */
  use(nonce: string, source: string, count: number | undefined, nowMs: number): NonceState {
    const body = nonce.slice(0, STAMP + SERIAL);
    if (this.#mac(body, source) !== nonce.slice(STAMP + SERIAL)) return 'foreign';
    const madeMs = stampOf(nonce);
    if (nowMs - madeMs > this.#settings.lifeMs) return 'stale';
    const serial = Number.parseInt(nonce.slice(STAMP, STAMP + SERIAL), 16);
    const used = this.#used.get(serial);
    if (used === undefined) {
      if (madeMs <= this.#horizonMs) return 'stale';
      this.#used.set(serial, { madeMs, top: count ?? 1, seen: 1 });
      this.#forget(nowMs);
      return 'good';
    }
    return markCount(used, count ?? 1) ? 'good' : 'replayed';
  }

  #forget(nowMs: number): void {
    for (const [serial, { madeMs }] of this.#used) {
      const expired = nowMs - madeMs > this.#settings.lifeMs;
      if (!expired && this.#used.size <= this.#settings.remembered) return;
      if (!expired) this.#horizonMs = Math.max(this.#horizonMs, madeMs);
      this.#used.delete(serial);
    }
  }

  #mac(body: string, source: string): string {
    return this.#hmac(`${body} ${source}`).slice(0, MAC);
  }
}

/** Bit i of `seen` is count `top - i`. */
interface Used {
  readonly madeMs: number;
  top: number;
  seen: number;
}

const stampOf = (nonce: string): number => Number.parseInt(nonce.slice(0, STAMP), 16);

/** False if the count was there before or is below the window. */
function markCount(used: Used, count: number): boolean {
  const ahead = count - used.top;
  if (ahead > 0) {
    used.seen = ahead >= WINDOW ? 1 : ((used.seen << ahead) | 1) >>> 0;
    used.top = count;
    return true;
  }
  if (-ahead >= WINDOW) return false;
  const bit = (1 << -ahead) >>> 0;
  if ((used.seen & bit) !== 0) return false;
  used.seen = (used.seen | bit) >>> 0;
  return true;
}
