import { personByEmail, recordAudit, type Store } from '../store/index.ts';
import { auditLog } from './audit-log.ts';
import { apiKeys } from './credential/api-key.ts';
import { apiTokens } from './credential/api-token.ts';
import { deviceSignIn } from './credential/authorize.ts';
import { createSignIn } from './credential/bearer.ts';
import type { TenancyPort } from './credential/port.ts';
import { cachedSignIn } from './credential/sign-in-cache.ts';
import { signInTries } from './credential/sign-in-tries.ts';
import { profiles } from './person/profile.ts';
import { secondFactors } from './person/second-factor.ts';
import { sessions } from './person/session.ts';
import { setup } from './person/setup.ts';
import { users } from './person/user.ts';
import { revocations } from './revocation.ts';
import { tenants } from './tenant.ts';

export { type Area, isAllowed, lackOf, type Right } from '#shared/access/index.ts';
export type { ApiTokenCreated } from './credential/api-token.ts';
export type { SignIn } from './credential/bearer.ts';
export { mayAnswerAlarms, mayClaim, mayReadPrompts } from './credential/maker.ts';
export type {
  Claims,
  PublicJwk,
  PublicKeyForm,
  TenancyPort,
  TenantHold,
  TokenPort,
} from './credential/port.ts';
export type { Principal, TenantName } from './credential/principal.ts';
export { checkFresh, type PersonSession } from './person/session.ts';
export type { Invited } from './person/setup.ts';

/** Tenants, and who may come in. */
export function createTenancy(port: TenancyPort) {
  // One counter: a link that asks for a password is no second way to guess it.
  const tries = signInTries(port.store, port.sha256, ({ name, source }, at) => {
    tellLock(port.store, name, source, at).catch(() => undefined);
  });
  const secondFactor = secondFactors(port, tries);
  return {
    tenant: tenants(port),
    apiKey: apiKeys(port),
    apiToken: apiTokens(port),
    revocation: revocations(port),
    audit: auditLog(port),
    signIn: cachedSignIn(createSignIn(port), port.store),
    session: sessions(port, tries, secondFactor),
    secondFactor,
    setup: setup(port, tries, secondFactor),
    user: users(port),
    profile: profiles(port),
    authorize: deviceSignIn(port),
  };
}

export type Tenancy = ReturnType<typeof createTenancy>;

/** The audit log of the platform shows which person is being guessed, and from where. */
async function tellLock(store: Store, email: string, address: string, at: number): Promise<void> {
  const person = await personByEmail(store, email);
  if (person === undefined) return;
  const entry = { tenant: '', action: 'sign in locked', entity: 'person', entityId: person.id };
  await store.withTx((tx) => recordAudit(tx, { name: 'visitor', address, requestId: '', at }, entry));
}
