import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompactSign } from 'jose';
import type { SiteKey, VerifyKey } from '#shared/contract/site/index.ts';
import { writePrivateFile } from './private-file.ts';
import type { Vault } from './vault.ts';

/** Signs what hosts trust: twins and manifests. */
export interface Signer {
  /** Public keys, the signing one first; hosts pin them at enrolment. */
  readonly verifyKeys: readonly VerifyKey[];
  /** Compact JWS (EdDSA) with `typ` and `kid` in its header over the JSON of `payload`. */
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
}

/** The file in the key folder, and its place for the vault. */
export const SIGNING_FILE = 'signing.key';
export const SIGNING_PLACE = 'platform|file|signing|1';

/** The platform's signing key from `<folder>/signing.key`, sealed by the vault; made at first use. */
export function openSigner(folder: string, vault: Vault): Signer {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, SIGNING_FILE);
  if (!existsSync(path)) {
    writePrivateFile(path, vault.seal(JSON.stringify(createSiteKey()), SIGNING_PLACE), 0o600);
  }
  const jwk = JSON.parse(vault.open(readFileSync(path, 'utf8').trim(), SIGNING_PLACE)) as SiteKey;
  const key: KeyObject = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  return {
    verifyKeys: [publicPart(jwk)],
    sign: (typ, payload) =>
      new CompactSign(Buffer.from(JSON.stringify(payload), 'utf8'))
        .setProtectedHeader({ alg: 'EdDSA', typ, kid: jwk.kid })
        .sign(key),
  };
}

/** A new Ed25519 pair (RFC 8037); `kid` is the thumbprint (RFC 7638). */
export function createSiteKey(): SiteKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x, d } = privateKey.export({ format: 'jwk' });
  if (x === undefined || d === undefined) throw new Error('an Ed25519 key without x or d');
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
  return { kty: 'OKP', crv: 'Ed25519', x, d, kid };
}

export const publicPart = ({ kty, crv, x, kid }: SiteKey): VerifyKey => ({ kty, crv, x, kid });
