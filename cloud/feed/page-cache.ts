/** A page that some host was asked to fetch. */
interface Kept {
  readonly bytes: Uint8Array;
  /** `scope owner` of whoever may have it. */
  readonly audiences: Set<string>;
  /** When it was made or asked for last, epoch ms. */
  askedAt: number;
}

/** Pages are made again on the next question for a manifest; keeping them only saves that, and `SharedPages` has those of other replicas. */
const BYTES_KEPT = 64 * 1_048_576;

/** Pages by hash, the ones least recently asked for thrown out first. */
export class PageCache {
  readonly #pages = new Map<string, Kept>();
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  put(sha256: string, bytes: Uint8Array, audience: string): void {
    const known = this.#pages.get(sha256);
    if (known !== undefined) {
      known.audiences.add(audience);
      this.#touch(sha256, known);
      return;
    }
    this.#pages.set(sha256, { bytes, audiences: new Set([audience]), askedAt: this.#nowMs() });
    this.#bytes += bytes.length;
    for (const [name, page] of this.#pages) {
      if (this.#bytes <= BYTES_KEPT || name === sha256) break;
      this.#drop(name, page);
    }
  }

  /** Forgets pages that no host has asked for since then: a fleet that was set up has one or two for each host. */
  forget(before: number): void {
    for (const [name, page] of this.#pages) {
      if (page.askedAt >= before) return;
      this.#drop(name, page);
    }
  }

  /** Undefined when it is not there, or made for another host. */
  get(sha256: string, audiences: readonly string[]): Uint8Array | undefined {
    const page = this.#pages.get(sha256);
    if (page === undefined || !audiences.some((audience) => page.audiences.has(audience))) return undefined;
    this.#touch(sha256, page);
    return page.bytes;
  }

  #drop(sha256: string, { bytes }: Kept): void {
    this.#pages.delete(sha256);
    this.#bytes -= bytes.length;
  }

  #touch(sha256: string, page: Kept): void {
    page.askedAt = this.#nowMs();
    this.#pages.delete(sha256);
    this.#pages.set(sha256, page);
  }
}
