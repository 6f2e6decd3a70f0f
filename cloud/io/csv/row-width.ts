const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Cells of one row; a device has fewer than a hundred fields. */
export const MOST_CELLS = 1_000;

/**
 * Watches the bytes in front of the parser, which bounds the length of a row by what stands in its cells: 10 MB of
 * delimiters would become ten million empty ones.
 */
export class RowWidth {
  readonly #delimiter: number;
  /** As the parser takes it the first line end says what ends all rows; another one is text in a cell. */
  #rowEnd: 'lf' | 'crlf' | 'cr' | undefined;
  #before: number | undefined;
  #isQuoted = false;
  #delimiters = 0;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  /** Where in the piece the row begins that has too many cells (0 = in the piece or before it); undefined: there is none. */
  tooWideAt(piece: Uint8Array): number | undefined {
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const byte = piece[at];
      if (byte === QUOTE) this.#isQuoted = !this.#isQuoted;
      else if (!this.#isQuoted) {
        if (this.#endsRow(byte)) {
          this.#delimiters = 0;
          start = at + 1;
        } else if (byte === this.#delimiter) this.#delimiters += 1;
        if (this.#delimiters >= MOST_CELLS) return start;
      }
      this.#before = byte;
    }
    return undefined;
  }

  #endsRow(byte: number | undefined): boolean {
    const isBehindCr = this.#before === CARRIAGE_RETURN;
    if (this.#rowEnd === undefined) {
      if (byte === LINE_FEED) this.#rowEnd = isBehindCr ? 'crlf' : 'lf';
      else if (isBehindCr) this.#rowEnd = 'cr';
      // Whether LF follows shows with the next byte.
      else return byte === CARRIAGE_RETURN;
    }
    if (this.#rowEnd === 'cr') return byte === CARRIAGE_RETURN;
    return byte === LINE_FEED && (this.#rowEnd === 'lf' || isBehindCr);
  }
}
