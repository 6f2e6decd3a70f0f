import { createRoute } from '@hono/zod-openapi';
import {
  configurationAnswerSchema,
  configurationRequestSchema,
  promotedSchema,
  promotionSchema,
  provisoryQuerySchema,
  storedAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';
import { answerStored } from '../routing/stored-answer.ts';

const path = '/provisioning/configuration/{domain}';
const tags = ['Configuration'];

/** `/provisioning/configuration`: the tenant as a whole. */
export function configurationRouter({ provisioning }: AppPort, gate: Gate): Api {
  const { configuration } = provisioning;
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Read the whole configuration',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: domainParam, query: provisoryQuerySchema },
      responses: answers(configurationAnswerSchema),
    }),
    async (c) => {
      const set = c.req.valid('query').provisory ? 'provisory' : 'working';
      const { value, etag } = await configuration.read(c.var.call, set);
      c.header('ETag', etag);
      return c.json({ success: true as const, configuration: value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path,
      tags,
      summary: 'Restore the whole configuration as one revision',
      middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
      request: { params: domainParam, body: jsonBody(configurationRequestSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) =>
      answerStored(c, await configuration.restore(c.var.call, c.req.valid('json')), {
        id: c.var.tenant.domain,
      }),
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${path}/promote`,
      tags,
      summary: 'Move provisory resources into the working set as one revision',
      middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
      request: { params: domainParam, body: { ...jsonBody(promotionSchema), required: false } },
      responses: answers(promotedSchema),
    }),
    async (c) => {
      const result = await configuration.promote(c.var.call, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  return router;
}
