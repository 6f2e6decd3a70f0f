import { X509Certificate } from 'node:crypto';
import type { HostIdentity } from '../../../site/index.ts';

/** The fields of an identity that a renewal changes. */
export type Renewed = Pick<HostIdentity, 'certificatePem' | 'caPem'>;

/**
 * The identity of this machine, one object for all who show it: whoever connects after a renewal shows the new
 * certificate, and connections that are open keep theirs.
 */
export class HeldIdentity implements HostIdentity {
  readonly uid: string;
  readonly tenant: string;
  readonly domain: string;
  readonly siteId: string;
  readonly hostId: string;
  readonly shard: string;
  readonly keyPem: string;
  readonly edgeUrl: string;
  readonly brokerUrl: string;
  readonly brokerUrls: readonly string[] | undefined;
  readonly plainJwt: boolean;
  readonly verifyKeys: HostIdentity['verifyKeys'];
  readonly siteKeyPem: string;
  #held: Renewed & { readonly beginsAtMs: number; readonly expiresAtMs: number };

  constructor(identity: Omit<HostIdentity, 'expiresAtMs'>) {
    this.uid = identity.uid;
    this.tenant = identity.tenant;
    this.domain = identity.domain;
    this.siteId = identity.siteId;
    this.hostId = identity.hostId;
    this.shard = identity.shard;
    this.keyPem = identity.keyPem;
    this.edgeUrl = identity.edgeUrl;
    this.brokerUrl = identity.brokerUrl;
    this.brokerUrls = identity.brokerUrls;
    this.plainJwt = identity.plainJwt;
    this.verifyKeys = identity.verifyKeys;
    this.siteKeyPem = identity.siteKeyPem;
    this.#held = datedOf(identity);
  }

  get certificatePem(): string {
    return this.#held.certificatePem;
  }

  get caPem(): string {
    return this.#held.caPem;
  }

  get beginsAtMs(): number {
    return this.#held.beginsAtMs;
  }

  get expiresAtMs(): number {
    return this.#held.expiresAtMs;
  }

  renew(renewed: Renewed): void {
    this.#held = datedOf(renewed);
  }
}

function datedOf({ certificatePem, caPem }: Renewed) {
  const { validFrom, validTo } = new X509Certificate(certificatePem);
  return { certificatePem, caPem, beginsAtMs: Date.parse(validFrom), expiresAtMs: Date.parse(validTo) };
}
