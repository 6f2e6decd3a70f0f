import type { Context, MiddlewareHandler } from 'hono';
import type { Area, Right, TenantName } from '../../tenant/index.ts';
import type { ApiEnv } from './api-env.ts';
import type { Allowance, RouteClass } from './rate-limit.ts';

export type Guard = MiddlewareHandler<ApiEnv>;

/** The check before every route: caller, tenant, rights and rate. */
export interface Gate {
  /**
   * For paths with `{domain}`: sets `principal`, `tenant` and `call`. 401 without a good token, 403 for any tenant but the
   * token's own or without role or scope, 404 for an unknown tenant (seen by the platform owner only).
   */
  readonly tenant: (area: Area, right: Right, routeClass: RouteClass) => Guard;
  /** On an answer that goes on for long: whether what opened it still does. Counts nothing. */
  readonly stays: (c: Context<ApiEnv>, area: Area, right: Right) => Promise<boolean>;
  /** For paths of the platform's own: its owner only. */
  readonly platform: (routeClass: RouteClass) => Guard;
  /** For what is a person's own: a session, or a token that acts for a person; a key is none. */
  readonly person: (routeClass: RouteClass) => Guard;
  /** As `person`, for what concerns the session alone: also where a tenant demands a second factor that it lacks. */
  readonly session: (routeClass: RouteClass) => Guard;
  /** For paths without a token (enrolment): only counts, by address. */
  readonly open: (routeClass: RouteClass) => Guard;
  /**
   * Whom `tenant` would let in, asked without a context. Undefined = it would refuse, or has more to say: it is to be asked,
   * nothing was counted.
   */
  readonly passes: (
    visit: Visit,
    area: Area,
    right: Right,
    routeClass: RouteClass,
  ) => Promise<Passed | undefined>;
}

/** A caller with a bearer token before the check of a tenant. */
export interface Visit {
  readonly token: string;
  readonly domain: string;
  readonly address: string;
}

export interface Passed {
  readonly tenant: TenantName;
  /** Counts the request, as `tenant` does before it lets in. Undefined = a bucket is empty, nothing was counted. */
  readonly count: () => Counted | undefined;
}

export interface Counted {
  /** Figures of the last bucket; absent = rate limits are off. */
  readonly allowance?: Allowance;
}
