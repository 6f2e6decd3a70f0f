import 'reflect-metadata';
import type { webcrypto } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  type JsonGeneralNames,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';

/** A certificate authority for trying things on one machine. Its key never leaves the data folder. */
export interface DemoAuthority {
  /** PEM file of the authority's certificate, for whoever shall trust it. */
  readonly file: string;
  readonly issue: (names: readonly string[]) => Promise<{ readonly cert: string; readonly key: string }>;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
const keyPair = () => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** Opens the authority in `folder`, making it at the first start: key 0600, certificate valid for ten years. */
export async function demoAuthority(folder: string): Promise<DemoAuthority> {
  const file = join(folder, 'demo-ca.pem');
  const keyFile = join(folder, 'demo-ca.key');
  if (!existsSync(file) || !existsSync(keyFile)) await make(folder, file, keyFile);
  const certificate = new X509Certificate(readFileSync(file, 'utf8'));
  const der = PemConverter.decodeFirst(readFileSync(keyFile, 'utf8'));
  const signingKey = await crypto.subtle.importKey('pkcs8', der, ALGORITHM, false, ['sign']);
  return { file, issue: (names) => issue(names, certificate, signingKey) };
}

async function make(folder: string, file: string, keyFile: string): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const keys = await keyPair();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: 'CN=Carillon demo authority',
    keys,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 3650 * DAY_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
    ],
  });
  writeFileSync(keyFile, await privatePem(keys.privateKey), { mode: 0o600 });
  writeFileSync(file, certificate.toString('pem'));
  chmodSync(file, 0o644);
}

async function issue(names: readonly string[], authority: X509Certificate, signingKey: webcrypto.CryptoKey) {
  const keys = await keyPair();
  const alternatives: JsonGeneralNames = names.map((value) => ({ type: isIP(value) ? 'ip' : 'dns', value }));
  const certificate = await X509CertificateGenerator.create({
    subject: `CN=${names[0] ?? 'localhost'}`,
    issuer: authority.subject,
    publicKey: keys.publicKey,
    signingKey,
    signingAlgorithm: ALGORITHM,
    notBefore: new Date(Date.now() - DAY_MS),
    notAfter: new Date(Date.now() + 90 * DAY_MS),
    extensions: [
      new SubjectAlternativeNameExtension(alternatives),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
    ],
  });
  return { cert: certificate.toString('pem'), key: await privatePem(keys.privateKey) };
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}
