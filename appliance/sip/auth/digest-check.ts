import type { AuthField } from './auth-field.ts';
import { type Algorithm, algorithmOf, digestResponse, type Hash, type StoredHa1 } from './digest.ts';

/** The parts of the request that the digest must agree with. */
export interface DigestRequest {
  readonly method: string;
  /** Request-URI as it stands on the wire. */
  readonly requestUri: string;
  readonly realm: string;
}

export interface DigestSecret {
  /** User names that may use this HA1. */
  readonly usernames: readonly string[];
  readonly ha1: StoredHa1;
}

export interface DigestProof {
  readonly right: boolean;
  readonly nonce: string;
  /** Nonce count; undefined for RFC 2069 peers. */
  readonly count: number | undefined;
  readonly algorithm: Algorithm;
  /** Does the response say which one? */
  readonly named: boolean;
}

/**
 * Does the response prove knowledge of the password? For an unknown user (`secret` undefined) everything is
 * computed as for a known one, against an HA1 that no user has: neither answer nor time distinguishes them.
 */
export function checkDigest(
  hash: Hash,
  equal: (a: string, b: string) => boolean,
  field: AuthField,
  request: DigestRequest,
  secret: DigestSecret | undefined,
): DigestProof {
  const get = (name: string): string => field.parameters.get(name) ?? '';
  const nonce = get('nonce');
  const qop = field.parameters.get('qop')?.toLowerCase();
  const nc = get('nc');
  const count = qop === undefined ? undefined : countOf(nc);
  const name = field.parameters.get('algorithm');
  const chosen = algorithmOf(name ?? algorithmByLength(get('response')));
  const algorithm: Algorithm = chosen?.algorithm ?? 'SHA-256';
  const stored = secret?.ha1[algorithm];
  const expected = digestResponse(hash, stored ?? NO_ACCOUNT[algorithm], {
    algorithm,
    session: chosen?.session ?? false,
    method: request.method,
    uri: get('uri'),
    nonce,
    cnonce: get('cnonce'),
    ...(qop === undefined ? {} : { qop: { nc, cnonce: get('cnonce') } }),
  });
  const matches = equal(expected, get('response').toLowerCase());
  const legal =
    chosen !== undefined &&
    // `auth-int` is never offered: bodies change at every proxy that touches SDP.
    (qop === undefined || (qop === 'auth' && count !== 0 && get('cnonce') !== '')) &&
    get('realm') === request.realm &&
    // userhash (RFC 7616 3.4.4) is not offered either.
    field.parameters.get('userhash')?.toLowerCase() !== 'true' &&
    sameUser(get('uri'), request.requestUri);
  const known = stored !== undefined && secret?.usernames.includes(get('username')) === true;
  return { right: matches && legal && known, nonce, count, algorithm, named: name !== undefined };
}

/** HA1 values of no user: as long as real ones, and no hash of anything that is known. */
const NO_ACCOUNT: Record<Algorithm, string> = { 'SHA-256': 'f'.repeat(64), MD5: 'f'.repeat(32) };

/** Eight hex digits (RFC 7616 3.4); 0 for anything else. Interop: fewer digits are taken. */
function countOf(text: string): number {
  if (text.length === 0 || text.length > 8) return 0;
  for (const sign of text) if (!'0123456789abcdefABCDEF'.includes(sign)) return 0;
  return Number.parseInt(text, 16);
}

/**
 * Interop: the digest-uri should be the Request-URI (RFC 7616 3.4.6), but proxies replace its host and devices
 * leave out port and parameters. The user part must be the same: a recorded response cannot call another user.
 */
const sameUser = (digestUri: string, requestUri: string): boolean =>
  userPart(digestUri) === userPart(requestUri);

function userPart(uri: string): string {
  const at = uri.indexOf('@');
  return at < 0 ? '' : uri.slice(uri.indexOf(':') + 1, at);
}

/** Interop: a client that leaves the algorithm out means MD5 (RFC 7616 3.3), unless its response is as long as SHA-256. */
const algorithmByLength = (response: string): Algorithm => (response.length === 64 ? 'SHA-256' : 'MD5');
