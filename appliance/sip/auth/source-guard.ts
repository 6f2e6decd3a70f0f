import { BoundedMap } from '#shared/bounded-map.ts';
import { networkOf } from '#shared/source-network.ts';

export interface GuardSettings {
  /** false: everything is let through (load tests). */
  readonly enabled: boolean;
  /** Challenges a source may leave unanswered before it is slowed, and again before it is ignored. */
  readonly allowance: number;
  /** Allowance that grows back. */
  readonly perSecond: number;
  /** A wrong password weighs as much as this many unanswered challenges. */
  readonly wrongCost: number;
  /** How late a slowed source gets its answer. */
  readonly delayMs: number;
  /** How long an ignored source is ignored. */
  readonly ignoreMs: number;
  readonly sources: number;
  /** A failure of the same device from the same source is reported once per window … */
  readonly errorWindowMs: number;
  /** … and at most so many failures of one source. */
  readonly errorsPerSource: number;
}

export const DEFAULT_GUARD: GuardSettings = {
  enabled: true,
  allowance: 1_000,
  perSecond: 10,
  wrongCost: 10,
  delayMs: 2_000,
  ignoreMs: 60_000,
  sources: 10_000,
  errorWindowMs: 600_000,
  errorsPerSource: 20,
};

export type Standing = 'open' | 'slowed' | 'ignored';

interface Source {
  /** allowance … 0: open, 0 … -allowance: slowed. */
  tokens: number;
  atMs: number;
  ignoredUntilMs: number;
  errorsFromMs: number;
  errors: number;
}

/**
 * A token bucket per source:
 *
 *     open ──allowance used up──> slowed ──used up again──> ignored ──ignoreMs──> slowed ──time──> open
 *
 * A challenge takes a token and a right answer brings it back, so ten thousand devices behind one address that
 * all register at once stay open: challenges without an answer and wrong passwords count.
 * Memory is bounded; a source pushed out starts again.
 */
export class SourceGuard {
  readonly #settings: GuardSettings;
  readonly #sources: BoundedMap<string, Source>;
  readonly #reportedMs: BoundedMap<string, number>;

  constructor(settings: GuardSettings = DEFAULT_GUARD) {
    this.#settings = settings;
    this.#sources = new BoundedMap(settings.sources);
    this.#reportedMs = new BoundedMap(settings.sources);
  }

  get delayMs(): number {
    return this.#settings.delayMs;
  }

  /** A challenge or refusal is about to be sent. */
  charge(address: string, kind: 'unanswered' | 'wrong' | 'scanner', nowMs: number): Standing {
    if (!this.#settings.enabled) return 'open';
    const source = this.#source(address, nowMs);
    if (nowMs < source.ignoredUntilMs) return 'ignored';
    const { allowance, wrongCost } = this.#settings;
    source.tokens -= kind === 'unanswered' ? 1 : kind === 'wrong' ? wrongCost : 2 * allowance;
    if (source.tokens > 0) return 'open';
    if (source.tokens > -allowance) return 'slowed';
    source.ignoredUntilMs = nowMs + this.#settings.ignoreMs;
    source.tokens = 0;
    return 'ignored';
  }

  /** A challenge was answered rightly. */
  redeem(address: string, nowMs: number): void {
    if (!this.#settings.enabled) return;
    const source = this.#source(address, nowMs);
    source.tokens = Math.min(this.#settings.allowance, source.tokens + 1);
  }

  /** @returns whether this failure may be reported: once per window for a device at a source, and few per source */
  mayTell(address: string, device: string, nowMs: number): boolean {
    const { errorWindowMs, errorsPerSource } = this.#settings;
    const key = `${address} ${device}`;
    const reportedMs = this.#reportedMs.use(key);
    if (reportedMs !== undefined && nowMs - reportedMs < errorWindowMs) return false;
    const source = this.#source(address, nowMs);
    if (nowMs - source.errorsFromMs >= errorWindowMs) {
      source.errorsFromMs = nowMs;
      source.errors = 0;
    }
    if (source.errors >= errorsPerSource) return false;
    source.errors++;
    this.#reportedMs.set(key, nowMs);
    return true;
  }

  #source(address: string, nowMs: number): Source {
    const { allowance, perSecond } = this.#settings;
    const key = networkOf(address);
    const source = this.#sources.use(key);
    if (source === undefined) {
      const fresh = { tokens: allowance, atMs: nowMs, ignoredUntilMs: 0, errorsFromMs: nowMs, errors: 0 };
      this.#sources.set(key, fresh);
      return fresh;
    }
    source.tokens = Math.min(allowance, source.tokens + ((nowMs - source.atMs) * perSecond) / 1_000);
    source.atMs = nowMs;
    return source;
  }
}
