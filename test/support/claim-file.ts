import { createHash, generateKeyPairSync } from 'node:crypto';
import { CompactSign } from 'jose';
import { CLAIM_TYP, type ClaimFile, type VerifyKey } from '#shared/contract/site/index.ts';

/** A control plane's key, as far as a claim file shows it. */
export interface ClaimSigner {
  readonly key: VerifyKey;
  readonly sign: (typ: string, payload: unknown) => Promise<string>;
}

export function claimSigner(): ClaimSigner {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  const kid = createHash('sha256').update(x).digest('base64url');
  return {
    key: { kty: 'OKP', crv: 'Ed25519', x, kid },
    sign: (typ, payload) =>
      new CompactSign(Buffer.from(JSON.stringify(payload)))
        .setProtectedHeader({ alg: 'EdDSA', typ, kid })
        .sign(privateKey),
  };
}

/** A claim file of this signer, with these words in the place of its own. */
export async function claimFile(
  { key, sign }: ClaimSigner,
  words: Partial<Omit<ClaimFile, 'key' | 'signature'>>,
): Promise<ClaimFile> {
  const said = {
    v: 1,
    kind: 'carillon-claim',
    cloud: 'https://cloud.example',
    domain: 'care.example',
    siteId: 'north',
    claimCode: '4F7K2M9QXT',
    expiresAt: Date.now() + 3_600_000,
    ca: 'PEM',
    ...words,
    key,
  } as const;
  return { ...said, signature: await sign(CLAIM_TYP, said) };
}
