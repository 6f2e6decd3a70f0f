import type { VerifyKey } from '#shared/contract/site/index.ts';
import type { HostIdentity } from '../../site/index.ts';
import { type ReplyKey, replyKey } from '../http/index.ts';
import { deviceTokenReader, type SiteSigner, siteSigner, temporarySiteKey } from './device-token.ts';

/** The uses of the key of the site: reply ids (`sign`, `verify`) and tokens of devices. */
export interface SiteKeys extends ReplyKey {
  readonly siteSigner: SiteSigner;
  /** Reads device tokens of the site and of the platform. */
  readonly readToken: ReturnType<typeof deviceTokenReader>;
}

/**
 * Before its enrolment a machine signs with a key that no other machine knows. `believed`: the keys of the platform that count
 * for tokens now; without it those of the enrolment.
 */
export function siteKeys(
  identity: HostIdentity | undefined,
  believed: () => readonly VerifyKey[] = () => identity?.verifyKeys ?? [],
): SiteKeys {
  const pem = identity?.siteKeyPem ?? temporarySiteKey();
  const signer = siteSigner(pem);
  return {
    ...replyKey(pem),
    siteSigner: signer,
    readToken: deviceTokenReader(believed, signer),
  };
}
