import { createRoute } from '@hono/zod-openapi';
import { authorizedAnswerSchema, authorizeRequestSchema } from '#shared/authorize/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { remoteAddress } from '../routing/call.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

/**
 * `POST /authorize`: application users (`authType: userid`).
 *
 * Chosen: counted by address like a list and not like a sign-in of a person, for the phones of a site come from one address,
 * all at once after a power cut; each device has its own lock for each network after five wrong tries.
 */
export function authorizeRouter({ tenancy, nowMs }: AppPort, gate: Gate): Api {
  const router = createRouter();
  router.openapi(
    createRoute({
      method: 'post',
      path: '/authorize',
      tags: ['Devices'],
      security: [],
      summary: 'Sign in an application user; the token opens SIP over WebSocket',
      middleware: gate.open('list'),
      request: { body: jsonBody(authorizeRequestSchema) },
      responses: answers(authorizedAnswerSchema),
    }),
    async (c) => {
      const result = await tenancy.authorize(c.req.valid('json'), nowMs(), remoteAddress(c));
      if (!result.ok) return refusal(c, result.error);
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );
  return router;
}
