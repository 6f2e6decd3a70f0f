import { decodeProtectedHeader, errors, importJWK, type JWTPayload, jwtVerify } from 'jose';
import { SCOPES, type Scope } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { type ApiKeyRow, apiKeysByKid, apiTokenByHash, type TenantRow } from '../store/index.ts';
import type { TenancyPort } from './port.ts';
import { type Principal, scopesOf } from './principal.ts';

const TOLERANCE_S = 60;
const LONGEST_LIFE_S = 86_400;
/** Keys of one kid that are tried, over all tenants: a kid is unique in its tenant only. */
const KEYS_TRIED = 8;
/** Imported keys kept, so that a signature check is all a request costs. */
const KEYS_KEPT = 1_000;

type VerifyKey = Awaited<ReturnType<typeof importJWK>>;

const refuse = (reason: string) => fail('unauthorized', reason);

/**
 * Says who a bearer token speaks for. `domain` is the tenant of the path, if the path has one: its key is tried first,
 * then the same kid of other tenants, so that a good token at a foreign tenant is known for what it is.
 */
export type SignIn = (token: string, domain: string | undefined, nowMs: number) => Promise<Result<Principal>>;

export function createSignIn(port: TenancyPort): SignIn {
  const verifyKey = keyCache();
  return async (token, domain, nowMs) => {
    if (port.sha256(token) === port.bootstrapTokenHash) return ok(PLATFORM_OWNER);
    const isJwt = token.split('.').length === 3;
    return isJwt
      ? await keyHolder(port, verifyKey, token, domain, nowMs)
      : await tokenHolder(port, token, nowMs);
  };
}

/** The person behind the bootstrap token. */
export const PLATFORM_OWNER_ID = 'platform-owner';

const PLATFORM_OWNER: Principal = {
  name: `person:${PLATFORM_OWNER_ID}`,
  personId: PLATFORM_OWNER_ID,
  platformOwner: true,
  tenant: null,
  role: 'owner',
  scopes: null,
};

async function tokenHolder(port: TenancyPort, token: string, nowMs: number): Promise<Result<Principal>> {
  const found = await apiTokenByHash(port.store, port.sha256(token));
  if (found === undefined) return refuse('The token is not known or was revoked.');
  const { tenant, token: row, platformOwner } = found;
  if (row.expiresAt !== null && row.expiresAt <= nowMs)
    return refuse('The token has expired; make a new one.');
  // A token acts for its maker: with the role that person has now, and not at all when there is none left.
  const role = row.person === null ? 'admin' : platformOwner === true ? 'owner' : found.role;
  if (role === null) return refuse('The person this token acts for has no role in the tenant any more.');
  return ok({
    name: `token:${row.id}`,
    ...(row.person === null ? {} : { personId: row.person }),
    platformOwner: false,
    tenant: { id: tenant.id, domain: tenant.domain },
    role,
    scopes: scopesOf(row.scope),
  });
}

async function keyHolder(
  port: TenancyPort,
  verifyKey: (row: ApiKeyRow) => Promise<VerifyKey>,
  token: string,
  domain: string | undefined,
  nowMs: number,
): Promise<Result<Principal>> {
  let kid: string | undefined;
  try {
    kid = decodeProtectedHeader(token).kid;
  } catch {
    return refuse('The token is no JWT.');
  }
  if (typeof kid !== 'string') return refuse('The token has no kid; name the registered key in its header.');
  const candidates = await apiKeysByKid(port.store, kid, domain, KEYS_TRIED);
  let last = refuse('No key with this kid is registered, or it was deleted.');
  for (const { key, tenant } of candidates) {
    try {
      const payload = await verified(token, await verifyKey(key), key, nowMs);
      const wrong = claimFault(payload, tenant, port.publicUrl, nowMs);
      return wrong === null ? holderOf(key, tenant, payload) : refuse(wrong);
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      last = refuse(faultOf(error));
      // A signature that fits is an answer, whatever else is wrong with the token.
      if (error instanceof errors.JWTExpired || error instanceof errors.JWTClaimValidationFailed) return last;
    }
  }
  return last;
}

async function verified(token: string, key: VerifyKey, row: ApiKeyRow, nowMs: number): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, key, {
    // Never what the token's header asks for: the algorithm was fixed when the key was registered.
    algorithms: row.alg === 'EdDSA' ? ['EdDSA', 'Ed25519'] : [row.alg],
    currentDate: new Date(nowMs),
    clockTolerance: TOLERANCE_S,
    requiredClaims: ['sub', 'iat', 'exp'],
  });
  return payload;
}

/** What the registered claims must be beyond RFC 7519: a short life, this deployment, not from before a cut. */
function claimFault(payload: JWTPayload, tenant: TenantRow, publicUrl: string, nowMs: number): string | null {
  const { iat = 0, exp = 0, aud, sub, scope } = payload as JWTPayload & { scope?: unknown };
  const nowS = nowMs / 1000;
  if (typeof sub !== 'string' || sub === '') return 'The token has no sub.';
  if (iat > nowS + TOLERANCE_S) return 'The token is from the future: check the clock of its maker.';
  if (exp > nowS + LONGEST_LIFE_S + TOLERANCE_S) return 'The token lives longer than 24 h.';
  if (iat * 1000 < tenant.notBefore) return 'Tokens of that time are no longer accepted.';
  if (aud !== undefined && !namesUs(aud, publicUrl)) return 'The token is for another audience.';
  if (scope !== undefined && !isScope(scope)) return `The scope must be words of: ${SCOPES.join(', ')}.`;
  return null;
}

const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const namesUs = (aud: string | string[], publicUrl: string): boolean =>
  [aud].flat().some((name) => withoutSlash(name) === withoutSlash(publicUrl));

const isScope = (scope: unknown): scope is string =>
  typeof scope === 'string' && scope.split(' ').every((word) => (SCOPES as readonly string[]).includes(word));

function holderOf(
  key: ApiKeyRow,
  tenant: TenantRow,
  payload: JWTPayload & { scope?: string },
): Result<Principal> {
  return ok({
    name: `key:${key.kid}`,
    kid: key.kid,
    platformOwner: false,
    tenant: { id: tenant.id, domain: tenant.domain },
    // Chosen: a customer's own key is his administrator; its scope says less where less is wanted.
    role: 'admin',
    scopes: narrowed(scopesOf(key.scope), scopesOf(payload.scope ?? null)),
  });
}

/** Both limits hold. */
function narrowed(key: readonly Scope[] | null, token: readonly Scope[] | null): readonly Scope[] | null {
  if (key === null || token === null) return key ?? token;
  return token.filter((scope) => key.includes(scope));
}

function faultOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return 'The token has expired.';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The algorithm is not the one the key was registered with.';
  if (error instanceof errors.JWTClaimValidationFailed)
    return `The claim ${error.claim} is missing or wrong.`;
  return 'The signature does not fit the registered key.';
}

function keyCache(): (row: ApiKeyRow) => Promise<VerifyKey> {
  const kept = new Map<string, Promise<VerifyKey>>();
  return (row) => {
    // A key registered again under the same kid has another time.
    const name = `${row.tenant} ${row.kid} ${row.createdAt}`;
    const known = kept.get(name);
    if (known !== undefined) return known;
    if (kept.size >= KEYS_KEPT) kept.clear();
    const imported = Promise.resolve(importJWK(row.jwk, row.alg));
    kept.set(name, imported);
    return imported;
  };
}
