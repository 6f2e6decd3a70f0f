import type { Context, MiddlewareHandler, Next } from 'hono';
import { CSRF_HEADER } from '#shared/contract/access/index.ts';
import { type Failure, fail, ok, type Result } from '#shared/result.ts';
import { networkOf } from '#shared/source-network.ts';
import {
  type Area,
  isAllowed,
  lackOf,
  type Principal,
  type Right,
  type TenantName,
} from '../../tenant/index.ts';
import type { ApiEnv } from './api-env.ts';
import { callOf, remoteAddress } from './call.ts';
import type { Counted, Gate, Passed, Visit } from './gate.ts';
import { setHeader } from './json-text.ts';
import type { AppPort } from './port.ts';
import { RateLimiter, type RouteClass } from './rate-limit.ts';
import { refusal } from './refusal.ts';
import { sessionCookie } from './session-cookie.ts';

export function createGate(port: AppPort): Gate {
  const limiter = port.limiter ?? new RateLimiter(port.nowMs);

  /** One bucket each for tenant, key and address. The first that is empty refuses, the last one's figures are shown. */
  function limited(
    c: Context<ApiEnv>,
    routeClass: RouteClass,
    names: readonly string[],
  ): Response | undefined {
    if (!port.rateLimits) return undefined;
    for (const name of names) {
      const allowance = limiter.take(routeClass, name);
      setHeader(c, 'RateLimit-Limit', String(allowance.limit));
      setHeader(c, 'RateLimit-Remaining', String(allowance.remaining));
      setHeader(c, 'RateLimit-Reset', String(allowance.resetS));
      if (allowance.allowed) continue;
      setHeader(c, 'Retry-After', String(allowance.retryAfterS));
      return refusal(c, tooMany(allowance.retryAfterS));
    }
    return undefined;
  }

  async function passes(
    { token, domain, address }: Visit,
    area: Area,
    right: Right,
    routeClass: RouteClass,
  ): Promise<Passed | undefined> {
    const hasRoom = (name: string) => !port.rateLimits || limiter.take(routeClass, name, 0).allowed;
    const byAddress = fromAddress(address);
    if (!hasRoom(byAddress)) return undefined;
    const signIn = await port.tenancy.signIn(token, domain, port.nowMs());
    if (!signIn.ok) return undefined;
    const { tenant, name } = signIn.value;
    if (tenant?.domain !== domain || !isAllowed(signIn.value, area, right)) return undefined;
    const count = (): Counted | undefined => {
      if (!port.rateLimits) return {};
      const names = [byAddress, ...bucketsOf(tenant, name)];
      if (!names.every(hasRoom)) return undefined;
      const [allowance] = names.map((each) => limiter.take(routeClass, each)).slice(-1);
      return allowance && { allowance };
    };
    return { tenant, count };
  }

  async function signedIn(
    c: Context<ApiEnv>,
    domain: string | undefined,
    isOwn = false,
  ): Promise<Result<Principal>> {
    const header = c.req.header('Authorization');
    const cookie = header === undefined ? sessionCookie(c, port.publicUrl) : undefined;
    if (cookie !== undefined) return await bySession(c, cookie, domain, isOwn);
    const token = bearerOf(header);
    if (token === undefined)
      return fail(
        'unauthorized',
        'The request is not authenticated: it carries no token. Send the header Authorization: Bearer <token>.',
      );
    return await port.tenancy.signIn(token, domain, port.nowMs());
  }

  /** A browser sends the cookie whoever made the page; the token beside it only a page of ours can know. */
  async function bySession(c: Context<ApiEnv>, cookie: string, domain: string | undefined, isOwn: boolean) {
    const { session } = port.tenancy;
    const principal = await session.principal(cookie, domain, port.nowMs(), isOwn);
    if (!principal.ok || isReading(c) || c.req.header(CSRF_HEADER) === session.csrfOf(cookie))
      return principal;
    return fail(
      'csrfTokenWrong',
      `The request is refused: its CSRF token is missing or wrong. Send the csrfToken of the session in the header ${CSRF_HEADER}.`,
    );
  }

  /** The tenant of the path as this principal may see it. */
  async function tenantFor(principal: Principal, domain: string) {
    const own = principal.tenant;
    if (own !== null)
      return own.domain === domain
        ? ok(own)
        : fail(
            'forbidden',
            `Access is refused: this sign-in is not valid for the tenant ${domain}. Use a token of that tenant.`,
          );
    const found = await port.tenancy.tenant.find(domain);
    return found === undefined
      ? fail('notFound', `The tenant ${domain} does not exist. Check the domain.`)
      : ok(found);
  }

  const unauthorized = (c: Context<ApiEnv>, failure: Failure) => {
    if (failure.code === 'unauthorized') c.header('WWW-Authenticate', 'Bearer realm="carillon"');
    return refusal(c, failure);
  };

  async function enter(c: Context<ApiEnv>, next: Next, principal: Principal, tenant: TenantName) {
    const call = await callOf(port, c, principal, tenant, c.get('requestId'));
    if (!call.ok) return refusal(c, call.error);
    c.set('principal', principal);
    c.set('tenant', tenant);
    c.set('call', call.value);
    return await next();
  }

  return {
    tenant: (area, right, routeClass) => async (c, next) => {
      const byAddress = limited(c, routeClass, [from(c)]);
      if (byAddress !== undefined) return byAddress;
      const domain = c.req.param('domain') ?? '';
      const signIn = await signedIn(c, domain);
      if (!signIn.ok) return unauthorized(c, signIn.error);
      const principal = signIn.value;
      const tenant = await tenantFor(principal, domain);
      if (!tenant.ok) return refusal(c, tenant.error);
      const lack = lackOf(principal, [area], [right]);
      if (lack !== undefined) return refusal(c, forbidden(lack));
      const tooMany = limited(c, routeClass, bucketsOf(tenant.value, principal.name));
      if (tooMany !== undefined) return tooMany;
      return await enter(c, next, principal, tenant.value);
    },

    stays: async (c, area, right) => {
      const domain = c.req.param('domain') ?? '';
      const signIn = await signedIn(c, domain);
      if (!signIn.ok || !isAllowed(signIn.value, area, right)) return false;
      const tenant = await tenantFor(signIn.value, domain);
      return tenant.ok && tenant.value.id === c.var.tenant.id;
    },

    platform: (routeClass) => async (c, next) => {
      const byAddress = limited(c, routeClass, [from(c)]);
      if (byAddress !== undefined) return byAddress;
      const signIn = await signedIn(c, undefined);
      if (!signIn.ok) return unauthorized(c, signIn.error);
      if (!signIn.value.platformOwner) return refusal(c, NOT_THE_OWNER);
      return await enter(c, next, signIn.value, PLATFORM);
    },

    person: (routeClass) => personGuard(routeClass, false),

    session: (routeClass) => personGuard(routeClass, true),

    open: (routeClass) => async (c, next) => limited(c, routeClass, [from(c)]) ?? (await next()),

    passes,
  };

  function personGuard(routeClass: RouteClass, isOwn: boolean): MiddlewareHandler<ApiEnv> {
    return async (c, next) => {
      const byAddress = limited(c, routeClass, [from(c)]);
      if (byAddress !== undefined) return byAddress;
      const signIn = await signedIn(c, undefined, isOwn);
      if (!signIn.ok) return unauthorized(c, signIn.error);
      const { personId, scopes, authenticatedAt } = signIn.value;
      if (personId === undefined) return refusal(c, NO_PERSON);
      // A session is the person; a token speaks for it as far as its scope goes.
      const lack = lackOf(
        { role: 'owner', scopes: authenticatedAt === undefined ? scopes : null },
        ['provisioning'],
        [isReading(c) ? 'reading' : 'users'],
      );
      if (lack !== undefined) return refusal(c, forbidden(lack));
      const tooMany = limited(c, routeClass, [`by person ${personId}`]);
      if (tooMany !== undefined) return tooMany;
      return await enter(c, next, signIn.value, PLATFORM);
    };
  }
}

