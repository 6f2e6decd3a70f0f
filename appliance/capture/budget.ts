import { keyHash } from './message.ts';

const DAY_MS = 86_400_000;
/** Chosen: 2 GB, so that a ring written over and over wears no flash out within its years. */
const DAY_BYTES = 2_000_000_000;
/** From here on one conversation of sixteen is kept. */
const WHOLE = 0.9;
const SAMPLED = 16;

/** The bytes that a day may write. Beyond nine tenths of it whole conversations are left out, never messages within one. */
export class DayBudget {
  readonly #bytes: number;
  #day = 0;
  #written = 0;

  /** @param bytes seen by tests */
  constructor(bytes = DAY_BYTES) {
    this.#bytes = bytes;
  }

  /** May a message of this conversation be written at this time? If so it is counted. */
  takes(key: string, bytes: number, atMs: number): boolean {
    const day = Math.floor(atMs / DAY_MS);
    // Only forward: a clock that is set back and forth gives no second budget.
    if (day > this.#day) {
      this.#day = day;
      this.#written = 0;
    }
    const after = this.#written + bytes;
    if (after > this.#bytes) return false;
    if (after > this.#bytes * WHOLE && keyHash(key) % SAMPLED !== 0) return false;
    this.#written = after;
    return true;
  }
}
