/** Deadlines in slots of one second; setting, moving and removing one costs the same however many there are. */
export class DeadlineWheel {
  readonly #slotOf = new Map<string, number>();
  readonly #slots = new Map<number, Set<string>>();
  #turnedTo: number;

  constructor(nowMs: number) {
    this.#turnedTo = Math.floor(nowMs / 1000);
  }

  /** Undefined = none any more. */
  set(name: string, atMs: number | undefined): void {
    const before = this.#slotOf.get(name);
    // Rounded up: never early, at most a second late.
    const slot = atMs === undefined ? undefined : Math.max(this.#turnedTo + 1, Math.ceil(atMs / 1000));
    if (before === slot) return;
    if (before !== undefined) this.#slots.get(before)?.delete(name);
    if (slot === undefined) {
      this.#slotOf.delete(name);
      return;
    }
    this.#slotOf.set(name, slot);
    const names = this.#slots.get(slot);
    if (names === undefined) this.#slots.set(slot, new Set([name]));
    else names.add(name);
  }

  /** Takes out whatever is due. */
  turn(nowMs: number): string[] {
    const now = Math.floor(nowMs / 1000);
    const due: string[] = [];
    while (this.#turnedTo < now) {
      this.#turnedTo += 1;
      const names = this.#slots.get(this.#turnedTo);
      if (names === undefined) continue;
      this.#slots.delete(this.#turnedTo);
      for (const name of names) {
        this.#slotOf.delete(name);
        due.push(name);
      }
    }
    return due;
  }
}
