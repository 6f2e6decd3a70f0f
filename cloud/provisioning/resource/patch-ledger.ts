import { JSON_MOST_BYTES, JSON_MOST_DEPTH, type JsonPatch } from '#shared/contract/provisioning/index.ts';
import { type Extent, extentOf, nameBytes } from '#shared/matching/index.ts';

type Step = JsonPatch[number];

/** Largest result, and how much all copies, moves and shifts of one patch may handle together. */
export interface PatchLimit {
  readonly bytes: number;
  readonly depth: number;
  readonly work: number;
}

const PATCH_LIMIT: PatchLimit = {
  bytes: JSON_MOST_BYTES,
  depth: JSON_MOST_DEPTH,
  work: 4 * JSON_MOST_BYTES,
};

/** Where a step acts: the list or object around its place, and the value that stands there now. */
export interface Place {
  readonly parent: unknown;
  readonly name: string | undefined;
  readonly depth: number;
  readonly value: unknown;
}

export interface Overrun {
  readonly code: 'tooLarge' | 'invalid';
  readonly reason: string;
}

/**
 * Keeps account of a document while a patch is applied to it: every step is asked for before it is done, for a copy into
 * itself doubles what was sent with each step.
 */
export class PatchLedger {
  readonly #limit: PatchLimit;
  /** A document that was larger before may stay so, and become smaller. */
  readonly #most: number;
  #bytes: number;
  #work = 0;

  constructor(document: unknown, limit: PatchLimit = PATCH_LIMIT) {
    this.#limit = limit;
    this.#bytes = extentOf(document, Number.POSITIVE_INFINITY).bytes;
    this.#most = Math.max(limit.bytes, this.#bytes);
  }

  /** Why the step is not done, or null; then it is booked. `value`: what is put there, of add, replace and copy. */
  record(step: Step, place: Place, value: unknown): Overrun | null {
    // One that holds costs what was sent, and one that does not ends the patch.
    if (step.op === 'test') return null;
    const isListEntry = Array.isArray(place.parent) && step.op !== 'replace';
    const shifted = isListEntry ? this.#labour(shiftOf(place)) : null;
    if (shifted !== null) return shifted;
    const freed = isListEntry && step.op !== 'remove' ? 0 : entryBytes(place);
    if (step.op === 'remove') {
      this.#bytes -= freed;
      return null;
    }
    return this.#grow(place, extentOf(value, this.#most), freed, step.op === 'copy');
  }

  /** A value that is taken out and put in elsewhere is walked, although nothing grows by it. */
  countMove(value: unknown): Overrun | null {
    return this.#labour(extentOf(value, this.#most).bytes);
  }

  #grow(place: Place, { bytes, depth }: Extent, freed: number, isCopy: boolean): Overrun | null {
    const { name, parent } = place;
    const entry = bytes + (name === undefined ? 0 : 1 + (Array.isArray(parent) ? 0 : nameBytes(name)));
    const after = this.#bytes - freed + entry;
    if (after > this.#most && after > this.#bytes)
      return {
        code: 'tooLarge',
        reason:
          `the document has ${this.#bytes} bytes and would be larger than ${this.#most} by this operation; ` +
          'put less into it, or divide it among several resources. Nothing was changed.',
      };
    if (place.depth + depth > this.#limit.depth)
      return {
        code: 'invalid',
        reason: `the document would be nested deeper than ${this.#limit.depth}; put the value further up.`,
      };
    const labour = isCopy ? this.#labour(bytes) : null;
    if (labour === null) this.#bytes = after;
    return labour;
  }

  #labour(bytes: number): Overrun | null {
    this.#work += bytes;
    if (this.#work <= this.#limit.work) return null;
    return {
      code: 'tooLarge',
      reason:
        `the operations up to here copy, move and shift more than ${this.#limit.work} bytes together; ` +
        'send fewer of them, or PUT the whole document. Nothing was changed.',
    };
  }
}

/** Bytes that go when the place is emptied: none where nothing stands. */
function entryBytes({ parent, name, value }: Place): number {
  if (value === undefined) return 0;
  const { bytes } = extentOf(value, Number.POSITIVE_INFINITY);
  if (name === undefined) return bytes;
  return bytes + 1 + (Array.isArray(parent) ? 0 : nameBytes(name));
}

/** Entries of a list that make room, or close up. */
function shiftOf({ parent, name }: Place): number {
  const { length } = parent as readonly unknown[];
  return name === '-' ? 0 : Math.max(0, length - Number(name));
}
