import * as x509 from '@peculiar/x509';
import { ALGORITHM, type Issuer } from './certificate.ts';

/** A certificate that must not open anything any more. */
export interface Revoked {
  /** Lower-case hex. */
  readonly serial: string;
  readonly at: number;
}

const DAY_MS = 86_400_000;
/** How long a broker may go on with this list. */
const LIST_DAYS = 7;

/** X.509 revocation list (RFC 5280, section 5) of the intermediate, PEM: for brokers that are not ours. */
export async function issueRevocationList(
  issuer: Issuer,
  revoked: readonly Revoked[],
  nowMs: number,
): Promise<string> {
  const list = await x509.X509CrlGenerator.create({
    issuer: issuer.certificate.subject,
    thisUpdate: new Date(nowMs - DAY_MS),
    nextUpdate: new Date(nowMs + LIST_DAYS * DAY_MS),
    entries: revoked.map(({ serial, at }) => ({ serialNumber: serial, revocationDate: new Date(at) })),
    signingAlgorithm: ALGORITHM,
    signingKey: issuer.key,
  });
  // RFC 7468, section 6: OpenSSL, and so every broker, reads no other label.
  return `${x509.PemConverter.encode(list.rawData, 'X509 CRL')}\n`;
}
