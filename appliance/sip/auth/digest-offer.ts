import { BoundedMap } from '#shared/bounded-map.ts';
import { ALGORITHMS, type Algorithm, type StoredHa1 } from './digest.ts';

/** `digestAlgorithm` of a device (provisioning API 2.5): what it is asked for. */
export type DigestPolicy = 'auto' | 'md5' | 'sha256';

/** Why a device is offered MD5 alone from now on. */
export type Md5Cause =
  /** It answered a challenge wrongly. */
  | 'wrongAnswer'
  /** It came again without an answer to the challenge. */
  | 'noAnswer'
  /** It proved its password by MD5 and did not name the algorithm (RFC 2617 clients do not look at it). */
  | 'algorithmMissing';

/** So long MD5 stands alone after its last right answer, and so long a right SHA-256 answer protects from strangers. */
const MD5_ALONE_MS = 86_400_000;
/** A request of another call so soon after a challenge may have been under way already: a satellite needs 1.5 s. */
const IN_FLIGHT_MS = 4_000;
/** Chosen: MD5 alone is withdrawn after three vain attempts, so that a device with SHA-256 alone comes in again. */
const VAIN_ATTEMPTS = 3;
/** Chosen: 50,000 devices of one host, and 10,000 names that are none: a memory that forgets costs one attempt. */
const KNOWN = 50_000;
const UNKNOWN = 10_000;

interface Offer {
  /** End of MD5 alone; 0: both are offered. */
  untilMs: number;
  /** MD5 was answered rightly since. */
  proven: boolean;
  vain: number;
  /** The challenge that has no answer yet. */
  asked: { readonly callId: string; readonly source: string; readonly atMs: number } | undefined;
  /** The last right answer by SHA-256. */
  sha256: { readonly source: string; readonly atMs: number } | undefined;
}

/** A device as far as the offer depends on it; `ha1` undefined: a name that no device has. */
export interface Offered {
  readonly deviceId: string;
  readonly ha1: StoredHa1 | undefined;
  readonly policy: DigestPolicy;
}

/** One attempt of it. */
export interface Attempt {
  readonly source: string;
  readonly callId: string;
}

/**
 * Which algorithms a device is offered. SHA-256 stands first (RFC 8760 2.4), and a client that reads the first challenge only
 * and knows MD5 never comes in that way.
 *
 *     both ──wrong answer, no answer──▶ MD5 alone ──a day without a right answer, or three vain attempts──▶ both
 *
 * Names that no device has move alike, so that an offer says nothing of who exists.
 */
export class DigestOffers {
  readonly #known = new BoundedMap<string, Offer>(KNOWN);
  readonly #unknown = new BoundedMap<string, Offer>(UNKNOWN);

  algorithms({ deviceId, ha1, policy }: Offered, nowMs: number): readonly Algorithm[] {
    if (policy === 'sha256') return ['SHA-256'];
    if (policy === 'md5') return ['MD5'];
    const stored = ha1 === undefined ? ALGORITHMS : ALGORITHMS.filter((each) => ha1[each] !== undefined);
    const offer = this.#in(ha1).use(deviceId);
    return offer !== undefined && nowMs < offer.untilMs ? ['MD5'] : stored;
  }

  /** The response to a challenge was wrong. True: MD5 stands alone from now on. */
  wrong(device: Offered, attempt: Attempt, nowMs: number): boolean {
    if (!canFallBack(device)) return false;
    const offer = this.#offer(device);
    offer.asked = undefined;
    return this.#failed(offer, attempt, nowMs);
  }

  /**
   * A request without an answer, which is challenged now. True: it comes again after a challenge, so MD5 stands alone from now
   * on. `other`: it brings credentials, but no digest of ours.
   */
  unanswered(device: Offered, attempt: Attempt, other: boolean, nowMs: number): boolean {
    if (!canFallBack(device)) return false;
    const offer = this.#offer(device);
    const { asked } = offer;
    const again =
      asked?.source === attempt.source &&
      (other || asked.callId === attempt.callId || nowMs - asked.atMs >= IN_FLIGHT_MS);
    offer.asked = { ...attempt, atMs: nowMs };
    return again && this.#failed(offer, attempt, nowMs);
  }

  /** A right response. `named`: it says its algorithm. True: MD5 stands alone from now on. */
  right(device: Offered, algorithm: Algorithm, named: boolean, { source }: Attempt, nowMs: number): boolean {
    if (!canFallBack(device)) return false;
    const known = this.#known.use(device.deviceId);
    if (algorithm === 'SHA-256') {
      this.#known.set(device.deviceId, { ...BOTH, sha256: { source, atMs: nowMs } });
      return false;
    }
    const alone = known !== undefined && nowMs < known.untilMs;
    if (known !== undefined) known.asked = undefined;
    if (named && !alone) return false;
    const offer = this.#offer(device);
    Object.assign(offer, { untilMs: nowMs + MD5_ALONE_MS, proven: true, vain: 0 });
    return !alone;
  }

  #failed(offer: Offer, { source }: Attempt, nowMs: number): boolean {
    const { sha256 } = offer;
    if (nowMs < offer.untilMs) {
      if (!offer.proven && ++offer.vain >= VAIN_ATTEMPTS) offer.untilMs = 0;
      return false;
    }
    // Chosen: a stranger's wrong answer changes nothing for a device that answers by SHA-256 from elsewhere.
    if (sha256 !== undefined && sha256.source !== source && nowMs - sha256.atMs < MD5_ALONE_MS) return false;
    Object.assign(offer, { untilMs: nowMs + MD5_ALONE_MS, proven: false, vain: 0 });
    return true;
  }

  #in(ha1: StoredHa1 | undefined): BoundedMap<string, Offer> {
    return ha1 === undefined ? this.#unknown : this.#known;
  }

  #offer({ deviceId, ha1 }: Offered): Offer {
    const offers = this.#in(ha1);
    const known = offers.get(deviceId);
    if (known !== undefined) return known;
    const fresh: Offer = { ...BOTH };
    offers.set(deviceId, fresh);
    return fresh;
  }
}

const BOTH: Offer = { untilMs: 0, proven: false, vain: 0, asked: undefined, sha256: undefined };

/** Is there a choice: both hashes are stored, and the policy is `auto`? */
const canFallBack = ({ ha1, policy }: Offered): boolean =>
  policy === 'auto' && (ha1 === undefined || ALGORITHMS.every((algorithm) => ha1[algorithm] !== undefined));

/** The hashes that may prove the password. */
export function permitted(ha1: StoredHa1, policy: DigestPolicy): StoredHa1 {
  if (policy === 'auto') return ha1;
  return policy === 'sha256' ? { 'SHA-256': ha1['SHA-256'] } : { MD5: ha1.MD5 };
}
