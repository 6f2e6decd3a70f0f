import { createHash, X509Certificate } from 'node:crypto';
import { CipherContext, HashAlgorithm, NamedCurveAlgorithm, SignatureAlgorithm } from 'werift';
import type { Fingerprint, FingerprintAlgorithm } from '../../media/webrtc/index.ts';

/** A self-signed certificate: its hash in the description counts. */
export interface DtlsCertificate {
  readonly cert: string;
  readonly key: string;
  readonly signatureHash: Awaited<
    ReturnType<typeof CipherContext.createSelfSignedCertificateWithKey>
  >['signatureHash'];
  readonly fingerprint: Fingerprint;
}

/** P-256; each start of the thread makes a new one, so that it identifies no user over time. */
export async function makeCertificate(): Promise<DtlsCertificate> {
  const { certPem, keyPem, signatureHash } = await CipherContext.createSelfSignedCertificateWithKey(
    { signature: SignatureAlgorithm.ecdsa_3, hash: HashAlgorithm.sha256_4 },
    NamedCurveAlgorithm.secp256r1_23,
  );
  const hash = digest('sha-256', new X509Certificate(certPem).raw);
  return { cert: certPem, key: keyPem, signatureHash, fingerprint: { algorithm: 'sha-256', hash } };
}

export const digest = (algorithm: FingerprintAlgorithm, bytes: Uint8Array): Uint8Array =>
  createHash(algorithm.replace('-', '')).update(bytes).digest();
