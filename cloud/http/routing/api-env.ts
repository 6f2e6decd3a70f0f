import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Failure } from '#shared/result.ts';
import type { Principal, TenantName } from '../../tenant/index.ts';

/** Who does what, from where, when: the first argument of every mutating call of the cores. */
export interface HttpCall {
  readonly tenant: string;
  readonly domain: string;
  readonly actor: { name: string; kid?: string; address: string; requestId: string; at: number };
  readonly ifMatch?: string;
  readonly once?: { key: string; fingerprint: string };
}

/** What the middleware leaves for the routes. */
export interface ApiEnv {
  Variables: {
    requestId: string;
    /** Why the request was refused; set by `refusal`. */
    refused: Failure | undefined;
    /** Headers of an answer that is one text, see `json-text.ts`. */
    head: Record<string, string> | undefined;
    /** Who asks; set by the gate on every route that takes a token. */
    principal: Principal;
    /** The tenant of the path; set by the gate on every route with `{domain}`. */
    tenant: TenantName;
    /** Who does what, from where, when: the first argument of every mutating call; set with `principal`. */
    call: HttpCall;
  };
}

export type Api = OpenAPIHono<ApiEnv>;
