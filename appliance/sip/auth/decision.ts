import type { Domain } from '#shared/id.ts';
import type { Account, TrunkAccount } from './account.ts';
import type { Md5Cause } from './digest-offer.ts';

/** The sender of a request, once that is settled. */
export type Identity =
  | { readonly kind: 'device'; readonly account: Account }
  | { readonly kind: 'trunk'; readonly trunk: TrunkAccount }
  /** An alarm of a unit that is not registered: handled, and reported as `unknownDevice` (decisions: unknown unit). */
  | { readonly kind: 'unknownUnit'; readonly domain: Domain; readonly deviceId: string }
  /** ACK and CANCEL, which cannot be challenged (RFC 3261 22.1): they only reach what they match. */
  | { readonly kind: 'none' };

/** Why a request failed, for the platform alarm `authError`. Never sent to the sender. */
export type AuthErrorReason =
  | 'wrongCredentials'
  | 'unknownDevice'
  | 'disabled'
  | 'wrongTransport'
  | 'wrongToken'
  | 'notPermitted'
  | 'foreignAddressOfRecord';

export interface AuthError {
  readonly domain: Domain;
  readonly deviceId: string;
  readonly source: string;
  readonly method: string;
  readonly reason: AuthErrorReason;
}

/** A device is offered MD5 alone from now on: said to the tenant, and in its audit log. */
export interface Md5Alone {
  readonly deviceId: string;
  readonly source: string;
  readonly cause: Md5Cause;
}

export type Decision =
  | { readonly outcome: 'accepted'; readonly identity: Identity; readonly md5Alone?: Md5Alone }
  | {
      readonly outcome: 'challenged';
      /** Answer 401 with these WWW-Authenticate values, in this order. */
      readonly challenges: readonly string[];
      /** Answer so much later (ms); 0 for everybody in good standing. */
      readonly delayMs: number;
      readonly authError?: AuthError;
      readonly md5Alone?: Md5Alone;
    }
  | {
      /** Answer 403. */
      readonly outcome: 'refused';
      readonly delayMs: number;
      readonly authError?: AuthError;
    }
  /** Answer nothing at all. */
  | { readonly outcome: 'ignored' };
