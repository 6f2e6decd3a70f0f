import { hash } from 'node:crypto';
import { decodeProtectedHeader, errors, importJWK, jwtVerify } from 'jose';
import { TOLERANCE_S } from '#shared/access/index.ts';
import { fail, ok } from '#shared/result.ts';
import type { BearerCrypto } from '../../operation/index.ts';

/** Imported keys kept, so that a signature check is all a request costs. */
const KEYS_KEPT = 100;
/** Signed tokens are short; a longer one is not read. */
const MOST_SIGNS = 8_192;

/** Checks customers' JWTs (RFC 7519) by the keys they registered, with no network. */
export function bearerCrypto(): BearerCrypto {
  const kept = new Map<string, ReturnType<typeof importJWK>>();

  function imported(key: Parameters<BearerCrypto['verify']>[1]): ReturnType<typeof importJWK> {
    const name = JSON.stringify(key.publicKey);
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (kept.size >= KEYS_KEPT) kept.clear();
    const made = importJWK({ ...key.publicKey }, key.alg);
    kept.set(name, made);
    return made;
  }

  return {
    sha256Hex: (text) => hash('sha256', text),
    kidOf,
    verify: async (token, key, nowMs) => {
      try {
        const { payload } = await jwtVerify(token, await imported(key), {
          // Never what the token's header asks for: the algorithm was fixed when the key was registered.
          algorithms: key.alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [key.alg],
          currentDate: new Date(nowMs),
          clockTolerance: TOLERANCE_S,
          requiredClaims: ['sub', 'iat', 'exp'],
        });
        return ok(payload);
      } catch (error) {
        return fail('unauthorized', sentenceOf(error));
      }
    },
  };
}

function kidOf(token: string): string | undefined {
  if (token.length > MOST_SIGNS) return undefined;
  try {
    const { kid } = decodeProtectedHeader(token);
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

/** The sentence in the words of the cloud. Every other fault of a stranger's text counts as a signature that does not fit. */
function sentenceOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'The token is refused: it has expired. Sign a new one.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The token is refused: its claim ${error.claim} is missing or wrong. Sign a new one.`;
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The token is refused: its algorithm differs from that of the registered key. Sign with the registered algorithm.';
  return 'The token is refused: its signature does not match the registered key. Sign with the private key of that key.';
}
