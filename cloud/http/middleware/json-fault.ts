const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const [OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [0x7b, 0x7d, 0x5b, 0x5d];
const SHOWN = 60;

/**
 * Finds the faults that a parser of JSON would pass over in silence: nesting deeper than `deepest`, and a name that stands
 * twice in one object, of which one reader takes the first and another the last (RFC 8259 4, RFC 7493 2.3). Undefined =
 * neither. Every text is accepted here; text that is no JSON at all is refused later.
 */
export function jsonFault(text: string, deepest: number): string | undefined {
  /** Names of the objects that are open; null for a list. */
  const open: (Set<string> | null)[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      const end = endOfString(text, at);
      const names = open.at(-1);
      if (names && isName(text, end)) {
        const name = textOf(text.slice(at, end));
        if (names.has(name))
          return `The body is refused: one object has the name ${JSON.stringify(name.slice(0, SHOWN))} twice. Remove one of the two.`;
        names.add(name);
      }
      at = end - 1;
    } else if (sign === OPEN_OBJECT || sign === OPEN_LIST) {
      if (open.length === deepest)
        return `The body is refused: it is nested deeper than ${deepest} levels. Send a flatter document.`;
      open.push(sign === OPEN_OBJECT ? new Set() : null);
    } else if (sign === CLOSE_OBJECT || sign === CLOSE_LIST) open.pop();
  }
  return undefined;
}

/** Behind the closing quote of the string that begins at `from`, or the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === BACKSLASH) at += 1;
    else if (sign === QUOTE) return at + 1;
  }
  return text.length;
}

/** Whether a colon comes next, and only white space before it. */
function isName(text: string, from: number): boolean {
  for (let at = from; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === COLON) return true;
    if (sign !== 0x20 && sign !== 0x09 && sign !== 0x0a && sign !== 0x0d) return false;
  }
  return false;
}

/** `"a"` and `"\u0061"` are one name. */
function textOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
