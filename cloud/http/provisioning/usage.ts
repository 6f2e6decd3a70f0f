import { createRoute } from '@hono/zod-openapi';
import { listAnswer } from '#shared/contract/provisioning/index.ts';
import { usageEntrySchema, usageQuerySchema } from '#shared/contract/record/index.ts';
import type { UsageDesk } from '../../monitoring/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { afterOf, continuedAt } from '../next-token.ts';
import { answers } from '../operation.ts';
import { refusal } from '../refusal.ts';
import { domainParam } from './param.ts';

/** `/provisioning/usage`: how much the tenant used. */
export const usageRouter =
  (desk: UsageDesk) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/provisioning/usage/{domain}',
        tags: ['Logs and usage'],
        summary: 'Calls, minutes, alarms, recordings and callbacks by interval',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: domainParam, query: usageQuerySchema },
        responses: answers(listAnswer('entries', usageEntrySchema)),
      }),
      async (c) => {
        const { limit, nextToken, from, to, interval } = c.req.valid('query');
        const after = afterOf(nextToken);
        if (!after.ok) return refusal(c, after.error);
        const span = { fromMs: from, toMs: to ?? c.var.call.actor.at, interval };
        const page = await desk.list(c.var.tenant.id, span, after.value, limit);
        if (!page.ok) return refusal(c, page.error);
        const { items, next } = page.value;
        return c.json({ success: true as const, entries: [...items], ...continuedAt(next) }, 200);
      },
    );
    return router;
  };
