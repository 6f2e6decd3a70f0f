import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  challengeAnswerSchema,
  claimHostAnswerSchema,
  claimHostRequestSchema,
  renewAnswerSchema,
  renewRequestSchema,
} from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import { remoteAddress } from '../routing/call.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';

const tags = ['Enrolment'];
/** Described as open: a machine has no token yet, its claim code or its key speaks for it. */
const security: Record<string, string[]>[] = [];

/**
 * `/edge/v1/claim`, `challenge` and `renew` on the public listener (control plane, sections 2 and 12): what a machine
 * does before it has a certificate, or when the one it has is no good any more.
 */
export const enrolmentRouter =
  (sites: Sites, nowMs: () => number) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.open('lifecycle');
    const machine = (c: Context<ApiEnv>) => ({
      name: 'machine',
      address: remoteAddress(c),
      requestId: c.var.requestId,
      at: nowMs(),
    });

    router.openapi(
      createRoute({
        method: 'post',
        path: '/edge/v1/claim',
        tags,
        security,
        summary: 'Become a host of a site',
        middleware,
        request: { body: jsonBody(claimHostRequestSchema) },
        responses: answers(claimHostAnswerSchema),
      }),
      async (c) => {
        const result = await sites.enrolment.claim(c.req.valid('json'), machine(c));
        return result.ok ? c.json(result.value, 200) : refusal(c, result.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: '/edge/v1/challenge',
        tags,
        security,
        summary: 'Get a challenge to sign for a renewal',
        middleware,
        responses: answers(challengeAnswerSchema),
      }),
      (c) => c.json({ success: true as const, ...sites.renewal.challenge(nowMs()) }, 200),
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: '/edge/v1/renew',
        tags,
        security,
        summary: 'Renew the certificate of a host',
        middleware,
        request: { body: jsonBody(renewRequestSchema) },
        responses: answers(renewAnswerSchema),
      }),
      async (c) => {
        const result = await sites.renewal.renew(c.req.valid('json'), machine(c));
        return result.ok ? c.json(result.value, 200) : refusal(c, result.error);
      },
    );

    return router;
  };
