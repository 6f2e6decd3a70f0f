import { fail, ok, type Result } from '#shared/result.ts';

/** Hash of a certificate as `a=fingerprint` carries it (RFC 8122, 5). */
export interface Fingerprint {
  /** `sha-256`, `sha-384` or `sha-512`, in lower case. */
  readonly algorithm: FingerprintAlgorithm;
  readonly hash: Uint8Array;
}
export type FingerprintAlgorithm = 'sha-256' | 'sha-384' | 'sha-512';

/** Older hashes are refused: whoever can make a second certificate with the same hash is inside. */
const LENGTH: Readonly<Record<FingerprintAlgorithm, number>> = {
  'sha-256': 32,
  'sha-384': 48,
  'sha-512': 64,
};

/** Reads the value of the attribute: `sha-256 4A:AD:…`, hexadecimal in either case. */
export function readFingerprint(value: string): Result<Fingerprint> {
  const [name = '', digits = '', ...rest] = value.trim().split(/ +/);
  const algorithm = name.toLowerCase();
  if (!isKnown(algorithm)) return fail('Unsupported', `fingerprint by ${name}: sha-256 or longer is wanted`);
  const pairs = digits.split(':');
  if (
    rest.length > 0 ||
    pairs.length !== LENGTH[algorithm] ||
    !pairs.every((pair) => /^[\da-f]{2}$/i.test(pair))
  )
    return fail('Malformed', `a fingerprint by ${algorithm} has ${LENGTH[algorithm]} pairs of digits`);
  return ok({ algorithm, hash: Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16)) });
}

export const writeFingerprint = ({ algorithm, hash }: Fingerprint): string =>
  `${algorithm} ${Array.from(hash, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':')}`;

/** @param certificate what the peer showed, DER @param digest the system's hash, by the names of `a=fingerprint` */
export function isCertificateOf(
  fingerprint: Fingerprint,
  certificate: Uint8Array,
  digest: (algorithm: FingerprintAlgorithm, bytes: Uint8Array) => Uint8Array,
): boolean {
  const hash = digest(fingerprint.algorithm, certificate);
  return hash.length === fingerprint.hash.length && hash.every((byte, i) => byte === fingerprint.hash[i]);
}

const isKnown = (name: string): name is FingerprintAlgorithm => Object.hasOwn(LENGTH, name);
