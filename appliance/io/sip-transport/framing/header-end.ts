const CR = 13;
const LF = 10;

/**
 * Index after the blank line that ends the header fields, or -1. `from` is where the last search stopped, so
 * that a message dripping in byte by byte is looked at once and not once per byte.
 * Interop: lines may end in LF alone, as the parser takes them; a sender of such lines would wait for an answer for ever.
 */
export function headerEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(LF, Math.max(0, from - 3)); at >= 0; at = bytes.indexOf(LF, at + 1)) {
    if (bytes[at + 1] === LF) return at + 2;
    if (bytes[at + 1] === CR && bytes[at + 2] === LF) return at + 3;
  }
  return -1;
}

export type BodyLength =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'absent' }
  /** No number, two different ones, or more digits than a message has bytes. */
  | { readonly kind: 'invalid' };

/**
 * The Content-Length (compact form `l`, RFC 3261 7.3.3) in a complete header section. Folded lines and blanks
 * before the colon are legal (RFC 3261 7.3.1). Two fields that differ are invalid: whichever we took, an element upstream could
 * have taken the other and seen a different message behind it.
 */
export function bodyLength(header: Buffer): BodyLength {
  let found: number | undefined;
  let line = header.indexOf(LF) + 1;
  while (line > 0 && line < header.length) {
    const next = header.indexOf(LF, line) + 1;
    const colon = lengthColon(header, line);
    if (colon > 0) {
      const value = digits(header, colon + 1);
      if (value < 0 || (found !== undefined && found !== value)) return { kind: 'invalid' };
      found = value;
    }
    line = next;
  }
  return found === undefined ? { kind: 'absent' } : { kind: 'length', bytes: found };
}

const NAME = 'content-length';

/** Index of the colon if the line at `at` is a Content-Length field, else -1. */
function lengthColon(header: Buffer, at: number): number {
  let length = 0;
  const first = (header[at] ?? 0) | 0x20;
  if (first === 0x6c) length = 1;
  else if (first === 0x63 && header.toString('latin1', at, at + NAME.length).toLowerCase() === NAME)
    length = NAME.length;
  else return -1;
  let colon = at + length;
  while (isBlank(header[colon])) colon++;
  return header[colon] === 0x3a ? colon : -1;
}

/** The decimal number at `at` with blanks and folds around it; -1 for anything else, also beyond nine digits. */
function digits(header: Buffer, at: number): number {
  let i = skipBlank(header, at);
  const start = i;
  let value = 0;
  for (let byte = header[i]; byte !== undefined && byte >= 0x30 && byte <= 0x39; byte = header[++i]) {
    value = value * 10 + byte - 0x30;
    if (i - start >= 9) return -1;
  }
  if (i === start) return -1;
  i = skipBlank(header, i);
  return lineEnd(header, i) > 0 ? value : -1;
}

function skipBlank(header: Buffer, at: number): number {
  let i = at;
  for (;;) {
    const folded = lineEnd(header, i);
    if (isBlank(header[i])) i++;
    else if (folded > 0 && isBlank(header[i + folded])) i += folded + 1;
    else return i;
  }
}

/** Bytes of the line end at `at`; 0: none stands there. */
function lineEnd(header: Buffer, at: number): number {
  if (header[at] === LF) return 1;
  return header[at] === CR && header[at + 1] === LF ? 2 : 0;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;
