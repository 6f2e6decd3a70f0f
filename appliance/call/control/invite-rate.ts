interface Bucket {
  tokens: number;
  atMs: number;
}

/** INVITEs in a burst, and each second behind it. */
interface Rate {
  readonly burst: number;
  readonly perS: number;
}

/** Of one address, and of everybody together. */
export interface InviteRates {
  readonly source: Rate;
  readonly tenant: Rate;
}

/** Chosen: a trunk brings a whole town from one address; all together stay below what one core can set up in a second. */
const USUAL: InviteRates = {
  source: { burst: 500, perS: 100 },
  tenant: { burst: 1_000, perS: 250 },
};
const MOST_SOURCES = 10_000;
const RETRY_AFTER_S = 5;

/** How many new calls one source, and everybody together, may begin. Bounded: the source unseen longest is forgotten. */
export class InviteRate {
  /** Insertion order is order of use. */
  readonly #sources = new Map<string, Bucket>();
  readonly #rates: InviteRates | undefined;
  readonly #tenant: Bucket;

  /** `off`: as many as come. */
  constructor(rates: InviteRates | 'off' = USUAL) {
    this.#rates = rates === 'off' ? undefined : rates;
    this.#tenant = { tokens: this.#rates?.tenant.burst ?? 0, atMs: 0 };
  }

  /** Seconds after which the source may try again; undefined: this INVITE may go on. `nowMs`: monotonic. */
  refuses(source: string, nowMs: number): number | undefined {
    if (this.#rates === undefined) return undefined;
    const { source: ofSource, tenant: ofTenant } = this.#rates;
    const bucket = this.#sources.get(source) ?? { tokens: ofSource.burst, atMs: nowMs };
    this.#sources.delete(source);
    this.#sources.set(source, bucket);
    const [oldest] = this.#sources.keys();
    if (this.#sources.size > MOST_SOURCES && oldest !== undefined) this.#sources.delete(oldest);
    const allowed = draw(bucket, ofSource, nowMs) && draw(this.#tenant, ofTenant, nowMs);
    return allowed ? undefined : RETRY_AFTER_S;
  }
}

function draw(bucket: Bucket, { burst, perS }: Rate, nowMs: number): boolean {
  bucket.tokens = Math.min(burst, bucket.tokens + ((nowMs - bucket.atMs) / 1_000) * perS);
  bucket.atMs = nowMs;
  if (bucket.tokens < 1) return false;
  bucket.tokens--;
  return true;
}
