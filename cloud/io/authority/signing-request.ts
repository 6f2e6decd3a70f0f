import 'reflect-metadata';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';
import { CERTIFICATE_DNS_NAME, MOST_CERTIFICATE_NAMES } from '#shared/contract/site/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { ALGORITHM, type AltName } from './certificate.ts';

/** A request that has proven that its sender holds the key. */
export interface SigningRequest {
  readonly publicKey: x509.PublicKey;
  /** SPKI PEM of the key; the name under which the host is known again. */
  readonly publicKeyPem: string;
  /** DNS names and addresses asked for. */
  readonly names: readonly AltName[];
}

const refuse = (reason: string) => fail('invalid', `/csr: ${reason}`, '/csr');

/**
 * Reads a PKCS#10 request (PEM) and checks that it is signed by its own ECDSA P-256 key. Garbage throws inside the
 * library, a false signature is `false`, a broken algorithm throws: all three are refused alike.
 */
export async function readSigningRequest(pem: string): Promise<Result<SigningRequest>> {
  try {
    const request = new x509.Pkcs10CertificateRequest(pem);
    const { name, namedCurve } = request.publicKey.algorithm as { name: string; namedCurve?: string };
    if (name !== ALGORITHM.name || namedCurve !== ALGORITHM.namedCurve)
      return refuse('the key must be ECDSA on P-256');
    if (!(await request.verify())) return refuse('the signature is not by the key of the request');
    const names = namesOf(request);
    if (names === undefined)
      return refuse(`only up to ${MOST_CERTIFICATE_NAMES} DNS names and addresses can be asked for`);
    return ok({ publicKey: request.publicKey, publicKeyPem: request.publicKey.toString('pem'), names });
  } catch {
    return refuse('is no PKCS#10 request');
  }
}

/** Undefined when something is asked for that a host cannot have (wildcards, URIs, mail addresses). */
function namesOf(request: x509.Pkcs10CertificateRequest): AltName[] | undefined {
  const extension = request.extensions.find((each) => each instanceof x509.SubjectAlternativeNameExtension);
  const asked = extension?.names.toJSON() ?? [];
  if (asked.length > MOST_CERTIFICATE_NAMES) return undefined;
  const names: AltName[] = [];
  for (const { type, value } of asked) {
    if (type === 'dns' && CERTIFICATE_DNS_NAME.test(value)) names.push({ type, value });
    else if (type === 'ip' && isIP(value) !== 0) names.push({ type, value });
    else return undefined;
  }
  return names;
}