const isReading = (c: Context): boolean => c.req.method === 'GET' || c.req.method === 'HEAD';

/** The token of an `Authorization` header (RFC 6750 2.1). */
export const bearerOf = (header: string | undefined): string | undefined =>
  /^Bearer +([\x21-\x7e]+) *$/i.exec(header ?? '')?.[1];

/** Name of the bucket of an address. */
const fromAddress = (address: string): string => `from ${networkOf(address)}`;
const from = (c: Context<ApiEnv>): string => fromAddress(remoteAddress(c));

/** Names of the buckets of a caller and of a tenant. */
const bucketsOf = (tenant: TenantName, caller: string): string[] => [
  `by ${tenant.id} ${caller}`,
  `in ${tenant.id}`,
];

/** The platform's own resources are filed under no tenant. */
const PLATFORM: TenantName = { id: '', domain: '' };

const tooMany = (seconds: number) =>
  ({
    code: 'tooManyRequests',
    reason: `The request is refused: the rate limit is reached. Send it again in ${seconds} s.`,
  }) as const;
const forbidden = (reason: string) => ({ code: 'forbidden', reason }) as const;
const NOT_THE_OWNER = forbidden(
  'Access is refused: this is for the owner of the platform. Use a token of that owner.',
);
const NO_PERSON = {
  code: 'forbidden',
  reason:
    'Access is refused: an API key does not stand for a person. Sign in, or use a token that a person created.',
} as const;
