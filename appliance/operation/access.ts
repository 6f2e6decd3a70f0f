import {
  type Area,
  type BearerClaims,
  claimFault,
  grantedTo,
  lackOf,
  type Right,
  type Role,
  scopesOf,
} from '#shared/access/index.ts';
import type { ReplicatedApiKey, ReplicatedApiToken } from '#shared/contract/access/index.ts';
import type { Scope } from '#shared/contract/provisioning/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';

/** Keys and tokens as the replica has them now. */
export interface KnownAccess {
  readonly apiKey: (kid: string) => ReplicatedApiKey | undefined;
  /** `hash`: SHA-256 of the token, lower-case hex. */
  readonly apiToken: (hash: string) => ReplicatedApiToken | undefined;
  readonly isRevoked: (jti: string) => boolean;
  /** Signed tokens with an older `iat` are refused, epoch ms; 0 = no cut. */
  readonly notBefore: number;
  /** `{base_url}` of the cloud. */
  readonly publicUrl: string | undefined;
}

/** Signatures and hashes, from the adapters. */
export interface BearerCrypto {
  readonly sha256Hex: (text: string) => string;
  /** `kid` of a JWT's header; undefined when the text is no JWT or has none. Nothing of it is verified. */
  readonly kidOf: (token: string) => string | undefined;
  /** One sentence for the caller when the signature, by this key and algorithm, or `exp` is not right at `nowMs`. */
  readonly verify: (
    token: string,
    key: Pick<ReplicatedApiKey, 'publicKey' | 'alg'>,
    nowMs: number,
  ) => Promise<Result<BearerClaims>>;
}

export interface AccessPorts {
  /** The one tenant of this site. */
  readonly domain: string;
  readonly access: KnownAccess;
  readonly siteBaseUrl: string;
  readonly crypto: BearerCrypto;
}

/** The caller, as logs name it: `key:<kid>` or `token:<id>`. */
export interface Caller {
  readonly name: string;
  readonly role: Role;
  /** null = everything. */
  readonly scopes: readonly Scope[] | null;
}

type AccessFailure = Failure<'unauthorized' | 'forbidden'>;

/**
 * May the bearer use runtime operations (`right` reading: read what there is) of `domain` here? One of several rights in one of several areas is enough. Decided from the replica alone, so with and without WAN: 401
 * (`unauthorized`) without a good token, 403 (`forbidden`) for another tenant and without role or scope. Only tokens of
 * this site's tenant are known here; a good one of another tenant is like any stranger's. Sessions and the platform
 * owner's own token are the cloud's.
 */
export async function admit(
  ports: AccessPorts,
  authorization: string | undefined,
  domain: string,
  nowMs: number,
  right: Right | readonly Right[] = 'operation',
  areas: readonly Area[] = ['runtime'],
): Promise<Result<Caller, AccessFailure>> {
  const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(authorization ?? '')?.[1];
  if (token === undefined)
    return refuse(
      'The request is not authenticated: it carries no token. Send the header Authorization: Bearer <token>.',
    );
  const signIn =
    token.split('.').length === 3 ? await keyHolder(ports, token, nowMs) : tokenHolder(ports, token, nowMs);
  if (!signIn.ok) return signIn;
  if (domain !== ports.domain)
    return fail(
      'forbidden',
      `Access is refused: this sign-in is not valid for the tenant ${domain}. Use a token of that tenant.`,
    );
  const rights = typeof right === 'string' ? [right] : right;
  const lack = lackOf(signIn.value, areas, rights);
  return lack === undefined ? signIn : fail('forbidden', lack);
}

const refuse = (reason: string) => fail('unauthorized', reason);

function tokenHolder(
  { access, crypto }: AccessPorts,
  token: string,
  nowMs: number,
): Result<Caller, AccessFailure> {
  const row = access.apiToken(crypto.sha256Hex(token));
  if (row === undefined)
    return refuse('The token is refused: it is unknown or was revoked. Create a new one.');
  if (row.expiresAt !== undefined && row.expiresAt <= nowMs)
    return refuse('The token is refused: it has expired. Create a new one.');
  return ok({ name: `token:${row.id}`, role: row.role, scopes: scopesOf(row.scope ?? null) });
}

async function keyHolder(
  { access, crypto, siteBaseUrl }: AccessPorts,
  token: string,
  nowMs: number,
): Promise<Result<Caller, AccessFailure>> {
  const kid = crypto.kidOf(token);
  if (kid === undefined)
    return refuse('The token is refused: it is not a JWT with a kid. Name the registered key in its header.');
  const key = access.apiKey(kid);
  if (key === undefined)
    return refuse(
      'The token is refused: no key with this kid is registered. Register the key, or sign with a registered one.',
    );
  const verified = await crypto.verify(token, key, nowMs);
  if (!verified.ok) return refuse(verified.error.reason);
  const claims = verified.value;
  const audiences = [siteBaseUrl, ...(access.publicUrl === undefined ? [] : [access.publicUrl])];
  const wrong = claimFault(claims, { notBefore: access.notBefore, audiences, nowMs });
  if (wrong !== null) return refuse(wrong);
  if (claims.jti !== undefined && access.isRevoked(claims.jti))
    return refuse('The token is refused: it was revoked. Sign a new one.');
  // A customer's own key is his administrator, here as in the cloud.
  return ok({
    name: `key:${kid}`,
    role: 'admin',
    scopes: grantedTo(scopesOf(key.scope ?? null), claims.scope),
  });
}
