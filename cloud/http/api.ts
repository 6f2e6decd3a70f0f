import { OpenAPIHono } from '@hono/zod-openapi';
import { invalid } from '#shared/contract/invalid.ts';
import type { Failure } from '#shared/result.ts';
import type { Principal, TenantName } from '../tenant/index.ts';
import type { HttpCall } from './call.ts';
import { refusal } from './refusal.ts';

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

/** A router whose validation failures become the error body. Every router of the cloud is made here. */
export const createRouter = (): Api =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result, c) => (result.success ? undefined : refusal(c, invalid(result.error))),
  });
