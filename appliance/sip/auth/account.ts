import type { DeviceId, Domain } from '#shared/id.ts';
import type { StoredHa1 } from './digest.ts';

/** What a device is to authentication (provisioning API 2.5). */
export type Account = {
  readonly domain: Domain;
  readonly deviceId: DeviceId;
} & (
  | { readonly authType: 'credentials'; readonly ha1: StoredHa1 }
  | { readonly authType: 'userid'; readonly authorized: Authorized }
  | { readonly authType: 'deviceid' | 'disabled' }
);

/** The `authorized` object of a `userid` device, its pattern compiled. */
export interface Authorized {
  /** May it INVITE this destination (user part of the Request-URI)? */
  readonly invite: (destination: string) => boolean;
  readonly register: boolean;
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
  /** The device a bearer token was issued to; undefined unless signature, time and audience are right. */
  readonly bearer: (token: string) => { readonly domain: Domain; readonly deviceId: DeviceId } | undefined;
}

export interface TrunkClaim {
  readonly address: string;
  /** X-Terminating-Trunk-Group-Id and X-Trunk-Key, when they stand in the request. */
  readonly groupId?: string;
  readonly key?: string;
}
