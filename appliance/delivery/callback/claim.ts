import type { RestAuthentication } from './call.ts';

/** Lifetime of a token: long enough for a clock that is wrong by some minutes (decisions 4.1). */
const lifetimeS = 300;

/** Claims of the bearer token; times in epoch seconds (RFC 7519 4.1). */
export interface CallbackClaims {
  readonly [claim: string]: unknown;
  readonly sub?: string;
  readonly scope?: string;
  /** The tenant. */
  readonly iss: string;
  /** Origin of the URL. */
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly jti: string;
  /** SHA-256 of the body, lower-case hex: the token speaks for this body only. */
  readonly bodySha256: string;
}

export function callbackClaims(
  entry: RestAuthentication,
  request: { domain: string; url: string; bodySha256: string; wallMs: number; jti: string },
): CallbackClaims {
  const iat = Math.floor(request.wallMs / 1000);
  return {
    ...(entry.sub === undefined ? {} : { sub: entry.sub }),
    ...(entry.scope === undefined ? {} : { scope: entry.scope }),
    iss: request.domain,
    aud: new URL(request.url).origin,
    iat,
    exp: iat + lifetimeS,
    jti: request.jti,
    bodySha256: request.bodySha256,
  };
}
