/** One report for each device in this time (decisions 3). */
const QUIET_MS = 600_000;
/** Chosen: devices remembered at once; beyond it the oldest may be reported again. */
const MOST = 20_000;

/** Remembers what was reported to a person, so that each sender is reported at most once in a while, ten minutes by default. */
export class ReportMemory {
  readonly #quietMs: number;
  /** Insertion order is order of time. */
  readonly #reportedMs = new Map<string, number>();

  constructor(quietMs: number = QUIET_MS) {
    this.#quietMs = quietMs;
  }

  /** Whether to report this sender now. `at`: monotonic ms. */
  report(tenant: string, deviceId: string, at: number): boolean {
    for (const [key, reportedMs] of this.#reportedMs) {
      if (at - reportedMs < this.#quietMs && this.#reportedMs.size < MOST) break;
      this.#reportedMs.delete(key);
    }
    const key = `${tenant}\n${deviceId}`;
    if (this.#reportedMs.has(key)) return false;
    this.#reportedMs.set(key, at);
    return true;
  }
}
