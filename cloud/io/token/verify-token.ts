import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose';
import type { KeyAlgorithm } from '#cloud/store/index.ts';
import type { Claims, PublicJwk } from '#cloud/tenant/index.ts';
import { TOLERANCE_S } from '#shared/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** Imported keys kept, so that a signature check is all a request costs. */
const KEYS_KEPT = 1_000;

type VerifyKey = Awaited<ReturnType<typeof importJWK>>;

/** `kid` of a compact JWT's header; undefined for anything else. Nothing of it is verified. */
export function kidOf(token: string): string | undefined {
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Verifies a compact JWT (RFC 7519) with one registered key at `nowMs`. Fails with `signature` when it is not this
 * key's work, with `claim` when it is and yet has expired or lacks sub, iat or exp.
 */
export function createVerify() {
  const kept = new Map<string, Promise<VerifyKey>>();

  function imported(jwk: PublicJwk, alg: KeyAlgorithm): Promise<VerifyKey> {
    const name = JSON.stringify(jwk);
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (kept.size >= KEYS_KEPT) kept.clear();
    const key = Promise.resolve(importJWK({ ...jwk }, alg));
    kept.set(name, key);
    return key;
  }

  return async (token: string, jwk: PublicJwk, alg: KeyAlgorithm, nowMs: number): Promise<Result<Claims>> => {
    try {
      const { payload } = await jwtVerify(token, await imported(jwk, alg), {
        // Never what the token's header asks for: the algorithm was fixed when the key was registered.
        algorithms: alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [alg],
        currentDate: new Date(nowMs),
        clockTolerance: TOLERANCE_S,
        requiredClaims: ['sub', 'iat', 'exp'],
      });
      return ok(payload);
    } catch (error) {
      if (error instanceof errors.JWTExpired) return fail('claim', 'The token has expired.');
      if (error instanceof errors.JWTClaimValidationFailed)
        return fail('claim', `The claim ${error.claim} is missing or wrong.`);
      if (error instanceof errors.JOSEAlgNotAllowed)
        return fail('signature', 'The algorithm is not the one the key was registered with.');
      if (error instanceof errors.JOSEError)
        return fail('signature', 'The signature does not fit the registered key.');
      throw error;
    }
  };
}
