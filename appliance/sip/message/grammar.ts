/**
 * Signs of RFC 3261 25.1 as one table of bit classes, and the few scanners every field shares.
 *
 * Received text is scanned sign by sign, never by a regular expression: the cost of a message stays linear in
 * its length whatever was sent. Text is "wire text": one sign per byte (latin1), decoded to UTF-8 on demand.
 */
export const TOKEN = 1;
export const HEX = 2;
export const HOST = 4;
export const USER = 8;
export const PARAMETER = 16;
export const LWS = 32;
export const VALUE = 64;

const CLASS = new Uint8Array(256);
const mark = (signs: string, bit: number): void => {
  for (let i = 0; i < signs.length; i++) CLASS[signs.charCodeAt(i)] = (CLASS[signs.charCodeAt(i)] ?? 0) | bit;
};
const DIGITS = '0123456789';
const ALPHANUM = `${DIGITS}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ`;
const UNRESERVED = `${ALPHANUM}-_.!~*'()`;
mark(`${ALPHANUM}-.!%*_+\`'~`, TOKEN);
mark(`${DIGITS}abcdefABCDEF`, HEX);
// Interop: the underscore is not a host sign, but host names with it exist in private networks.
mark(`${ALPHANUM}-._`, HOST);
// Interop: `#` is not allowed unescaped in a user part (RFC 3261 25.1), yet telecare devices dial with it.
mark(`${UNRESERVED}%&=+$,;?/#`, USER);
mark(`${UNRESERVED}%[]/:&+$`, PARAMETER);
mark(' \t\r\n', LWS);
for (let code = 0x21; code < 256; code++) CLASS[code] = (CLASS[code] ?? 0) | VALUE;
for (const sign of ';,"<>\x7f') CLASS[sign.charCodeAt(0)] = (CLASS[sign.charCodeAt(0)] ?? 0) & ~VALUE;

/** Is the sign of this code in the class? False beyond the end of a text (NaN). */
export const is = (code: number, bit: number): boolean => ((CLASS[code] ?? 0) & bit) !== 0;

/** First position at or after `at` whose sign is not in the class. */
export function skip(text: string, at: number, to: number, bit: number): number {
  let i = at;
  while (i < to && ((CLASS[text.charCodeAt(i)] ?? 0) & bit) !== 0) i++;
  return i;
}

/** Last position after which only white space stands before `to`. */
export function trimEnd(text: string, from: number, to: number): number {
  let end = to;
  while (end > from && is(text.charCodeAt(end - 1), LWS)) end--;
  return end;
}

/** Position behind the closing quote of a quoted string that opens at `at`; -1 when it never closes. */
export function skipQuoted(text: string, at: number, to: number): number {
  for (let i = at + 1; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x5c) i++;
    else if (code === 0x22) return i + 1;
  }
  return -1;
}

/** Decimal number of text[from, to); -1 when a sign is no digit, nothing stands there, or it is over `max`. */
export function decimal(text: string, from: number, to: number, max: number): number {
  if (from >= to) return -1;
  let number = 0;
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return -1;
    number = number * 10 + (code - 0x30);
    if (number > max) return -1;
  }
  return number;
}

/** Does text[from, from + word.length) spell `word` (which is lower case ASCII), whatever its case? */
export function spells(text: string, from: number, word: string): boolean {
  for (let i = 0; i < word.length; i++) {
    let code = text.charCodeAt(from + i);
    if (code >= 0x41 && code <= 0x5a) code |= 0x20;
    if (code !== word.charCodeAt(i)) return false;
  }
  return true;
}

/** Inside of a quoted string with its escapes resolved; other text as it stands. */
export function unquote(text: string): string {
  if (text.charCodeAt(0) !== 0x22) return text;
  const inner = text.slice(1, -1);
  if (!inner.includes('\\')) return inner;
  let plain = '';
  for (let i = 0; i < inner.length; i++) {
    if (inner.charCodeAt(i) === 0x5c) i++;
    plain += inner.charAt(i);
  }
  return plain;
}

const BEYOND_ASCII = /[\x80-\xff]/;

/** Wire text to the text a person reads: UTF-8 (RFC 3261 7.3.1). */
export const fromWire = (text: string): string =>
  BEYOND_ASCII.test(text) ? Buffer.from(text, 'latin1').toString('utf8') : text;
