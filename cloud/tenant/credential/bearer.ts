import { claimFault, grantedTo } from '#shared/access/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import {
  type ApiKeyRow,
  apiKeysByKid,
  apiTokenByHash,
  isRevoked,
  type PersonRow,
  type TenantRow,
} from '../../store/index.ts';
import { PLATFORM_OWNER_ID, PLATFORM_OWNER_REF, rightsOf } from './maker.ts';
import type { Claims, TenancyPort } from './port.ts';
import type { Principal } from './principal.ts';

/** Keys of one kid that are tried, over all tenants: a kid is unique in its tenant only. */
const KEYS_TRIED = 8;

const refuse = (reason: string) => fail('unauthorized', reason);

/**
 * Says who a bearer token speaks for. `domain` is the tenant of the path, if the path has one: its key is tried first,
 * then the same kid of other tenants, so that a good token at a foreign tenant is known for what it is.
 */
export type SignIn = (token: string, domain: string | undefined, nowMs: number) => Promise<Result<Principal>>;

export function createSignIn(port: TenancyPort): SignIn {
  return async (token, domain, nowMs) => {
    if (port.sha256(token) === port.bootstrapTokenHash) return ok(PLATFORM_OWNER);
    const isJwt = token.split('.').length === 3;
    return isJwt ? await keyHolder(port, token, domain, nowMs) : await tokenHolder(port, token, nowMs);
  };
}

/** The person behind the bootstrap token, before anybody has set the account up. */
export const platformOwner = (createdAt: number): PersonRow => ({
  id: PLATFORM_OWNER_ID,
  email: PLATFORM_OWNER_ID,
  platformOwner: true,
  createdAt,
  passwordHash: null,
  profile: null,
});

const PLATFORM_OWNER: Principal = {
  name: PLATFORM_OWNER_REF,
  personId: PLATFORM_OWNER_ID,
  platformOwner: true,
  tenant: null,
  role: 'owner',
  scopes: null,
};

async function tokenHolder(port: TenancyPort, token: string, nowMs: number): Promise<Result<Principal>> {
  const found = await apiTokenByHash(port.store, port.sha256(token));
  if (found === undefined)
    return refuse('The token is refused: it is unknown or was revoked. Create a new one.');
  const { tenant, token: row } = found;
  if (row.expiresAt !== null && row.expiresAt <= nowMs)
    return refuse('The token is refused: it has expired. Create a new one.');
  // A token may do what its makers may do now, and nothing when one of them is removed.
  const rights = await rightsOf(port.store, tenant.id, `token:${row.id}`, nowMs);
  if (rights === undefined) return refuse(MAKER_REMOVED);
  return ok({
    name: `token:${row.id}`,
    ...(row.person === null ? {} : { personId: row.person }),
    platformOwner: false,
    tenant: { id: tenant.id, domain: tenant.domain },
    role: rights.role,
    scopes: rights.scopes,
    ...(rights.endsAt === null ? {} : { endsAt: rights.endsAt }),
  });
}

const MAKER_REMOVED =
  'The token is refused: its creator has no role in the tenant any more. Let an owner create a new one.';

async function keyHolder(
  port: TenancyPort,
  token: string,
  domain: string | undefined,
  nowMs: number,
): Promise<Result<Principal>> {
  const kid = port.token.kidOf(token);
  if (kid === undefined)
    return refuse('The token is refused: it is not a JWT with a kid. Name the registered key in its header.');
  let last = refuse(
    'The token is refused: no key with this kid is registered. Register the key, or sign with a registered one.',
  );
  for (const { key, tenant } of await apiKeysByKid(port.store, kid, domain, KEYS_TRIED)) {
    const verified = await port.token.verify(token, key.jwk, key.alg, nowMs);
    if (verified.ok) {
      const { notBefore } = tenant;
      const wrong = claimFault(verified.value, { notBefore, audiences: [port.publicUrl], nowMs });
      if (wrong !== null) return refuse(wrong);
      const { jti } = verified.value;
      if (jti !== undefined && (await isRevoked(port.store, tenant.id, jti)))
        return refuse('The token is refused: it was revoked. Sign a new one.');
      return await holderOf(port, key, tenant, verified.value, nowMs);
    }
    last = refuse(verified.error.reason);
    // A signature that fits is an answer, whatever else is wrong with the token.
    if (verified.error.code === 'claim') return last;
  }
  return last;
}

/** Chosen: a customer's own key is his administrator; its scope says less where less is wanted, and its makers limit it. */
async function holderOf(
  { store }: TenancyPort,
  key: ApiKeyRow,
  tenant: TenantRow,
  claims: Claims,
  nowMs: number,
): Promise<Result<Principal>> {
  const rights = await rightsOf(store, tenant.id, `key:${key.kid}`, nowMs);
  if (rights === undefined)
    return refuse(
      'The token is refused: the creator of its key has no role in the tenant any more. Register a new key.',
    );
  return ok({
    name: `key:${key.kid}`,
    kid: key.kid,
    platformOwner: false,
    tenant: { id: tenant.id, domain: tenant.domain },
    role: rights.role,
    scopes: grantedTo(rights.scopes, claims.scope),
    ...(rights.endsAt === null ? {} : { endsAt: rights.endsAt }),
  });
}
