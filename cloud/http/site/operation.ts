import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, oneAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import { operationSchema } from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/site/{domain}/operation';
const operationParam = domainParam.extend({ operationId: z.string().meta({ description: 'Operation' }) });
const tags = ['Hosts'];

/** `/site/{domain}/operation`: what hosts go through, newest first (control plane, section 2). */
export const operationRouter =
  ({ life }: Sites) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List operations on hosts, newest first',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: domainParam, query: pageQuerySchema },
        responses: answers(listAnswer('operations', operationSchema)),
      }),
      (c) =>
        answerPage(c, 'operations', c.req.valid('query'), (after, limit) =>
          life.operations(c.var.tenant.id, after, limit),
        ),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${all}/{operationId}`,
        tags,
        summary: 'Read the progress of an operation on a host',
        middleware: gate.tenant('site', 'reading', 'provisioning'),
        request: { params: operationParam },
        responses: answers(oneAnswer('operation', operationSchema)),
      }),
      async (c) => {
        const result = await life.operation(c.var.tenant.id, c.req.valid('param').operationId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, operation: result.value }, 200);
      },
    );

    return router;
  };
