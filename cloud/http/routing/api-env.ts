import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Failure } from '#shared/result.ts';
import type { Principal, TenantName } from '../../tenant/index.ts';

/** The caller, tenant and time of a request: the first argument of every mutating call of the cores. */
export interface HttpCall {
  readonly tenant: string;
  readonly domain: string;
  readonly actor: { name: string; kid?: string; address: string; requestId: string; at: number };
  readonly ifMatch?: string;
  readonly once?: { key: string; fingerprint: string };
}

/** The variables that middleware and gate set for the routes. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    /** Why the request was refused; set by `refusal`. */
    refused: Failure | undefined;
    /** Nothing of the request is kept: neither its effects nor its idempotency key. */
    dryRun: boolean | undefined;
    /** Headers of an answer that is one text, see `json-text.ts`. */
    head: Record<string, string> | undefined;
    /** The caller; the gate sets it on every route that takes a token. */
    principal: Principal;
    /** The tenant of the path; set by the gate on every route with `{domain}`. */
    tenant: TenantName;
    /** The first argument of every mutating call; set with `principal`. */
    call: HttpCall;
  };
}

export type Api = OpenAPIHono<ApiEnv>;
