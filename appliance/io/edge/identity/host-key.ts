import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writePrivateFile } from './private-file.ts';

/** Keys of this machine. Both files are 0400; only public parts are ever sent. */
export interface HostKeys {
  /** PKCS#8 PEM, ECDSA on P-256: TLS and the broker's password. */
  readonly keyPem: string;
  /** Public X25519 JWK: what is secret is sealed for it. */
  readonly sealKey: { readonly kty: 'OKP'; readonly crv: 'X25519'; readonly x: string };
}

const TLS_KEY = 'host.key';
const SEAL_KEY = 'seal.key';

/**
 * The keys in `folder`, made at first use. An enrolment that was cut short goes on with the same key: the cloud knows
 * a machine by it, so that one claim code is used once.
 */
export function hostKeys(folder: string): HostKeys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const tlsFile = tlsKeyFile(folder);
  if (!existsSync(tlsFile)) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writePrivateFile(tlsFile, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 0o400);
  }
  const sealFile = sealKeyFile(folder);
  if (!existsSync(sealFile)) {
    const { privateKey } = generateKeyPairSync('x25519');
    writePrivateFile(sealFile, `${JSON.stringify(privateKey.export({ format: 'jwk' }))}\n`, 0o400);
  }
  const { x } = JSON.parse(readFileSync(sealFile, 'utf8')) as { x: string };
  return { keyPem: readFileSync(tlsFile, 'utf8'), sealKey: { kty: 'OKP', crv: 'X25519', x } };
}

/**
 * The key for TLS: our own once there is one, else a credential of systemd, which may lie encrypted on the disk. The unit
 * names a placeholder for hosts without one.
 */
export function tlsKeyFile(folder: string): string {
  const own = join(folder, TLS_KEY);
  const { CREDENTIALS_DIRECTORY } = process.env;
  const given = CREDENTIALS_DIRECTORY === undefined ? own : join(CREDENTIALS_DIRECTORY, 'device-key');
  if (existsSync(own) || !existsSync(given)) return own;
  return readFileSync(given, 'utf8').startsWith('-----BEGIN') ? given : own;
}

/** The private X25519 key by which this machine opens what is sealed for it. */
export const sealKeyFile = (folder: string): string => join(folder, SEAL_KEY);
