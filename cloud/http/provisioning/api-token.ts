import { createRoute, z } from '@hono/zod-openapi';
import { leaveOf, leaveQuerySchema } from '#shared/contract/access/index.ts';
import {
  apiTokenCreatedSchema,
  apiTokenRequestSchema,
  apiTokenSchema,
  doneAnswerSchema,
  listAnswer,
  pageQuerySchema,
} from '#shared/contract/provisioning/index.ts';
import { checkFresh } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/provisioning/apitoken/{domain}';
const idParam = domainParam.extend({ id: z.string().meta({ description: 'Id of the token' }) });
const tags = ['API tokens'];

/** `/provisioning/apitoken`: opaque tokens for scripts. */
export function apiTokenRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { apiToken } = tenancy;
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List API tokens',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: domainParam, query: pageQuerySchema },
      responses: answers(listAnswer('apitokens', apiTokenSchema)),
    }),
    (c) =>
      answerPage(c, 'apitokens', c.req.valid('query'), (after, limit) =>
        apiToken.list(c.var.tenant.id, after, limit),
      ),
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      tags,
      summary: 'Create an API token',
      middleware: writing,
      request: { params: domainParam, body: jsonBody(apiTokenRequestSchema) },
      responses: answers(apiTokenCreatedSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await apiToken.create(c.var.call, c.var.principal, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      // Shown this once: no cache on the way may keep it.
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: `${all}/{id}`,
      tags,
      summary: 'Revoke an API token; its resources are transferred or removed',
      middleware: writing,
      request: { params: idParam, query: leaveQuerySchema },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await apiToken.remove(
        c.var.call,
        c.var.principal,
        c.req.valid('param').id,
        leaveOf(c.req.valid('query')),
      );
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
