import { createRoute } from '@hono/zod-openapi';
import { listAnswer } from '#shared/contract/provisioning/index.ts';
import { logEntrySchema, logQuerySchema } from '#shared/contract/record/index.ts';
import type { LogQueries } from '../../monitoring/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';

/** `/provisioning/log`: what happened at the sites of the tenant. */
export const logRouter =
  (events: LogQueries) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/provisioning/log/{domain}',
        tags: ['Logs and usage'],
        summary:
          'List events, oldest first unless order is newest; a page may be short and still have a nextToken',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: domainParam, query: logQuerySchema },
        responses: answers(listAnswer('entries', logEntrySchema)),
      }),
      (c) => {
        const { limit: _, nextToken: __, ...search } = c.req.valid('query');
        return answerPage(c, 'entries', c.req.valid('query'), (after, limit) =>
          events.search(c.var.tenant.id, search, after, limit),
        );
      },
    );
    return router;
  };
