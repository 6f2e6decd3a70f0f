import { fail, ok, type Result } from '#shared/result.ts';
import { decimal, fromWire, HEX, is, PARAMETER, skip, TOKEN, USER } from './grammar.ts';
import type { Malformed } from './malformed.ts';
import { MOST_PARAMETERS, type Parameter } from './parameter.ts';
import { skipHost } from './via.ts';

/** SIP or SIPS URI (RFC 3261 19.1). */
export interface SipUri {
  readonly scheme: 'sip' | 'sips';
  /** Unescaped, UTF-8; undefined when no user part stands there. */
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** Lower case; IPv6 in brackets. */
  readonly host: string;
  readonly port: number | undefined;
  /** Names in lower case, values unescaped; undefined for a flag. */
  readonly parameters: readonly Parameter[];
  /** `name`, `value` of each `?name=value&…`, unescaped, in order. */
  readonly headers: readonly (readonly [string, string])[];
}

/** tel URI (RFC 3966): the number as dialled, visual separators removed. */
export interface TelUri {
  readonly scheme: 'tel';
  readonly number: string;
  readonly parameters: readonly Parameter[];
}

/** Any other scheme: kept whole, so that a To header may carry it (RFC 4475 3.3.3 and 3.3.4). */
export interface OtherUri {
  readonly scheme: string & {};
  readonly text: string;
}

export type Uri = SipUri | TelUri | OtherUri;

export const isSip = (uri: Uri): uri is SipUri => uri.scheme === 'sip' || uri.scheme === 'sips';
export const isTel = (uri: Uri): uri is TelUri => uri.scheme === 'tel' && 'number' in uri;

const malformed = (reason: string): { readonly ok: false; readonly error: Malformed } =>
  fail('Malformed', reason, 'uri');

/** Reads a URI from wire text. Fails with `Malformed` on a broken sip, sips or tel URI or a missing scheme. */
export function parseUri(text: string): Result<Uri, Malformed> {
  const colon = text.indexOf(':');
  if (colon < 1 || skip(text, 0, colon, TOKEN) !== colon)
    return malformed('a URI begins with scheme and colon');
  const scheme = text.slice(0, colon).toLowerCase();
  if (scheme === 'sip' || scheme === 'sips') return parseSip(scheme, text, colon + 1);
  if (scheme === 'tel') return parseTel(text, colon + 1);
  return ok({ scheme, text: fromWire(text) });
}

function parseSip(scheme: 'sip' | 'sips', text: string, from: number): Result<Uri, Malformed> {
  // The user part may itself hold `;`, `?` and `/` (RFC 4475 3.1.1.9), so the `@` is looked for first.
  const at = text.indexOf('@', from);
  let user: string | undefined;
  let password: string | undefined;
  if (at >= 0) {
    const colon = text.indexOf(':', from);
    const userEnd = colon >= 0 && colon < at ? colon : at;
    if (userEnd === from || skip(text, from, userEnd, USER) !== userEnd)
      return malformed('user part of the SIP URI');
    user = unescaped(text.slice(from, userEnd));
    if (userEnd < at) {
      if (skip(text, userEnd + 1, at, USER) !== at) return malformed('password of the SIP URI');
      password = unescaped(text.slice(userEnd + 1, at));
      if (password === undefined) return malformed('escape in the password of the SIP URI');
    }
    if (user === undefined) return malformed('escape in the user part of the SIP URI');
  }
  const hostAt = at < 0 ? from : at + 1;
  const hostEnd = skipHost(text, hostAt, text.length);
  if (hostEnd === hostAt) return malformed('host of the SIP URI');
  let i = hostEnd;
  let port: number | undefined;
  if (text.charCodeAt(i) === 0x3a) {
    const portEnd = skip(text, i + 1, text.length, TOKEN);
    port = decimal(text, i + 1, portEnd, 65_535);
    if (port < 1) return malformed('port of the SIP URI');
    i = portEnd;
  }
  const parameters: Parameter[] = [];
  i = scanUriParameters(text, i, parameters);
  const headers = i < 0 ? undefined : parseUriHeaders(text, i);
  if (headers === undefined) return malformed('parameters or headers of the SIP URI');
  const host = text.slice(hostAt, hostEnd).toLowerCase();
  return ok({ scheme, user, password, host, port, parameters, headers });
}

function parseTel(text: string, from: number): Result<Uri, Malformed> {
  const end = text.indexOf(';', from);
  const subscriber = text.slice(from, end < 0 ? text.length : end);
  let number = '';
  for (let i = 0; i < subscriber.length; i++) {
    const sign = subscriber.charAt(i);
    if ('-.()'.includes(sign)) continue;
    // RFC 3966 3: global numbers are digits behind a plus; local ones may also hold hex digits, * and #.
    if (!is(sign.charCodeAt(0), HEX) && !'*#'.includes(sign) && !(sign === '+' && i === 0)) {
      return malformed('number of the tel URI');
    }
    number += sign;
  }
  const parameters: Parameter[] = [];
  if (number === '' || number === '+') return malformed('number of the tel URI');
  if (end >= 0 && scanUriParameters(text, end, parameters) !== text.length)
    return malformed('parameters of the tel URI');
  return ok({ scheme: 'tel', number, parameters });
}

/** Reads `*( ";" uri-parameter )`; answers the position behind it, -1 when malformed. */
function scanUriParameters(text: string, at: number, found: Parameter[]): number {
  let i = at;
  while (text.charCodeAt(i) === 0x3b) {
    const nameEnd = skip(text, i + 1, text.length, PARAMETER);
    const name = unescaped(text.slice(i + 1, nameEnd));
    if (name === undefined || name === '' || found.length === MOST_PARAMETERS) return -1;
    i = nameEnd;
    let raw: string | undefined;
    if (text.charCodeAt(i) === 0x3d) {
      const end = skip(text, i + 1, text.length, PARAMETER);
      raw = unescaped(text.slice(i + 1, end));
      if (raw === undefined || raw === '') return -1;
      i = end;
    }
    found.push({ name: name.toLowerCase(), raw });
  }
  return i;
}

function parseUriHeaders(text: string, at: number): readonly (readonly [string, string])[] | undefined {
  if (at === text.length) return [];
  if (text.charCodeAt(at) !== 0x3f || at + 1 === text.length) return undefined;
  const headers: [string, string][] = [];
  for (const pair of text.slice(at + 1).split('&')) {
    const equals = pair.indexOf('=');
    const name = unescaped(pair.slice(0, Math.max(equals, 0)));
    const value = unescaped(pair.slice(equals + 1));
    if (name === undefined || name === '' || value === undefined) return undefined;
    headers.push([name, value]);
  }
  return headers;
}

/** Resolves `%HH` (RFC 3261 19.1.2) and decodes UTF-8; undefined when a per cent sign has no two hex digits. */
function unescaped(text: string): string | undefined {
  if (!text.includes('%')) return fromWire(text);
  let wire = '';
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== 0x25) {
      wire += text.charAt(i);
      continue;
    }
    if (!is(text.charCodeAt(i + 1), HEX) || !is(text.charCodeAt(i + 2), HEX)) return undefined;
    wire += String.fromCharCode(Number.parseInt(text.slice(i + 1, i + 3), 16));
    i += 2;
  }
  return fromWire(wire);
}
