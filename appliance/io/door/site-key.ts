import type { HostIdentity } from '../../site/index.ts';
import { type ReplyKey, replyKey } from '../http/index.ts';
import { deviceTokenReader, type SiteSigner, siteSigner, temporarySiteKey } from './device-token.ts';

/** What the key of the site is for: reply ids (`sign`, `verify`) and tokens of devices. */
export interface SiteKeys extends ReplyKey {
  readonly siteSigner: SiteSigner;
  /** Reads device tokens of the site and of the platform. */
  readonly readToken: ReturnType<typeof deviceTokenReader>;
}

/** Before its enrolment a machine signs with a key that nobody knows. */
export function siteKeys(identity: HostIdentity | undefined): SiteKeys {
  const pem = identity?.siteKeyPem ?? temporarySiteKey();
  const signer = siteSigner(pem);
  return {
    ...replyKey(pem),
    siteSigner: signer,
    readToken: deviceTokenReader(identity?.verifyKeys ?? [], signer),
  };
}
