/** Chosen: a device that moves from cell to cell is reported once in this time, and so is a stranger. */
const WINDOW_MS = 3_600_000;
/** Chosen: beyond so many devices in the window a person hears once that there are more. */
const MOST_TOLD = 50;

/** Bounds the reports of devices that register from an address while another one holds a binding of theirs. */
export class ForeignRegistrations {
  readonly #told = new Set<string>();
  #endsMs = 0;

  /** `each`: report this device; `more`: report that further ones stay unreported; undefined: nothing. */
  report(deviceId: string, nowMs: number): 'each' | 'more' | undefined {
    if (nowMs >= this.#endsMs) {
      this.#told.clear();
      this.#endsMs = nowMs + WINDOW_MS;
    }
    if (this.#told.size > MOST_TOLD || this.#told.has(deviceId)) return undefined;
    this.#told.add(deviceId);
    return this.#told.size > MOST_TOLD ? 'more' : 'each';
  }
}
