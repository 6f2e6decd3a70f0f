import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { fail, ok, type Result } from '#shared/result.ts';

/** A public key of minisign: 8 bytes that name it, and the Ed25519 key. */
export interface ReleaseKey {
  readonly id: string;
  readonly key: KeyObject;
}

/** A signature file of minisign, taken apart and not yet verified. */
export interface Signature {
  readonly keyId: string;
  readonly signature: Buffer;
  readonly trustedComment: string;
  readonly globalSignature: Buffer;
}

const COMMENT = 'trusted comment: ';
const bad = (reason: string) => fail('badSignature', reason);

/** Lines of `release-keys.pub`; comments begin with `#` or `untrusted comment:`. Throws for a line that is no key. */
export function releaseKeys(text: string): readonly ReleaseKey[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !line.startsWith('untrusted comment:'))
    .map((line) => {
      const bytes = Buffer.from(line, 'base64');
      if (bytes.length !== 42 || bytes.toString('latin1', 0, 2) !== 'Ed') {
        throw new Error(`"${line}" is no public key of minisign`);
      }
      const x = bytes.subarray(10).toString('base64url');
      const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
      return { id: bytes.toString('hex', 2, 10), key };
    });
}

/**
 * Four lines: an untrusted comment, `ED` + key id + signature of the BLAKE2b-512 of the file, the trusted comment, and
 * the signature of that signature and the comment together. The older form without the hash is not taken.
 */
export function readSignature(text: string): Result<Signature> {
  const [, first = '', comment = '', second = ''] = text.split('\n').map((line) => line.trimEnd());
  const bytes = Buffer.from(first, 'base64');
  const globalSignature = Buffer.from(second, 'base64');
  if (bytes.length !== 74 || globalSignature.length !== 64 || !comment.startsWith(COMMENT)) {
    return bad('the signature file is damaged.');
  }
  if (bytes.toString('latin1', 0, 2) !== 'ED') return bad('the signature is of a form that is not taken.');
  return ok({
    keyId: bytes.toString('hex', 2, 10),
    signature: bytes.subarray(10),
    trustedComment: comment.slice(COMMENT.length),
    globalSignature,
  });
}

/** `digest`: BLAKE2b-512 of the file. The trusted comment comes back, to be believed from now on. */
export function verifySignature(
  digest: Uint8Array,
  read: Signature,
  keys: readonly ReleaseKey[],
): Result<string> {
  const known = keys.find(({ id }) => id === read.keyId);
  if (known === undefined) return bad('it is signed by a key that this program does not know.');
  if (!verify(null, digest, known.key, read.signature)) return bad('its content does not fit the signature.');
  const together = Buffer.concat([read.signature, Buffer.from(read.trustedComment)]);
  if (!verify(null, together, known.key, read.globalSignature)) {
    return bad('what the signature says of version and CPU was altered.');
  }
  return ok(read.trustedComment);
}
