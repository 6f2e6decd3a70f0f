import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import {
  maintenanceAnswerSchema,
  maintenanceRequestSchema,
  maintenanceSchema,
} from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/site/{domain}/maintenance';
const windowParam = domainParam.extend({ windowId: z.string().meta({ description: 'Maintenance window' }) });
const query = pageQuerySchema
  .extend({
    ended: z
      .enum(['true', 'false'])
      .optional()
      .meta({ description: 'false: planned and open windows; true: past windows' }),
  })
  .meta({ description: 'Paging and state' });
const tags = ['Sites'];

/** `/site/{domain}/maintenance`: times in which alarms of supervision are noted and not reported. */
export const maintenanceRouter =
  ({ maintenance }: Pick<Sites, 'maintenance'>, nowMs: () => number) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const lifecycle = gate.tenant('site', 'lifecycle', 'lifecycle');

    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List maintenance windows, newest first',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: domainParam, query },
        responses: answers(listAnswer('windows', maintenanceSchema)),
      }),
      (c) => {
        const { ended } = c.req.valid('query');
        const open = ended === undefined ? undefined : ended === 'false';
        return answerPage(c, 'windows', c.req.valid('query'), (before, limit) =>
          maintenance.list(c.var.tenant.id, open, before, limit, nowMs()),
        );
      },
    );

    router.openapi(
      createRoute({
        method: 'post',
        path: all,
        tags,
        summary: 'Open a maintenance window for a site or a host',
        middleware: lifecycle,
        request: { params: domainParam, body: jsonBody(maintenanceRequestSchema) },
        responses: answers(maintenanceAnswerSchema),
      }),
      async (c) => {
        const result = await maintenance.open(c.var.call, c.req.valid('json'));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, window: result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'delete',
        path: `${all}/{windowId}`,
        tags,
        summary: 'End a maintenance window now; alarms that are still raised are notified',
        middleware: lifecycle,
        request: { params: windowParam },
        responses: answers(maintenanceAnswerSchema),
      }),
      async (c) => {
        const result = await maintenance.end(c.var.call, c.req.valid('param').windowId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, window: result.value }, 200);
      },
    );

    return router;
  };
