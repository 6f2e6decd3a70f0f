import { createPublicKey } from 'node:crypto';
import { errors, jwtVerify } from 'jose';

/** Longest life of a token, seconds. */
const LIFE_S = 60;
const TOLERANCE_S = 5;

/**
 * The password of the plain loopback listener: a JWT (ES256) by the host's own key, `sub` = uid, at most 60 s.
 * Gives the reason why it is refused, undefined when it is good.
 */
export async function tokenFault(
  token: string,
  uid: string,
  publicKeyPem: string,
): Promise<string | undefined> {
  try {
    const { payload } = await jwtVerify(token, createPublicKey(publicKeyPem), {
      algorithms: ['ES256'],
      subject: uid,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: TOLERANCE_S,
    });
    const { exp = 0, iat = 0 } = payload;
    const now = Date.now() / 1000;
    return exp - iat > LIFE_S || exp > now + LIFE_S + TOLERANCE_S
      ? 'the token lives longer than 60 s'
      : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError) return `the token is no good: ${error.code}`;
    throw error;
  }
}
