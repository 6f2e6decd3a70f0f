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
  /** The fault, when there is one: the lines before it are still good. */
  readonly fault: { readonly reason: string; readonly tooLarge: boolean } | undefined;
}

const CR = 0x0d;
const LF = 0x0a;
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
  let fault: Lines['fault'];
  while (at < length) {
    let end = at;
    while (end < length && bytes[end] !== LF && bytes[end] !== CR) end++;
    let next = end + 1;
    if (bytes[end] === CR) {
      if (bytes[next] === LF) next++;
      else {
        fault ??= { reason: 'CR inside a line', tooLarge: false };
        while (next < length && bytes[next - 1] !== LF) next++;
      }
    }
    if (end === at) return { positions: POSITIONS, count, bodyAt: next, fault };
    if (end - at > limit.line) fault ??= { reason: 'line over its limit', tooLarge: true };
    else if (count > limit.fields) {
      return {
        positions: POSITIONS,
        count,
        bodyAt: -1,
        fault: { reason: 'too many header lines', tooLarge: true },
      };
    } else {
      POSITIONS[count * 2] = at;
      POSITIONS[count * 2 + 1] = end;
      count++;
    }
    at = next;
  }
  return { positions: POSITIONS, count, bodyAt: -1, isUnended: true, fault };
}
