/** Changes of the process behind one identity, as births tell them. */
interface Seen {
  readonly inst: string;
  readonly atMs: number;
}

const WITHIN_MS = 5 * 60_000;
const TAKEOVERS = 3;
/** Without a take-over for so long, the second machine has stopped. */
const CALM_MS = 30 * 60_000;

/**
 * Two machines with one identity take each other's connection (control plane, section 3.2): three take-overs in 5 min
 * between processes that alternate. A process that started again is never followed by its former self.
 */
export class IdentityTable {
  readonly #seen = new Map<string, readonly Seen[]>();
  readonly #proven = new Map<string, number>();

  /** Whether this birth proves that two machines use the identity. */
  born(uid: string, inst: string, nowMs: number): boolean {
    const before = (this.#seen.get(uid) ?? []).filter(({ atMs }) => atMs > nowMs - WITHIN_MS);
    if (before.at(-1)?.inst === inst) {
      // The same process again: whatever came before it stays in view, no take-over is added.
      this.#seen.set(uid, before);
      return false;
    }
    const now = [...before, { inst, atMs: nowMs }];
    this.#seen.set(uid, now.slice(-TAKEOVERS - 1));
    const proven = before.some((seen) => seen.inst === inst) && now.length > TAKEOVERS;
    if (proven) this.#proven.set(uid, nowMs);
    return proven;
  }

  /** Identities that only one machine uses again; each is given once. */
  calmed(nowMs: number): string[] {
    const calm = [...this.#proven].filter(([, atMs]) => nowMs - atMs >= CALM_MS).map(([uid]) => uid);
    for (const uid of calm) this.#proven.delete(uid);
    return calm;
  }
}
