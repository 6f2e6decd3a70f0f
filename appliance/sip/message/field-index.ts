import { FIELD, fieldOf } from './field-name.ts';
import { fromWire, is, LWS, skipQuoted, spells, TOKEN, trimEnd } from './grammar.ts';

/** A row is four numbers: field number, where its name begins, where its value begins and ends. */
const ROW = 4;
/** Rows of the message being read: one exact array is made of it when all are known. */
const SCRATCH: number[] = [];
export const MOST_VALUES = 1_024;
const FOLD = /\r?\n[ \t]/g;

/**
 * Where each header field of a message stands in its text. Nothing is copied when a message arrives; a value is cut out when a
 * caller asks for it.
 */
export class FieldIndex {
  #text: string;
  #rows: number[] = SCRATCH;
  #filled = 0;
  #folded = false;

  constructor(text: string) {
    this.#text = text;
  }

  /** Wire text of start line and header fields: one sign per byte. */
  get text(): string {
    return this.#text;
  }

  get count(): number {
    return this.#filled / ROW;
  }

  add(field: number, nameAt: number, valueAt: number, valueEnd: number): void {
    const at = this.#filled;
    this.#rows[at] = field;
    this.#rows[at + 1] = nameAt;
    this.#rows[at + 2] = valueAt;
    this.#rows[at + 3] = valueEnd;
    this.#filled = at + ROW;
  }

  /**
   * A line that begins with white space continues the value above it (RFC 3261 7.3.1). `valueAt`, `valueEnd`: its own text,
   * where a value begins whose first line is empty. A line of white space alone adds nothing.
   */
  extend(valueAt: number, valueEnd: number): void {
    this.#folded = true;
    if (valueAt >= valueEnd) return;
    const last = this.#filled;
    if (this.#rows[last - 2] === this.#rows[last - 1]) this.#rows[last - 2] = valueAt;
    this.#rows[last - 1] = valueEnd;
  }

  /**
   * To be called once, behind the last field: takes the rows out of the shared scratch, and puts spaces where
   * lines were folded, so that every position stays and no value ever holds a line end.
   */
  finish(): void {
    this.#rows = SCRATCH.slice(0, this.#filled);
    if (this.#folded) this.#text = this.#text.replace(FOLD, (fold) => ' '.repeat(fold.length));
  }

  /** First row of a field at or after `from`; -1 when there is none. */
  find(field: number, from = 0): number {
    for (let i = from * ROW; i < this.#filled; i += ROW) if (this.#rows[i] === field) return i / ROW;
    return -1;
  }

  /** First row at or after `from` whose field has this name, in full or compact form, in any case. */
  findName(name: string, from = 0): number {
    const field = fieldOf(name, 0, name.length);
    if (field !== FIELD.other) return this.find(field, from);
    let row = this.find(FIELD.other, from);
    if (row < 0) return -1;
    const wanted = name.toLowerCase();
    for (; row >= 0; row = this.find(FIELD.other, row + 1)) {
      const at = this.#rows[row * ROW + 1] ?? 0;
      if (spells(this.text, at, wanted) && !is(this.text.charCodeAt(at + wanted.length), TOKEN)) return row;
    }
    return -1;
  }

  valueAt(row: number): number {
    return this.#rows[row * ROW + 2] ?? 0;
  }

  valueEnd(row: number): number {
    return this.#rows[row * ROW + 3] ?? 0;
  }

  /** Name of a row's field as it stood. */
  name(row: number): string {
    const at = this.#rows[row * ROW + 1] ?? 0;
    let end = at;
    while (is(this.text.charCodeAt(end), TOKEN)) end++;
    return this.text.slice(at, end);
  }

  /** Value of a row as wire text. */
  raw(row: number): string {
    return this.#text.slice(this.valueAt(row), this.valueEnd(row));
  }

  /** Value of the first field of this number as wire text. */
  rawOf(field: number): string | undefined {
    const row = this.find(field);
    return row < 0 ? undefined : this.raw(row);
  }

  /** Value of the first field of this name in UTF-8. */
  value(name: string): string | undefined {
    const row = this.findName(name);
    return row < 0 ? undefined : fromWire(this.raw(row));
  }

  /** Value of every field of this name in UTF-8, one entry per line. */
  values(name: string): string[] {
    const found: string[] = [];
    for (let row = this.findName(name); row >= 0; row = this.findName(name, row + 1)) {
      found.push(fromWire(this.raw(row)));
    }
    return found;
  }

  /** Every field in UTF-8, its name as it stood; lines of one name stand together, where the first of them stood. */
  entries(): [name: string, value: string][] {
    const found: [string, string][] = [];
    const keys: (string | number)[] = [];
    for (let row = 0; row < this.count; row++) {
      const field = this.#rows[row * ROW] ?? FIELD.other;
      const name = this.name(row);
      const key = field === FIELD.other ? name.toLowerCase() : field;
      const twin = keys.lastIndexOf(key);
      const value = fromWire(this.raw(row));
      if (twin < 0) {
        keys.push(key);
        found.push([name, value]);
      } else {
        keys.splice(twin + 1, 0, key);
        found.splice(twin + 1, 0, [found[twin]?.[0] ?? name, value]);
      }
    }
    return found;
  }

  /**
   * All values of a list field, in order, one line or many (RFC 3261 7.3.1); empty ones are left out.
   * Chosen: 1,024 of them at most. No field holds so many, and 28,000 option tags would cost over 5 ms.
   */
  list(name: string): string[] {
    const parts: string[] = [];
    for (const value of this.values(name)) splitList(value, parts);
    return parts;
  }
}

/**
 * Cuts a list at commas that stand outside quotes and angle brackets. Where one of those never closes, the rest
 * is one value: looking for its end again and again would cost the square of the length.
 */
function splitList(value: string, parts: string[]): void {
  const { length } = value;
  let from = 0;
  for (let i = 0; i <= length && parts.length < MOST_VALUES; i++) {
    const code = value.charCodeAt(i);
    if (code === 0x22) {
      const past = skipQuoted(value, i, length);
      i = past < 0 ? length : past - 1;
    } else if (code === 0x3c) {
      const close = value.indexOf('>', i);
      i = close < 0 ? length : close;
    }
    if (i === length || code === 0x2c) {
      while (from < i && is(value.charCodeAt(from), LWS)) from++;
      const end = trimEnd(value, from, i);
      if (end > from) parts.push(value.slice(from, end));
      from = i + 1;
    }
  }
}
