import { fromWire, is, LWS, skip, skipQuoted, TOKEN, unquote, VALUE } from './grammar.ts';

/** One `;name=value` of a header field; name in lower case, value as it stood (quoted strings with quotes). */
export interface Parameter {
  readonly name: string;
  readonly raw: string | undefined;
}

export type Parameters = readonly Parameter[];

export const NO_PARAMETERS: Parameters = [];

/** Value of a parameter, unquoted and in UTF-8; '' for a flag without a value, undefined when absent. */
export function parameter(parameters: Parameters, name: string): string | undefined {
  for (const each of parameters) {
    if (each.name === name) return each.raw === undefined ? '' : fromWire(unquote(each.raw));
  }
  return undefined;
}

/** Chosen: a value with more is malformed. Real ones have under ten, and a datagram has room for 28,000. */
export const MOST_PARAMETERS = 128;

/**
 * Reads `*( SEMI generic-param )` (RFC 3261 25.1) from `at`, pushing each into `found`.
 * Answers the position of the first sign that is no part of it (a comma or `to`), -1 when malformed.
 */
export function scanParameters(text: string, at: number, to: number, found: Parameter[]): number {
  let i = skip(text, at, to, LWS);
  while (i < to && text.charCodeAt(i) === 0x3b) {
    const start = skip(text, i + 1, to, LWS);
    const end = skip(text, start, to, TOKEN);
    if (end === start || found.length === MOST_PARAMETERS) return -1;
    const name = text.slice(start, end).toLowerCase();
    i = skip(text, end, to, LWS);
    if (text.charCodeAt(i) !== 0x3d || i >= to) {
      found.push({ name, raw: undefined });
      continue;
    }
    const from = skip(text, i + 1, to, LWS);
    const quoted = text.charCodeAt(from) === 0x22;
    const past = quoted ? skipQuoted(text, from, to) : skip(text, from, to, VALUE);
    if (past <= from || past > to) return -1;
    found.push({ name, raw: text.slice(from, past) });
    i = skip(text, past, to, LWS);
  }
  return i === to || is(text.charCodeAt(i), VALUE) === false ? i : -1;
}
