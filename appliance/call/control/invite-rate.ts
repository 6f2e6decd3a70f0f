import { type Rates, SourceBuckets, TokenBucket } from '../../kernel/token-bucket.ts';

export type InviteRates = Rates;

/** Chosen: a trunk brings a whole town from one address; all together stay below what one core can set up in a second. */
const USUAL: InviteRates = {
  source: { burst: 500, perS: 100 },
  tenant: { burst: 1_000, perS: 250 },
};
const RETRY_AFTER_S = 5;

/**
 * How many new calls one source, and everybody together, may begin. Only a caller that was let in counts for everybody:
 * strangers who are challenged must not use up what known devices call with.
 */
export class InviteRate {
  readonly #sources: SourceBuckets | undefined;
  readonly #tenant: TokenBucket | undefined;

  /** `off`: as many as come. */
  constructor(rates: InviteRates | 'off' = USUAL) {
    this.#sources = rates === 'off' ? undefined : new SourceBuckets(rates.source);
    this.#tenant = rates === 'off' ? undefined : new TokenBucket(rates.tenant);
  }

  /** Seconds after which the source may try again; undefined: this INVITE may go on. `nowMs`: monotonic. */
  refuses(source: string, nowMs: number): number | undefined {
    if (this.#sources === undefined) return undefined;
    return this.#sources.of(source).draw(nowMs) ? undefined : RETRY_AFTER_S;
  }

  /** The same for a caller that was let in, as one of everybody. */
  refusesKnown(nowMs: number): number | undefined {
    return this.#tenant?.draw(nowMs) === false ? RETRY_AFTER_S : undefined;
  }
}
