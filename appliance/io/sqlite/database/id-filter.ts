/** Places that each id marks. */
const MARKS = 4;

/**
 * Remembers in a fixed memory which ids were added (a Bloom filter). `mayHave` never says no of one that was; with ten bits for each
 * id it says yes of one in a hundred that was not.
 */
export class IdFilter {
  readonly #words: Uint32Array;
  readonly #mask: number;

  /** `bits`: a power of two. */
  constructor(bits: number) {
    this.#words = new Uint32Array(bits / 32);
    this.#mask = bits - 1;
  }

  add(id: string): void {
    const step = stepOf(id);
    let place = hashOf(id);
    for (let mark = 0; mark < MARKS; mark++, place += step) {
      const bit = place & this.#mask;
      const word = bit >>> 5;
      this.#words[word] = (this.#words[word] ?? 0) | (1 << (bit & 31));
    }
  }

  mayHave(id: string): boolean {
    const step = stepOf(id);
    let place = hashOf(id);
    for (let mark = 0; mark < MARKS; mark++, place += step) {
      const bit = place & this.#mask;
      if (((this.#words[bit >>> 5] ?? 0) & (1 << (bit & 31))) === 0) return false;
    }
    return true;
  }
}

/** FNV-1a, 32 bits. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

/** A second hash, odd, so that the places of an id differ. */
function stepOf(id: string): number {
  let hash = 0;
  for (let at = 0; at < id.length; at++) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0;
  return (hash ^ (hash >>> 15)) | 1;
}
