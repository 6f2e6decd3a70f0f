import { decimal, HOST, is, LWS, skip, spells, TOKEN } from './grammar.ts';
import { type Parameter, scanParameters } from './parameter.ts';

/** RFC 3261 8.1.1.7: a branch that begins so is unique and identifies the transaction alone. */
export const MAGIC_COOKIE = 'z9hG4bK';

/** One Via value (RFC 3261 20.42, RFC 3581). */
export interface Via {
  /** Upper case: UDP, TCP, TLS, WS, WSS, … */
  readonly transport: string;
  /** As it stood; IPv6 in brackets. */
  readonly host: string;
  readonly port: number | undefined;
  readonly branch: string | undefined;
  readonly received: string | undefined;
  /** 0 when the flag stands without a value (RFC 3581 3), undefined when it is absent. */
  readonly rport: number | undefined;
  readonly maddr: string | undefined;
  readonly ttl: number | undefined;
  readonly parameters: readonly Parameter[];
  /** `host:port` as it stood in front of the parameters: part of the transaction's key (17.2.3). */
  readonly sentBy: string;
  /** Text in front of the parameters: `SIP/2.0/UDP host:port`. */
  readonly head: string;
  /** Where this value ends in the text it was read from: a comma or the end of the field. */
  readonly end: number;
}

/** Reads one Via value from text[from, to); undefined when it breaks the grammar. */
export function parseVia(text: string, from: number, to: number): Via | undefined {
  const start = skip(text, from, to, LWS);
  let at = start;
  if (spells(text, at, 'sip/2.0/')) at += 8;
  else {
    // LWS may stand around each slash (SLASH in 25.1); the version must be ours.
    for (const part of ['sip', '/', '2.0', '/']) {
      if (!spells(text, at, part)) return undefined;
      at = skip(text, at + part.length, to, LWS);
    }
  }
  const protocol = skip(text, at, to, TOKEN);
  const hostAt = skip(text, protocol, to, LWS);
  if (protocol === at || hostAt === protocol) return undefined;
  const hostEnd = skipHost(text, hostAt, to);
  if (hostEnd === hostAt) return undefined;
  let port: number | undefined;
  let sentByEnd = hostEnd;
  let i = skip(text, hostEnd, to, LWS);
  if (text.charCodeAt(i) === 0x3a && i < to) {
    const portAt = skip(text, i + 1, to, LWS);
    sentByEnd = skip(text, portAt, to, TOKEN);
    port = decimal(text, portAt, sentByEnd, 65_535);
    if (port < 1) return undefined;
    i = sentByEnd;
  }
  const parameters: Parameter[] = [];
  const end = scanParameters(text, i, to, parameters);
  if (end < 0 || (end < to && text.charCodeAt(end) !== 0x2c)) return undefined;
  let branch: string | undefined;
  let received: string | undefined;
  let maddr: string | undefined;
  let rport: number | undefined;
  let ttl: number | undefined;
  for (const { name, raw = '' } of parameters) {
    if (name === 'branch') branch = raw;
    else if (name === 'rport') rport = raw === '' ? 0 : decimal(raw, 0, raw.length, 65_535);
    else if (name === 'received') received = raw;
    else if (name === 'maddr') maddr = raw;
    else if (name === 'ttl') ttl = decimal(raw, 0, raw.length, 255);
  }
  if (rport === -1 || ttl === -1) return undefined;
  return {
    transport: text.slice(at, protocol).toUpperCase(),
    host: text.slice(hostAt, hostEnd),
    port,
    branch,
    received,
    rport,
    maddr,
    ttl,
    parameters,
    sentBy: text.slice(hostAt, sentByEnd),
    head: text.slice(start, sentByEnd),
    end,
  };
}

/** Position behind a host: name, IPv4 or an IPv6 reference in brackets; `at` when none stands there. */
export function skipHost(text: string, at: number, to: number): number {
  if (text.charCodeAt(at) !== 0x5b) return skip(text, at, to, HOST);
  const close = text.indexOf(']', at);
  if (close < 0 || close >= to || close - at < 3 || close - at > 46) return at;
  for (let i = at + 1; i < close; i++) {
    // IPv6 signs: hexadecimal, colon, and the dots of an embedded IPv4 address.
    const code = text.charCodeAt(i);
    if (code !== 0x3a && (!is(code, HOST) || code === 0x2d || code === 0x5f || (code | 0x20) > 0x66))
      return at;
  }
  return close + 1;
}

/**
 * The top Via as the response carries it: `received` when the source is not what sent-by says (RFC 3261
 * 18.2.1), and both `received` and `rport` when rport was asked for (RFC 3581 4). The client's own values of `received` or
 * `rport` are overwritten: only the server knows where the packet came from.
 */
export function stampVia(via: Via, source: { readonly address: string; readonly port: number }): string {
  let text = via.head;
  for (const { name, raw } of via.parameters) {
    if (name === 'received' || name === 'rport') continue;
    text += raw === undefined ? `;${name}` : `;${name}=${raw}`;
  }
  if (via.rport !== undefined) return `${text};rport=${source.port};received=${source.address}`;
  return sameHost(via.host, source.address) ? text : `${text};received=${source.address}`;
}

/** Does sent-by name the address the packet came from? IPv6 stands in brackets there and bare here. */
export const sameHost = (host: string, address: string): boolean =>
  host === address ||
  (host.charCodeAt(0) === 0x5b && host.slice(1, -1).toLowerCase() === address.toLowerCase());
