import type { DeviceId, Domain } from '#shared/id.ts';
import type { StoredHa1 } from './digest.ts';
import type { DigestPolicy } from './digest-offer.ts';

/** A device as authentication sees it (provisioning API 2.5). */
export type Account = {
  readonly domain: Domain;
  readonly deviceId: DeviceId;
} & (
  | {
      readonly authType: 'credentials';
      readonly ha1: StoredHa1;
      /** Absent: `auto`. */
      readonly digestAlgorithm?: DigestPolicy | undefined;
    }
  | { readonly authType: 'userid'; readonly authorized: Authorized }
  | { readonly authType: 'deviceid' | 'disabled' }
);

/** The `authorized` object of a `userid` device, its pattern compiled. */
export interface Authorized {
  /** May it INVITE this destination: `sip:user@host` as on the wire, without port, parameters and header fields? */
  readonly invite: (destination: string) => boolean;
  readonly register: boolean;
  /** Host its From must name; undefined: any. */
  readonly domain?: string | undefined;
}

/** A trunk that was recognised by address or key. */
export interface TrunkAccount {
  readonly domain: Domain;
  readonly trunkId: string;
}

/** Whom authentication asks. Every answer comes at once, from memory. */
export interface Directory {
  /** The tenant a request is for: named by the host of From or Request-URI; addresses of this host mean its own. */
  readonly tenant: (fromHost: string, requestHost: string) => Domain;
  readonly device: (domain: Domain, deviceId: string) => Account | undefined;
  readonly trunk: (domain: Domain, claim: TrunkClaim) => TrunkAccount | undefined;
  /** The holder of a bearer token; undefined unless signature, time and tenant are right. */
  readonly bearer: (token: string) => TokenHolder | undefined;
}

/** The device a bearer token was issued to, and what it was allowed then. */
export interface TokenHolder {
  readonly domain: Domain;
  readonly deviceId: DeviceId;
  readonly authorized: Authorized;
}

export interface TrunkClaim {
  readonly address: string;
  /** X-Terminating-Trunk-Group-Id and X-Trunk-Key, when they stand in the request. */
  readonly groupId?: string;
  readonly key?: string;
}
