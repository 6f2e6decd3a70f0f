/**
 * The character NUL in texts. PostgreSQL stores none (its manual, 8.3), C strings end at it, and no name, number or
 * sentence has one: people's texts with it are refused, and those of hosts and devices lose it.
 */
const NUL = '\0';
/** NUL in the text of a JSON document: JSON has it as an escape only (RFC 8259 7). */
const ESCAPED = '\\u0000';

/**
 * The JSON pointer of the first text with NUL, or of the object that has such a name, in a JSON text.
 *
 * @returns undefined without one, and for a text that is no JSON.
 */
export function nulPlace(json: string): string | undefined {
  if (!json.includes(ESCAPED)) return undefined;
  try {
    return placeIn(JSON.parse(json), '');
  } catch {
    return undefined;
  }
}

function placeIn(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return value.includes(NUL) ? path : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, member] of Object.entries(value)) {
    if (name.includes(NUL)) return path;
    const found = placeIn(member, `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** An escaped NUL; a backslash before it that is escaped itself belongs to the text. */
const ESCAPE = /(?<!\\)((?:\\\\)*)\\u0000/g;

/** The value of a JSON text with U+FFFD for each NUL, in names too. Throws as `JSON.parse` does. */
export const parseWithoutNul = (json: string): unknown =>
  JSON.parse(json.includes(ESCAPED) ? json.replace(ESCAPE, '$1\\ufffd') : json);
