import { createRoute } from '@hono/zod-openapi';
import { listAnswer } from '#shared/contract/provisioning/index.ts';
import { usageEntrySchema, usageQuerySchema } from '#shared/contract/record/index.ts';
import type { UsageQueries } from '../../monitoring/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';

/** `/provisioning/usage`: how much the tenant used. */
export const usageRouter =
  (usage: UsageQueries) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/provisioning/usage/{domain}',
        tags: ['Logs and usage'],
        summary: 'List calls, minutes, alarms, recordings and callbacks by interval',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: domainParam, query: usageQuerySchema },
        responses: answers(listAnswer('entries', usageEntrySchema)),
      }),
      (c) => {
        const { from, to, interval } = c.req.valid('query');
        const span = { fromMs: from, toMs: to ?? c.var.call.actor.at, interval };
        return answerPage(c, 'entries', c.req.valid('query'), (after, limit) =>
          usage.list(c.var.tenant.id, span, after, limit),
        );
      },
    );
    return router;
  };
