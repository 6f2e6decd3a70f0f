import type { HostPlace } from '#shared/contract/feed/index.ts';
import type { VerifyKey } from '#shared/contract/site/index.ts';

/** The identity of this machine since its enrolment. The private keys were made here and never leave it. */
export interface HostIdentity {
  /** ULID, unique everywhere: client id, common name of the certificate, level of the topics. */
  readonly uid: string;
  /** Stable id of the tenant; `domain` may be renamed. */
  readonly tenant: string;
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
  /** `00` … `3f`. */
  readonly shard: string;
  /** PEM: leaf, then intermediate. Client certificate, and certificate of our own listeners. */
  readonly certificatePem: string;
  /** PKCS#8 PEM of the ECDSA P-256 key. */
  readonly keyPem: string;
  /** PEM: roots for edge listener, broker and peers. */
  readonly caPem: string;
  /** End of the certificate, epoch ms. */
  readonly expiresAtMs: number;
  readonly edgeUrl: string;
  readonly brokerUrl: string;
  /** Every broker, where there were several at the enrolment. */
  readonly brokerUrls?: readonly string[] | undefined;
  /** The broker takes a short JWT as password instead of a client certificate; loopback only. */
  readonly plainJwt: boolean;
  /** Pinned at enrolment: what is not signed by one of these is refused. */
  readonly verifyKeys: readonly VerifyKey[];
  /** PKCS#8 PEM of the Ed25519 key by which the hosts of the site sign `replyId`. */
  readonly siteKeyPem: string;
}

export const placeOf = ({ shard, tenant, siteId, uid }: HostIdentity): HostPlace => ({
  sh: shard,
  tenant,
  siteId,
  uid,
});

/**
 * The keys of the platform that are believed now: those of the configuration, and until there are any those of the enrolment.
 * Thereby a key of the enrolment can be withdrawn.
 */
export const believedKeys = (
  replicated: readonly VerifyKey[] | undefined,
  identity: Pick<HostIdentity, 'verifyKeys'> | undefined,
): readonly VerifyKey[] =>
  replicated !== undefined && replicated.length > 0 ? replicated : (identity?.verifyKeys ?? []);
