/** Four sub-blocks feed one judgement: three of the window, and one more of the window before. */
const REACH = 0b1111;
/** Chosen: after this many concealed sub-blocks in a row (60 ms) silence is silence. */
const PATIENCE = 12;

/**
 * Which judgements concealed audio touches: there phases leap, and a miss says nothing about the sound.
 *
 * ```
 *   sub-block   . . . . L L L L . . . . .      L = concealed
 *   touched     . . . . t t t t t t t . .
 * ```
 */
export class TornMark {
  #recent = 0;
  #inRow = 0;

  push(lost: boolean): void {
    this.#inRow = lost ? this.#inRow + 1 : 0;
    this.#recent = ((this.#recent << 1) | (lost ? 1 : 0)) & REACH;
  }

  get touched(): boolean {
    return this.#recent !== 0 && this.#inRow <= PATIENCE;
  }

  reset(): void {
    this.#recent = 0;
    this.#inRow = 0;
  }
}
