import { LoginAttempts } from '#shared/authorize/index.ts';
import { apiKeys } from './api-key.ts';
import { apiTokens } from './api-token.ts';
import { auditLog } from './audit-log.ts';
import { deviceSignIn } from './authorize.ts';
import { createSignIn } from './bearer.ts';
import type { TenancyPort } from './port.ts';
import { profiles } from './profile.ts';
import { revocations } from './revocation.ts';
import { sessions } from './session.ts';
import { setup } from './setup.ts';
import { cachedSignIn } from './sign-in-cache.ts';
import { tenants } from './tenant.ts';
import { users } from './user.ts';

export { type Area, isAllowed, type Right } from '#shared/access/index.ts';
export type { ApiTokenCreated } from './api-token.ts';
export type { SignIn } from './bearer.ts';
export { mayClaim, mayReadPrompts } from './maker.ts';
export type { Claims, PublicJwk, PublicKeyForm, TenancyPort, TenantHold, TokenPort } from './port.ts';
export type { Principal, TenantName } from './principal.ts';
export { checkFresh, type PersonSession } from './session.ts';
export type { Invited } from './setup.ts';

/** Tenants, and who may come in. */
export function createTenancy(port: TenancyPort) {
  // One book: a link that asks for a password is no second way to guess it.
  const tries = new LoginAttempts();
  return {
    tenant: tenants(port),
    apiKey: apiKeys(port),
    apiToken: apiTokens(port),
    revocation: revocations(port),
    audit: auditLog(port),
    signIn: cachedSignIn(createSignIn(port), port.store),
    session: sessions(port, tries),
    setup: setup(port, tries),
    user: users(port),
    profile: profiles(port),
    authorize: deviceSignIn(port),
  };
}

export type Tenancy = ReturnType<typeof createTenancy>;
