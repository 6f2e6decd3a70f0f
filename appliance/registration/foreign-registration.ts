/** Chosen: a device that moves from cell to cell is reported once in this time, and so is a stranger. */
const WINDOW_MS = 3_600_000;
/** Chosen: beyond so many devices in the window a person hears once that there are more. */
const MOST_REPORTED = 50;

/** Bounds the reports of devices that register from an address while another one holds a binding of theirs. */
export class ForeignRegistrations {
  readonly #reported = new Set<string>();
  #endsMs = 0;

  /** `each`: report this device; `more`: report that further ones stay unreported; undefined: nothing. */
  report(deviceId: string, nowMs: number): 'each' | 'more' | undefined {
    if (nowMs >= this.#endsMs) {
      this.#reported.clear();
      this.#endsMs = nowMs + WINDOW_MS;
    }
    if (this.#reported.size > MOST_REPORTED || this.#reported.has(deviceId)) return undefined;
    this.#reported.add(deviceId);
    return this.#reported.size > MOST_REPORTED ? 'more' : 'each';
  }
}
