import { calculateJwkThumbprint, exportJWK, importJWK, importSPKI, type JWK } from 'jose';
import type { KeyAlgorithm } from '#cloud/store/index.ts';
import type { PublicJwk, PublicKeyForm } from '#cloud/tenant/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { isComputable } from './weak-key.ts';

/** Smallest RSA modulus, in bytes of its base64url form without padding: 2048 bit. */
const RSA_MIN_BITS = 2048;

/** The form of a public key of each algorithm (RFC 7518 6, RFC 8037 2). */
const SHAPE: {
  readonly [A in KeyAlgorithm]: { kty: string; crv?: string; members: readonly (keyof JWK)[] };
} = {
  RS256: { kty: 'RSA', members: ['kty', 'n', 'e'] },
  ES256: { kty: 'EC', crv: 'P-256', members: ['kty', 'crv', 'x', 'y'] },
  EdDSA: { kty: 'OKP', crv: 'Ed25519', members: ['kty', 'crv', 'x'] },
};

const refuse = (reason: string) => fail('invalid', `/publicKey: ${reason}`, '/publicKey');

/**
 * Reads a registered key, PEM (SPKI) or JWK, and leaves only its public members. Fails with `invalid` when it does not
 * fit the algorithm, is too short, or is a private key: whoever sends one has just given it away and should know.
 */
export async function readPublicKey(alg: KeyAlgorithm, publicKey: PublicKeyForm): Promise<Result<PublicJwk>> {
  if (typeof publicKey === 'string' && publicKey.includes('PRIVATE KEY')) return refuse(PRIVATE);
  let jwk: JWK;
  try {
    jwk =
      typeof publicKey === 'string'
        ? await exportJWK(await importSPKI(publicKey.trim(), alg, { extractable: true }))
        : (publicKey as JWK);
    if ('d' in jwk || 'k' in jwk) return refuse(PRIVATE);
    const wrong = shapeFault(jwk, alg);
    if (wrong !== null) return refuse(wrong);
    // Whether the numbers are a key at all, only an import tells.
    await importJWK(jwk, alg);
  } catch {
    return refuse(`is no public key for ${alg}; send SPKI PEM ("BEGIN PUBLIC KEY") or a JWK`);
  }
  return ok(Object.fromEntries(SHAPE[alg].members.map((name) => [name, jwk[name]])));
}

const PRIVATE =
  'is a private or shared key; make a new pair, keep this one out of use, and send the public part';

function shapeFault(jwk: JWK, alg: KeyAlgorithm): string | null {
  const shape = SHAPE[alg];
  if (jwk.kty !== shape.kty || jwk.crv !== shape.crv) return `is no key for ${alg}`;
  const other = otherPurpose(jwk, alg);
  if (other !== undefined)
    return `is a key for another purpose (${other}); register one that signs with ${alg}`;
  if (alg === 'RS256' && isComputable(jwk.n ?? ''))
    return 'is a weak RSA key: its private part can be computed (CVE-2017-15361); make a new pair with other software';
  const bits = alg === 'RS256' ? Buffer.from(jwk.n ?? '', 'base64url').byteLength * 8 : RSA_MIN_BITS;
  return bits < RSA_MIN_BITS ? `RSA keys need at least ${RSA_MIN_BITS} bits, this one has ${bits}` : null;
}

/** The member by which the key says itself that it is for something else (RFC 7517 4.2 to 4.4). */
function otherPurpose({ alg: own, use, key_ops: operations }: JWK, alg: KeyAlgorithm): string | undefined {
  const names: readonly unknown[] = alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [alg];
  if (own !== undefined && !names.includes(own)) return `alg ${own}`;
  if (use !== undefined && use !== 'sig') return `use ${use}`;
  return operations === undefined || operations.includes('verify') ? undefined : 'key_ops without verify';
}

/** RFC 7638: the key's own name, for customers who give none. */
export const thumbprint = (jwk: PublicJwk): Promise<string> => calculateJwkThumbprint(jwk as JWK, 'sha256');
