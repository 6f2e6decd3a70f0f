import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import type { EnrolledAnswer } from '#shared/contract/site/index.ts';

/**
 * Why an enrolment cannot be kept, looked at before any of it is written: identity files of which one fits no other would end each
 * start of the host. Undefined: its parts fit.
 */
export function misfit({ certificate, siteKey }: EnrolledAnswer, keyPem: string): string | undefined {
  if (!isKey(siteKey)) return 'the site key in the answer to the claim is no Ed25519 key';
  return isForKey(certificate, keyPem)
    ? undefined
    : 'the certificate in the answer to the claim is not for the key of this host';
}

/** Whether a certificate (PEM) can be read and is for this private key (PEM). */
export function isForKey(certificatePem: string, keyPem: string): boolean {
  const own = createPublicKey(createPrivateKey(keyPem));
  try {
    return new X509Certificate(certificatePem).publicKey.equals(own);
  } catch {
    return false;
  }
}

function isKey(key: EnrolledAnswer['siteKey']): boolean {
  try {
    createPrivateKey({ key: { ...key }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}
