import 'reflect-metadata';
import { webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

/** ECDSA on P-256 with SHA-256, for every key of the authority and of hosts. */
export const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

const DAY_MS = 86_400_000;

/** The signer: certificate and key. */
export interface Issuer {
  readonly certificate: x509.X509Certificate;
  readonly key: webcrypto.CryptoKey;
}

export interface KeyPair {
  readonly publicKey: webcrypto.CryptoKey;
  readonly privateKey: webcrypto.CryptoKey;
}

export const createKeyPair = async (): Promise<KeyPair> =>
  await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

/** PKCS#8 PEM. */
export async function privateKeyPem(key: webcrypto.CryptoKey): Promise<string> {
  const bytes = await webcrypto.subtle.exportKey('pkcs8', key);
  return `${x509.PemConverter.encode(bytes, 'PRIVATE KEY')}\n`;
}

export const privateKeyFrom = async (pem: string): Promise<webcrypto.CryptoKey> =>
  await webcrypto.subtle.importKey('pkcs8', x509.PemConverter.decodeFirst(pem), ALGORITHM, false, ['sign']);

/** Certificates begin a day early, so that a host whose clock is behind can still use one. */
const validity = (nowMs: number, days: number) => ({
  notBefore: new Date(nowMs - DAY_MS),
  notAfter: new Date(nowMs + days * DAY_MS),
});

/** A root (`issuer` absent: signs itself) or the intermediate below it. */
export async function issueAuthority(
  name: string,
  pair: KeyPair,
  issuer: Issuer | undefined,
  days: number,
  nowMs: number,
): Promise<x509.X509Certificate> {
  return await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${name}`,
    issuer: issuer?.certificate.subject ?? `CN=${name}`,
    ...validity(nowMs, days),
    publicKey: pair.publicKey,
    signingKey: issuer?.key ?? pair.privateKey,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, issuer === undefined ? 1 : 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(pair.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer?.certificate ?? pair.publicKey),
    ],
  });
}

/** The data of a leaf about its holder. */
export interface LeafSubject {
  readonly commonName: string;
  /** SAN URI: `urn:carillon:…`. */
  readonly uri: string;
  readonly names: readonly AltName[];
  readonly clientAuth: boolean;
}

export interface AltName {
  readonly type: 'dns' | 'ip';
  readonly value: string;
}

export async function issueLeaf(
  subject: LeafSubject,
  publicKey: x509.PublicKeyType,
  issuer: Issuer,
  days: number,
  nowMs: number,
): Promise<x509.X509Certificate> {
  const usages = [x509.ExtendedKeyUsage.serverAuth];
  if (subject.clientAuth) usages.push(x509.ExtendedKeyUsage.clientAuth);
  return await x509.X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: `CN=${subject.commonName}`,
    issuer: issuer.certificate.subject,
    ...validity(nowMs, days),
    publicKey,
    signingKey: issuer.key,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(usages),
      new x509.SubjectAlternativeNameExtension([{ type: 'url', value: subject.uri }, ...subject.names]),
      await x509.SubjectKeyIdentifierExtension.create(publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.certificate),
    ],
  });
}

/** 16 random bytes, positive and without leading zero (RFC 5280 4.1.2.2), hex. */
function serialNumber(): string {
  const bytes = webcrypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return Buffer.from(bytes).toString('hex');
}

export const pemOf = (...certificates: readonly x509.X509Certificate[]): string =>
  certificates.map((certificate) => `${certificate.toString('pem')}\n`).join('');
