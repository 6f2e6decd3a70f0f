import type { Limit } from './limit.ts';

/** Where the lines of start line and header fields stand, found on the bytes before anything is decoded. */
export interface Lines {
  /** Start and end of each line without its line end, two numbers each. Shared: read it before the next cut. */
  readonly positions: readonly number[];
  /** Lines found, the start line included. */
  readonly count: number;
  /** First byte behind the empty line; -1 when none was found. */
  readonly bodyAt: number;
  /** The bytes end before an empty line does. */
  readonly isUnended?: true;
  /** A control sign stands in them that is no line end and no tab. Not known of lines with a fault. */
  readonly hasStray: boolean;
  /** The fault, when there is one: the lines before it are still good. */
  readonly fault: { readonly reason: string; readonly tooLarge: boolean } | undefined;
}

const TAB = 0x09;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const DELETE = 0x7f;
/** Filled again by every cut: a message costs no array of its own here. */
const POSITIONS: number[] = [];

/**
 * Cuts a message into lines, in one pass, up to the empty line.
 * Interop: a line may end in LF alone. A CR anywhere but in front of LF is refused (RFC 3261 7: bare CR is no
 * line end, and whoever reads it as one could be shown other header fields than we are).
 */
export function cutLines(bytes: Uint8Array, limit: Limit): Lines {
  const { length } = bytes;
  let at = 0;
  // RFC 3261 7.5: empty lines in front of the start line are ignored.
  while (at < length && (bytes[at] === CR || bytes[at] === LF)) at++;
  let count = 0;
  let hasStray = false;
  let fault: Lines['fault'];
  while (at < length) {
    let end = at;
    for (; end < length; end++) {
      const byte = bytes[end] ?? 0;
      if (byte >= SPACE && byte !== DELETE) continue;
      if (byte === LF || byte === CR) break;
      if (byte !== TAB) hasStray = true;
    }
    let next = end + 1;
    if (bytes[end] === CR) {
      if (bytes[next] === LF) next++;
      else {
        fault ??= { reason: 'CR inside a line', tooLarge: false };
        while (next < length && bytes[next - 1] !== LF) next++;
      }
    }
    if (end === at) return { positions: POSITIONS, count, bodyAt: next, hasStray, fault };
    if (end - at > limit.line) fault ??= { reason: 'line over its limit', tooLarge: true };
    else if (count > limit.fields) {
      return {
        positions: POSITIONS,
        count,
        bodyAt: -1,
        hasStray,
        fault: { reason: 'too many header lines', tooLarge: true },
      };
    } else {
      POSITIONS[count * 2] = at;
      POSITIONS[count * 2 + 1] = end;
      count++;
    }
    at = next;
  }
  return { positions: POSITIONS, count, bodyAt: -1, isUnended: true, hasStray, fault };
}
