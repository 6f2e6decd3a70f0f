import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

/** The data that the demo keeps between starts: the key that signs callbacks, the owner's password and the token of the tenant. */
export function rememberedDemo(file: string) {
  let kept: {
    privateKeyPem: string;
    publicKeyPem: string;
    token?: string;
    ownerPassword?: string;
    telephonePassword?: string;
  };
  if (existsSync(file)) kept = JSON.parse(readFileSync(file, 'utf8'));
  else {
    const pair = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    });
    kept = { privateKeyPem: pair.privateKey, publicKeyPem: pair.publicKey };
  }
  const newPassword = (): string => randomBytes(12).toString('base64url');
  const { ownerPassword = newPassword(), telephonePassword = newPassword() } = kept;
  const passwords = { ownerPassword, telephonePassword };
  const keep = (token: string | undefined): void =>
    writeFileSync(file, JSON.stringify({ ...kept, ...passwords, token }), { mode: 0o600 });
  // Before they are used: a demo that ends early must know the passwords it gave.
  keep(kept.token);
  return { ...kept, ...passwords, token: kept.token, remember: keep };
}
