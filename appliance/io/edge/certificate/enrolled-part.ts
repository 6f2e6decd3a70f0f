import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { EnrolledAnswer } from '#shared/contract/site/index.ts';

/**
 * Why an enrolment cannot be kept, looked at before any of it is written: identity files of which one fits no other would end each
 * start of the host. Undefined: its parts fit.
 */
export function misfit({ certificate, siteKey }: EnrolledAnswer, keyPem: string): string | undefined {
  if (!isDone(() => createPrivateKey({ key: { ...siteKey }, format: 'jwk' })))
    return 'the site key in the answer to the claim is no Ed25519 key';
  const isOurs = isDone(() => {
    if (!new X509Certificate(certificate).checkPrivateKey(createPrivateKey(keyPem)))
      throw new Error('another key');
  });
  return isOurs ? undefined : 'the certificate in the answer to the claim is not for the key of this host';
}

function isDone(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}
