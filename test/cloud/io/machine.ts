import 'reflect-metadata';
import { type KeyObject, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

/** Keys and certificate request that a machine makes before enrolment. */
export interface Machine {
  readonly csr: string;
  /** PKCS#8 PEM. */
  readonly key: string;
  /** Public X25519 JWK. */
  readonly sealKey: { kty: 'OKP'; crv: 'X25519'; x: string };
}

export interface MachineOptions {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly uri?: string;
  readonly curve?: string;
  readonly rsa?: KeyObject;
  /** Changes a bit of the signed part. */
  readonly tamper?: boolean;
}

const pem = (label: string, bytes: ArrayBuffer) => x509.PemConverter.encode(bytes, label);

export async function createMachine(options: MachineOptions): Promise<Machine> {
  const algorithm =
    options.rsa === undefined
      ? { name: 'ECDSA', namedCurve: options.curve ?? 'P-256', hash: 'SHA-256' }
      : {
          name: 'RSASSA-PKCS1-v1_5',
          hash: 'SHA-256',
          modulusLength: 2048,
          publicExponent: new Uint8Array([1, 0, 1]),
        };
  const pair = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const names: x509.JsonGeneralName[] = [
    ...(options.names ?? []).map((value) => ({ type: 'dns' as const, value })),
    ...(options.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ...(options.uri === undefined ? [] : [{ type: 'url' as const, value: options.uri }]),
  ];
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: 'CN=machine',
    keys: pair,
    signingAlgorithm: algorithm,
    extensions: names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)],
  });
  const raw = Buffer.from(request.rawData);
  if (options.tamper === true) {
    const at = raw.indexOf('machine');
    raw[at] = (raw[at] ?? 0) ^ 1;
  }
  const key = await webcrypto.subtle.exportKey('pkcs8', pair.privateKey);
  return {
    csr: pem('CERTIFICATE REQUEST', new Uint8Array(raw).buffer),
    key: pem('PRIVATE KEY', key),
    sealKey: { kty: 'OKP', crv: 'X25519', x: 'hSDwCYkwp1R0i33ctD73Wg2_Og0mOBr066SpjqqbTmo' },
  };
}
