import { SCOPES, type Scope } from '../contract/provisioning/index.ts';

/** Claims of a customer's token whose signature was checked (RFC 7519). Times are epoch seconds. */
export interface BearerClaims {
  readonly sub?: string | undefined;
  readonly aud?: string | string[] | undefined;
  readonly iat?: number | undefined;
  readonly exp?: number | undefined;
  readonly scope?: unknown;
  readonly jti?: string | undefined;
}

/** Clocks of two machines may differ by this. */
export const TOLERANCE_S = 60;
export const LONGEST_LIFE_S = 86_400;

/** The rules of the verifier of tokens, for its deployment and the tenant. */
export interface ClaimRule {
  /** Tokens with an older `iat` are refused, epoch ms; 0 = no cut. */
  readonly notBefore: number;
  /** Web addresses that `aud` may name. */
  readonly audiences: readonly string[];
  readonly nowMs: number;
}

/**
 * Checks the registered claims beyond RFC 7519: a short life, this deployment, not from before a cut. One sentence
 * for the caller, or null when nothing is wrong. Expiry itself was checked with the signature.
 */
export function claimFault(claims: BearerClaims, { notBefore, audiences, nowMs }: ClaimRule): string | null {
  const { iat = 0, exp = 0, aud, sub, scope } = claims;
  const nowS = nowMs / 1000;
  if (typeof sub !== 'string' || sub === '') return 'The token has no sub.';
  if (iat > nowS + TOLERANCE_S) return 'The token is from the future: check the clock of its maker.';
  if (exp > nowS + LONGEST_LIFE_S + TOLERANCE_S) return 'The token lives longer than 24 h.';
  if (iat * 1000 < notBefore) return 'Tokens of that time are no longer accepted.';
  if (aud !== undefined && !namesUs(aud, audiences)) return 'The token is for another audience.';
  if (scope !== undefined && !isScope(scope)) return `The scope must be words of: ${SCOPES.join(', ')}.`;
  return null;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

function namesUs(aud: string | string[], audiences: readonly string[]): boolean {
  const ours = audiences.map(withoutSlash);
  return [aud].flat().some((name) => ours.includes(withoutSlash(name)));
}

const isScope = (scope: unknown): scope is string =>
  typeof scope === 'string' && scope.split(' ').every((word) => (SCOPES as readonly string[]).includes(word));

/** Scopes as a list; null = everything. */
export const scopesOf = (text: string | null): readonly Scope[] | null =>
  text === null ? null : (text.split(' ') as Scope[]);

/** Scopes of a signed token: what its key may and what it asks for; both limits hold. */
export function grantedTo(key: readonly Scope[] | null, claimed: unknown): readonly Scope[] | null {
  const token = scopesOf(typeof claimed === 'string' ? claimed : null);
  if (key === null || token === null) return key ?? token;
  return token.filter((scope) => key.includes(scope));
}
