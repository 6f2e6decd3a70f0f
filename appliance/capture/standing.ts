/** Requests of a source that we accepted, less those that we did not; a source with a credit is known. */
const MOST_CREDIT = 64;
const SOURCES = 20_000;

/**
 * Which sources are known to this host: those whose requests it accepts. A request costs a source one credit and an acceptance gives
 * three back, so a source that sends many and has few accepted becomes a stranger again. A stranger takes no place here: a flood from
 * forged addresses forgets no device.
 */
export class Standing {
  /** Two generations, so that the sources that are silent longest are forgotten without a list of them. */
  #young = new Map<string, number>();
  #old = new Map<string, number>();

  isKnown(address: string): boolean {
    return (this.#young.get(address) ?? this.#old.get(address) ?? 0) > 0;
  }

  asked(address: string): void {
    const credit = this.#young.get(address) ?? this.#old.get(address) ?? 0;
    if (credit > 0) this.#keep(address, credit - 1);
  }

  accepted(address: string, credits = 3): void {
    const credit = this.#young.get(address) ?? this.#old.get(address) ?? 0;
    this.#keep(address, Math.min(MOST_CREDIT, credit + credits));
  }

  #keep(address: string, credit: number): void {
    if (!this.#young.has(address) && this.#young.size >= SOURCES / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(address, credit);
  }
}
