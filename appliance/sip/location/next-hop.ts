import { type HeaderFields, isSip, parseNameAddr, parseUri, type SipUri } from '../message/index.ts';

/** A request by what says where it goes. */
interface Directed {
  /** Request-URI. */
  readonly uri: string;
  readonly headers: HeaderFields;
  /** The Request-URI names a strict router (RFC 3261 12.2.1.1): the request goes there, whatever Route says. */
  readonly isStrict?: boolean;
}

/**
 * Whom a request is handed to (RFC 3261 8.1.2): the first Route, else its Request-URI, and a strict router in its Request-URI before
 * both; undefined: no SIP URI.
 */
export function nextHop({ uri, headers, isStrict }: Directed): SipUri | undefined {
  const route = isStrict ? undefined : headers.find(([name]) => name === 'Route')?.[1];
  const text = route === undefined ? uri : parseNameAddr(route, 0, route.length)?.uriText;
  const parsed = text === undefined ? undefined : parseUri(text);
  return parsed?.ok === true && isSip(parsed.value) ? parsed.value : undefined;
}

/** The transport that a URI names, in small letters; undefined: none. */
export const namedTransport = ({ parameters }: SipUri): string | undefined =>
  parameters.find(({ name }) => name === 'transport')?.raw?.toLowerCase();
