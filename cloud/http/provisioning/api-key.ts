import { createRoute, z } from '@hono/zod-openapi';
import { leaveOf, leaveQuerySchema, revocationSchema } from '#shared/contract/access/index.ts';
import {
  apiKeyCreatedSchema,
  apiKeyRequestSchema,
  apiKeySchema,
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

const all = '/provisioning/apikey/{domain}';
const kidParam = domainParam.extend({ kid: z.string().meta({ description: 'Key id' }) });
const tags = ['API keys'];

/** `/provisioning/apikey`: public keys for signing the tokens of API calls. */
export function apiKeyRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { apiKey } = tenancy;
  const writing = gate.tenant('provisioning', 'provisioning', 'provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List API keys',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: domainParam, query: pageQuerySchema },
      responses: answers(listAnswer('apikeys', apiKeySchema)),
    }),
    (c) =>
      answerPage(c, 'apikeys', c.req.valid('query'), (after, limit) =>
        apiKey.list(c.var.tenant.id, after, limit),
      ),
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      tags,
      summary: 'Register a public key',
      middleware: writing,
      request: { params: domainParam, body: jsonBody(apiKeyRequestSchema) },
      responses: answers(apiKeyCreatedSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await apiKey.register(c.var.call, c.var.principal, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, kid: result.value.kid }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: `${all}/{kid}`,
      tags,
      summary:
        'Delete an API key; its tokens are refused at once, and its resources are transferred or removed',
      middleware: writing,
      request: { params: kidParam, query: leaveQuerySchema },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await apiKey.remove(
        c.var.call,
        c.var.principal,
        c.req.valid('param').kid,
        leaveOf(c.req.valid('query')),
      );
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${all}/revocation`,
      tags,
      summary: 'Refuse one signed token by its jti, or all issued before a moment',
      middleware: writing,
      request: { params: domainParam, body: jsonBody(revocationSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await tenancy.revocation.revoke(c.var.call, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
