import { OpenAPIHono } from '@hono/zod-openapi';
import { invalid } from '#shared/contract/invalid.ts';
import type { Api, ApiEnv } from './api-env.ts';
import { refusal } from './refusal.ts';

/** A router whose validation failures become the error body. Every router of the cloud is made here. */
export const createRouter = (): Api =>
  new OpenAPIHono<ApiEnv>({
    defaultHook: (result, c) => (result.success ? undefined : refusal(c, invalid(result.error))),
  });
