import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

/** The site key as the replyId needs it. */
export interface ReplyKey {
  readonly sign: (input: Uint8Array) => Uint8Array;
  readonly verify: (input: Uint8Array, signature: Uint8Array) => boolean;
}

/** `pem`: Ed25519 private key in PKCS#8. Throws on any other key: the site key is made by this product. */
export function replyKey(pem: string): ReplyKey {
  const privateKey = createPrivateKey(pem);
  if (privateKey.asymmetricKeyType !== 'ed25519') throw new Error('the site key is no Ed25519 key');
  const publicKey = createPublicKey(privateKey);
  return {
    sign: (input) => sign(null, input, privateKey),
    verify: (input, signature) => verify(null, input, publicKey, signature),
  };
}
