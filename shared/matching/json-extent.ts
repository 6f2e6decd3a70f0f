/** Room a JSON value takes. */
export interface Extent {
  /** UTF-8 bytes of its text, and one more for each container, since every entry is counted with a comma. */
  readonly bytes: number;
  /** Containers inside each other; 0 of a text, number, truth value or null. */
  readonly depth: number;
}

/** Measures a value without writing it; stops once it has found more than `most` bytes. */
export function extentOf(value: unknown, most: number): Extent {
  if (typeof value === 'string') return { bytes: bytesOf(value, most), depth: 0 };
  if (typeof value !== 'object' || value === null) return { bytes: String(value).length, depth: 0 };
  let bytes = 2;
  let depth = 0;
  const add = (entry: unknown, name: number): boolean => {
    const inner = extentOf(entry, most - bytes);
    bytes += name + inner.bytes + 1;
    depth = Math.max(depth, inner.depth);
    return bytes <= most;
  };
  if (Array.isArray(value)) value.every((entry) => add(entry, 0));
  else for (const name in value) if (!add((value as Record<string, unknown>)[name], nameBytes(name))) break;
  return { bytes, depth: depth + 1 };
}

/** A name with its quotes and its colon. */
export const nameBytes = (name: string): number => bytesOf(name, Number.POSITIVE_INFINITY) + 1;

/** A text with its quotes and escapes, as `JSON.stringify` writes it. */
function bytesOf(text: string, most: number): number {
  let bytes = 2;
  for (let at = 0; at < text.length && bytes <= most; at++) {
    const unit = text.charCodeAt(at);
    if (unit < 0x20) bytes += SHORT_ESCAPES.has(unit) ? 2 : 6;
    else if (unit < 0x80) bytes += unit === 0x22 || unit === 0x5c ? 2 : 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (isPair(unit, text.charCodeAt(at + 1))) {
      bytes += 4;
      at += 1;
    } else bytes += 6;
  }
  return bytes;
}

const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d]);

const isPair = (first: number, second: number): boolean =>
  first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff;
