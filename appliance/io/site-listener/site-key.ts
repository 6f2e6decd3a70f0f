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
 * Before its enrolment a machine signs with a key that no other machine knows. `replicated`: the platform's keys that came
 * since; as soon as there are any, those of the enrolment no longer count for tokens, so that a key can be withdrawn.
 */
export function siteKeys(
  identity: HostIdentity | undefined,
  replicated: () => readonly VerifyKey[] = () => [],
): SiteKeys {
  const pem = identity?.siteKeyPem ?? temporarySiteKey();
  const signer = siteSigner(pem);
  const pinned = identity?.verifyKeys ?? [];
  return {
    ...replyKey(pem),
    siteSigner: signer,
    readToken: deviceTokenReader(() => (replicated().length > 0 ? replicated() : pinned), signer),
  };
}
