import { apiKeys } from './api-key.ts';
import { apiTokens } from './api-token.ts';
import { auditLog } from './audit-log.ts';
import { createSignIn } from './bearer.ts';
import type { TenancyPort } from './port.ts';
import { tenants } from './tenant.ts';

export type { ApiTokenCreated } from './api-token.ts';
export type { SignIn } from './bearer.ts';
export type { Claims, PublicJwk, PublicKeyForm, TenancyPort, TenantHold, TokenPort } from './port.ts';
export { type Area, isAllowed, type Principal, type Right, type TenantName } from './principal.ts';

/** Tenants, and who may come in. */
export const createTenancy = (port: TenancyPort) => ({
  tenant: tenants(port),
  apiKey: apiKeys(port),
  apiToken: apiTokens(port),
  audit: auditLog(port),
  signIn: createSignIn(port),
});

export type Tenancy = ReturnType<typeof createTenancy>;
