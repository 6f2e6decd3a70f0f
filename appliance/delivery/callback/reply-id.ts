import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** The content of a replyId (decisions 2): enough to route a later operation without looking anything up. */
export interface ReplyClaims {
  readonly domain: string;
  /** hostId of the owner at the time of the callback. */
  readonly host: string;
  /** Term of the site. */
  readonly epoch: number;
  readonly session: string;
  /** The part of the session that the callback was about: `alarm`, or a connection or participant id. */
  readonly refers: string;
  /** Issued at, epoch seconds. */
  readonly iat: number;
}

/** Ed25519 by the site key. */
export type SignEdDsa = (input: Uint8Array) => Uint8Array;
export type VerifyEdDsa = (input: Uint8Array, signature: Uint8Array) => boolean;

/** `typ` keeps a replyId from being taken for another token of the same key. */
const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', typ: 'carillon-reply' })).toString('base64url');

/** Compact JWS (RFC 7515 7.1). */
export function makeReplyId(claims: ReplyClaims, sign: SignEdDsa): string {
  const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${input}.${Buffer.from(sign(Buffer.from(input))).toString('base64url')}`;
}

/** A forged, foreign or expired handle is `replyIdInvalid` (status 400); `maxAgeS` is the longest session. */
export function readReplyId(
  token: string,
  expected: { readonly domain: string; readonly wallMs: number; readonly maxAgeS: number },
  verify: VerifyEdDsa,
): Result<ReplyClaims, Failure<'replyIdInvalid'>> {
  const [head, payload, signature, ...rest] = token.split('.');
  if (head !== header || payload === undefined || signature === undefined || rest.length > 0) {
    return fail('replyIdInvalid', 'this is no replyId', '/replyId');
  }
  if (!verify(Buffer.from(`${head}.${payload}`), Buffer.from(signature, 'base64url'))) {
    return fail('replyIdInvalid', 'the replyId was not issued by this site', '/replyId');
  }
  // Signed by ourselves, so the payload is what makeReplyId wrote.
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as ReplyClaims;
  if (claims.domain !== expected.domain) {
    return fail('replyIdInvalid', 'the replyId belongs to another tenant', '/replyId');
  }
  if (expected.wallMs / 1000 - claims.iat > expected.maxAgeS) {
    return fail('replyIdInvalid', 'the replyId has expired', '/replyId');
  }
  return ok(claims);
}
