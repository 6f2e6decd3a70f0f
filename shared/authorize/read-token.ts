import { fail, ok, type Result } from '../result.ts';
import { DEVICE_TOKEN_TYP, type DeviceTokenClaims, deviceTokenClaimsSchema } from './device-token.ts';

const TOLERANCE_S = 60;

/** A compact JWS whose signature was checked by the key that its `kid` names. */
export interface VerifiedJws {
  readonly typ: unknown;
  readonly payload: unknown;
}

const refuse = (reason: string) => fail('unauthorized', reason);

/**
 * Reads the claims of a device's bearer token: the second half of its check, after the signature. `verified` undefined = the
 * signature is of no key known here, or the algorithm is not EdDSA. Needs no network.
 */
export function readDeviceToken(
  verified: VerifiedJws | undefined,
  domain: string,
  nowMs: number,
): Result<DeviceTokenClaims> {
  if (verified === undefined || verified.typ !== DEVICE_TOKEN_TYP)
    return refuse('The token is no device token of this platform or site.');
  const { data: claims } = deviceTokenClaimsSchema.safeParse(verified.payload);
  if (claims === undefined) return refuse('The device token lacks a claim.');
  if (claims.domain !== domain) return refuse('The device token is of another tenant.');
  const nowS = nowMs / 1000;
  if (claims.exp <= nowS - TOLERANCE_S) return refuse('The device token has ended; sign in again.');
  if (claims.iat > nowS + TOLERANCE_S) return refuse('The device token is from the future; check the clock.');
  return ok(claims);
}
