import type { TokenPort } from '#cloud/tenant/index.ts';
import { readPublicKey, thumbprint } from './public-key.ts';
import { createVerify, kidOf } from './verify-token.ts';

/** JSON Web Tokens and the public keys behind them, for `cloud/tenant`. */
export const createTokenPort = (): TokenPort => ({
  kidOf,
  verify: createVerify(),
  readPublicKey,
  thumbprint,
});
