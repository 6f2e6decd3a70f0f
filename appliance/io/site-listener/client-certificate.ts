import { X509Certificate } from 'node:crypto';
import type { Certificate } from '../https-listener/index.ts';

/** clientAuth and anyExtendedKeyUsage. */
const CLIENT_USES: readonly string[] = ['1.3.6.1.5.5.7.3.2', '2.5.29.37.0'];

/**
 * The certificate that a server is shown which asks for ours: a trunk over TLS. The customer's own comes first; one that is for
 * servers alone (RFC 5280 4.2.1.12) would be refused, so the one of the enrolment stands in, which may be either. Without an
 * enrolment we still show the customer's: some servers do not look at its uses.
 *
 * @param own what the listeners show; with `issued` the same, there is no choice
 * @param issued of the enrolment
 * @returns `warning`: an action that a person may have to take
 */
export function chooseClientCertificate(
  own: Certificate,
  issued: Certificate | undefined,
): { readonly client: Certificate; readonly warning?: string } {
  if (mayConnect(own)) return { client: own };
  const shown =
    issued === undefined
      ? 'it is shown nevertheless, and may be refused'
      : 'the one of the enrolment is shown instead; such a trunk must trust the authority of the platform';
  return {
    client: issued ?? own,
    warning: `the certificate of CARILLON_TLS_CERT is for servers alone (its extended key usage lacks clientAuth): to a SIP trunk that asks for our certificate ${shown}. To show your own, get one with clientAuth`,
  };
}

/** A certificate that names no uses has all of them. The first certificate of a chain counts, which is ours. */
function mayConnect({ cert }: Certificate): boolean {
  // Node leaves it out where the extension is missing, whatever its type says.
  const uses: readonly string[] | undefined = new X509Certificate(cert).keyUsage;
  return uses === undefined || uses.some((use) => CLIENT_USES.includes(use));
}
