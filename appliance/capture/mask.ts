/** Bytes that the capture looks for. */
export const SIGN = {
  tab: 9,
  lf: 10,
  cr: 13,
  space: 32,
  quote: 34,
  comma: 44,
  slash: 47,
  colon: 58,
  less: 60,
  equals: 61,
  question: 63,
  at: 64,
  backslash: 92,
} as const;

/** Makes a letter lower-case, and of no other sign a letter. */
export const LOWER = 0x20;
const MASK = 0x78; // x

/** Puts `x` in the place of these bytes. Line ends and white space stay, so that the message keeps its form. */
export function mask(bytes: Uint8Array, from: number, to: number): void {
  for (let at = from; at < to; at++) {
    const byte = bytes[at] ?? 0;
    if (byte !== SIGN.cr && byte !== SIGN.lf && byte !== SIGN.space && byte !== SIGN.tab) bytes[at] = MASK;
  }
}

/** The groups of a pattern become `x`. Latin-1, in which a byte is a sign: positions in the text are those of the bytes. */
export function maskGroups(bytes: Uint8Array, from: number, text: string, pattern: RegExp): void {
  for (const found of text.matchAll(pattern)) {
    for (const span of found.indices?.slice(1) ?? [])
      if (span !== undefined) mask(bytes, from + span[0], from + span[1]);
  }
}

/** Position of the byte, or `to`. */
export function positionOf(bytes: Uint8Array, wanted: number, from: number, to: number): number {
  let at = from;
  while (at < to && bytes[at] !== wanted) at++;
  return at;
}

export function skipSpace(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] ?? 0) <= SIGN.space) at++;
  return at;
}

export function wordEnd(bytes: Uint8Array, from: number, to: number): number {
  let at = from;
  while (at < to && (bytes[at] ?? 0) > SIGN.space) at++;
  return at;
}

/** No view is made of bytes that are a buffer already: it would cost more than the text. */
export const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  (bytes instanceof Buffer ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)).toString(
    'latin1',
    from,
    Math.max(from, to),
  );
