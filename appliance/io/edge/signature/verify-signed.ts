import { compactVerify, decodeProtectedHeader, importJWK } from 'jose';
import type { VerifyKey } from '#shared/contract/site/index.ts';
import type { VerifySigned } from '../../../replica/index.ts';

/** For keys on Ed25519 both names of the algorithm are in use (RFC 8037 3.1, RFC 9864 2.2). */
const ALGORITHMS = ['EdDSA', 'Ed25519'];

/**
 * Opens what the control plane signed, by keys that are known: those pinned at enrolment, and those that replaced them.
 * Asked each time. The key is found by `kid` among them and never taken from the header (`jwk`, `jku`, `x5u`); `typ` must
 * be the one expected, so that a manifest is no twin.
 */
export function signedReader(keys: () => readonly VerifyKey[]): VerifySigned {
  return async (compact, typ) => {
    try {
      const header = decodeProtectedHeader(compact);
      const key = keys().find((each) => each.kid === header.kid);
      if (key === undefined || header.typ !== typ) return undefined;
      const { payload } = await compactVerify(compact, await importJWK({ ...key }, 'EdDSA'), {
        algorithms: ALGORITHMS,
      });
      return JSON.parse(Buffer.from(payload).toString('utf8')) as unknown;
    } catch {
      return undefined;
    }
  };
}
