import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { exitCode, Stop } from '../../exit-code.ts';
import { readFileOf } from './readable-file.ts';

/** A key that signs callbacks, as a restAuthentication entry has it. */
export interface SigningKeyFile {
  readonly type: 'ES256' | 'RS256' | 'EdDSA' | 'HS256';
  /** PKCS#8 in PEM, or the shared secret. */
  readonly secret: string;
  /** PEM file of the public key; undefined: it is a shared secret. */
  readonly publicFile: string | undefined;
}

const TYPES: Readonly<Record<string, SigningKeyFile['type']>> = {
  ec: 'ES256',
  rsa: 'RS256',
  ed25519: 'EdDSA',
};

/** A key of the person's own: a private key in PEM, or any other text as a shared secret. */
export function readSigningKey(file: string, flag: string): SigningKeyFile {
  const text = readFileOf(file).toString('utf8');
  if (!text.includes('-----BEGIN')) return { type: 'HS256', secret: text.trim(), publicFile: undefined };
  if (/-----BEGIN (?:PUBLIC KEY|CERTIFICATE)-----/.test(text))
    throw new Stop(
      exitCode.wrongUse,
      `${flag} ${file} is a public key, and the rehearsal signs. Name the private key that belongs to it.`,
    );
  return { ...ofPem(text, file, flag), publicFile: undefined };
}

/** A key of ours, made at the first use, with its public half in a file beside it. */
export function ownSigningKey(file: string): SigningKeyFile {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const key = ofPem(readFileSync(file, 'utf8'), file, 'The key');
  const publicFile = file.replace(/\.pem$/, '.pub.pem');
  writeFileSync(publicFile, createPublicKey(key.secret).export({ type: 'spki', format: 'pem' }));
  return { ...key, publicFile };
}

function ofPem(text: string, file: string, flag: string): { type: SigningKeyFile['type']; secret: string } {
  let kind: string | undefined;
  try {
    kind = createPrivateKey(text).asymmetricKeyType;
  } catch {
    throw new Stop(
      exitCode.damagedFile,
      `${flag} ${file} is no private key in PKCS#8 PEM. Name another file.`,
    );
  }
  const type = TYPES[kind ?? ''];
  if (type === undefined)
    throw new Stop(
      exitCode.wrongUse,
      `${flag} ${file}: keys of type ${kind} sign no callbacks. Use EC P-256, RSA or Ed25519.`,
    );
  return { type, secret: text };
}
