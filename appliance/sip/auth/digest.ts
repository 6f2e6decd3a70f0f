/** Hash algorithms by the names of RFC 7616 3.3, the order in which they are offered (RFC 8760 2.4). */
export const ALGORITHMS = ['SHA-256', 'MD5'] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Lower case hex of the hash over the UTF-8 of the text. */
export type Hash = (algorithm: Algorithm, text: string) => string;

/** `H(username:realm:password)` in lower case hex, as stored; a device may have only one of them. */
export interface StoredHa1 {
  readonly 'SHA-256'?: string | undefined;
  readonly MD5?: string | undefined;
}

/** Everything that goes into a response (RFC 7616 3.4.1), apart from HA1. */
export interface DigestInput {
  readonly algorithm: Algorithm;
  /** `-sess`: HA1 is bound to nonce and cnonce (RFC 7616 3.4.2). */
  readonly session: boolean;
  readonly method: string;
  readonly uri: string;
  readonly nonce: string;
  /** Absent: the peer speaks RFC 2069 and no replay counter protects it. */
  readonly qop?: { readonly nc: string; readonly cnonce: string };
  /** Needed for `-sess` and qop. */
  readonly cnonce?: string;
}

/** HA1 for a new or changed password. */
export const ha1Of = (
  hash: Hash,
  algorithm: Algorithm,
  username: string,
  realm: string,
  password: string,
): string => hash(algorithm, `${username}:${realm}:${password}`);

/** The `response` of a digest: RFC 7616 3.4.1 with qop `auth`, RFC 2617 3.2.2.1 without qop. */
export function digestResponse(hash: Hash, ha1: string, input: DigestInput): string {
  const { algorithm, nonce, qop } = input;
  const secret = input.session ? hash(algorithm, `${ha1}:${nonce}:${input.cnonce ?? ''}`) : ha1;
  const ha2 = hash(algorithm, `${input.method}:${input.uri}`);
  const middle = qop === undefined ? nonce : `${nonce}:${qop.nc}:${qop.cnonce}:auth`;
  return hash(algorithm, `${secret}:${middle}:${ha2}`);
}

/** Reads `algorithm`, any case, quoted by some; absent means MD5 (RFC 7616 3.3). */
export function algorithmOf(
  name: string | undefined,
): { algorithm: Algorithm; session: boolean } | undefined {
  const upper = (name ?? 'MD5').toUpperCase();
  const session = upper.endsWith('-SESS');
  const plain = session ? upper.slice(0, -5) : upper;
  const algorithm = ALGORITHMS.find((known) => known === plain);
  return algorithm === undefined ? undefined : { algorithm, session };
}
