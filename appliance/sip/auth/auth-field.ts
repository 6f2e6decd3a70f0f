import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** One value of Authorization, Proxy-Authorization, WWW-Authenticate or Proxy-Authenticate. */
export interface AuthField {
  /** Lower case: `digest`, `bearer`, … */
  readonly scheme: string;
  /** Names in lower case, quoted strings without their quotes. Empty for a token. */
  readonly parameters: ReadonlyMap<string, string>;
  /** The text after the scheme when it is no list of parameters (`Bearer <token>`, RFC 6750 2.1). */
  readonly token?: string;
}

const MAX_LENGTH = 8_192;
const MAX_PARAMETERS = 32;

/**
 * Reads one field value (RFC 3261 25.1 `credentials` and `challenge`). Sign by sign, so the cost is the length.
 * A parameter that stands twice is malformed: two readers could take different ones.
 */
export function parseAuthField(value: string): Result<AuthField, Failure<'Malformed'>> {
  if (value.length > MAX_LENGTH) return malformed('is too long');
  const schemeEnd = skipToken(value, 0);
  const scheme = value.slice(0, schemeEnd).toLowerCase();
  if (scheme === '') return malformed('has no scheme');
  let at = skipBlank(value, schemeEnd);
  if (at === schemeEnd) return malformed('has nothing behind the scheme');
  if (scheme === 'bearer' && value.indexOf('"', at) < 0) {
    return ok({ scheme, parameters: new Map(), token: value.slice(at).trim() });
  }
  const parameters = new Map<string, string>();
  for (;;) {
    const nameEnd = skipToken(value, at);
    const equals = skipBlank(value, nameEnd);
    if (nameEnd === at || value[equals] !== '=') return malformed('has a parameter without a value');
    const name = value.slice(at, nameEnd).toLowerCase();
    const read = readValue(value, skipBlank(value, equals + 1));
    if (read === undefined) return malformed('has a value that does not end', name);
    if (parameters.has(name) || parameters.size >= MAX_PARAMETERS)
      return malformed('has too many parameters', name);
    parameters.set(name, read.text);
    at = skipBlank(value, read.end);
    if (at === value.length) return ok({ scheme, parameters });
    if (value[at] !== ',') return malformed('has something between two parameters', name);
    // Interop: empty pieces of a list are nothing (RFC 9110 5.6.1); some clients end it with a comma.
    while (value[at] === ',' || BLANK[value.charCodeAt(at)]) at++;
    if (at === value.length) return ok({ scheme, parameters });
  }
}

const malformed = (what: string, name?: string) => fail('Malformed', `the authorization field ${what}`, name);

function readValue(text: string, at: number): { text: string; end: number } | undefined {
  if (text[at] !== '"') {
    const end = skipToken(text, at);
    return end === at ? undefined : { text: text.slice(at, end), end };
  }
  let out = '';
  let from = at + 1;
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') {
      out += text.slice(from, i) + (text[i + 1] ?? '');
      from = ++i + 1;
    } else if (text[i] === '"') return { text: out + text.slice(from, i), end: i + 1 };
  }
  return undefined;
}

/** Interop: anything but blanks, quotes, commas and `=` counts as token; base64 padding ends a value, not a name. */
function skipToken(text: string, at: number): number {
  let i = at;
  while (i < text.length && !ENDS_TOKEN[text.charCodeAt(i)]) i++;
  return i;
}

function skipBlank(text: string, at: number): number {
  let i = at;
  while (BLANK[text.charCodeAt(i)]) i++;
  return i;
}

/** True at the codes of these signs; no other code has a place in it. */
const marked = (signs: string): readonly (boolean | undefined)[] => {
  const at = new Array<boolean>(64).fill(false);
  for (const sign of signs) at[sign.charCodeAt(0)] = true;
  return at;
};
const BLANK = marked(' \t\r\n');
const ENDS_TOKEN = marked(' \t\r\n",=');

/** A quoted string (RFC 3261 25.1); quotes and backslashes inside are escaped. */
export const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes('\\') ? text.replace(/["\\]/g, '\\$&') : text}"`;
