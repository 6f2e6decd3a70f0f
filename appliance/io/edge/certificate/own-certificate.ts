import { webcrypto, X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import type { JsonGeneralNames } from '@peculiar/x509';
import type { CertificateNames } from '#shared/contract/site/index.ts';
import { writePrivateFile } from '../identity/private-file.ts';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;
const DAY_MS = 86_400_000;
/** Chosen: browsers take no longer one, and by then the machine has one of the platform. */
const LIFETIME_MS = 800 * DAY_MS;

/** The names for a browser on the machine itself. */
const HERE = ['localhost', '127.0.0.1', '::1'];

/** Which of these names and addresses a certificate (PEM) does not have. */
export function lackingNames(certificatePem: string, names: readonly string[]): readonly string[] {
  const certificate = new X509Certificate(certificatePem);
  return names.filter((name) =>
    isIP(name) === 0
      ? certificate.checkHost(name, { subject: 'never' }) === undefined
      : certificate.checkIP(name) === undefined,
  );
}

/**
 * A certificate of our own making, kept in `folder` so that its fingerprint stays: until this machine is enrolled the
 * technician's page is shown with it. It is made again when it is about to end, or lacks a name of the configuration.
 */
export async function ownCertificate(
  folder: string,
  { needed, asked }: CertificateNames,
  nowMs: number,
): Promise<{ readonly cert: string; readonly key: string }> {
  const [certFile, keyFile] = [join(folder, 'own.crt'), join(folder, 'own.key')];
  if (existsSync(certFile) && existsSync(keyFile)) {
    const cert = readFileSync(certFile, 'utf8');
    const ends = Date.parse(new X509Certificate(cert).validTo);
    if (ends - nowMs > 30 * DAY_MS && lackingNames(cert, needed).length === 0)
      return { cert, key: readFileSync(keyFile, 'utf8') };
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const x509 = await import('./x509.ts');
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const names = [...new Set([...asked, ...HERE])];
  const alternatives: JsonGeneralNames = names.map((value) => ({
    type: isIP(value) ? 'ip' : 'dns',
    value,
  }));
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${names[0] ?? 'carillon'}`,
    keys,
    notBefore: new Date(nowMs - DAY_MS),
    notAfter: new Date(nowMs + LIFETIME_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(alternatives),
    ],
  });
  const key = x509.PemConverter.encode(
    await webcrypto.subtle.exportKey('pkcs8', keys.privateKey),
    'PRIVATE KEY',
  );
  const cert = certificate.toString('pem');
  writePrivateFile(keyFile, key, 0o600);
  writePrivateFile(certFile, cert, 0o600);
  return { cert, key };
}
