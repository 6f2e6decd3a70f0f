import { checkServerIdentity, type PeerCertificate } from 'node:tls';

/** URI that only the control plane's own listeners carry in their certificate. */
const CLOUD = 'URI:urn:carillon:cloud';

/**
 * Is the other side the control plane? The name must fit, and the certificate must be one of its own listeners: hosts
 * are certified by the same authority and may ask for any name.
 */
export function checkCloudIdentity(host: string, certificate: PeerCertificate): Error | undefined {
  const wrongName = checkServerIdentity(host, certificate);
  if (wrongName !== undefined) return wrongName;
  const names = (certificate.subjectaltname ?? '').split(', ');
  return names.includes(CLOUD)
    ? undefined
    : new Error(`${host} shows a certificate of this platform that is not the control plane's`);
}
