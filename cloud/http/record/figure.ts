import { createRoute } from '@hono/zod-openapi';
import { oneAnswer } from '#shared/contract/provisioning/index.ts';
import {
  recordFacetSchema,
  recordFigureQuerySchema,
  recordFigureSchema,
  recordSeenSchema,
} from '#shared/contract/session-record/index.ts';
import type { RecordFigures } from '../../record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';
import { recordTags, seesNumbers } from './record.ts';

const NEWEST =
  'Looks at the newest 10,000 records that fit the filter; cut says that there are more. Counts by hour over all records: GET /record/{domain}/count.';

/** `/record/{domain}/figure`, `/facet` and `/seen`: sums over the records that a filter finds. */
export const recordFigureRouter =
  (figures: RecordFigures) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const middleware = gate.tenant('provisioning', 'reading', 'list');
    const request = { params: domainParam, query: recordFigureQuerySchema };

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/figure',
        tags: recordTags,
        summary: 'Show how fast alarms are acknowledged, how deliveries succeed, and who is on a call',
        description: NEWEST,
        middleware,
        request,
        responses: answers(oneAnswer('figure', recordFigureSchema)),
      }),
      async (c) => {
        const result = await figures.figure(c.var.tenant.id, c.req.valid('query'), seesNumbers(c));
        return result.ok
          ? c.json({ success: true as const, figure: result.value }, 200)
          : refusal(c, result.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/facet',
        tags: recordTags,
        summary: 'Count the values of each field over the records of a filter',
        description: NEWEST,
        middleware,
        request,
        responses: answers(oneAnswer('facet', recordFacetSchema)),
      }),
      async (c) => {
        const result = await figures.facets(c.var.tenant.id, c.req.valid('query'), seesNumbers(c));
        return result.ok
          ? c.json({ success: true as const, facet: result.value }, 200)
          : refusal(c, result.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/seen',
        tags: recordTags,
        summary: 'List the numbers and devices that were seen last, to try an expression on them',
        description: `${NEWEST} Numbers are masked for viewers and for tokens that only have the scope read.`,
        middleware,
        request,
        responses: answers(oneAnswer('seen', recordSeenSchema)),
      }),
      async (c) => {
        const result = await figures.seen(c.var.tenant.id, c.req.valid('query'), seesNumbers(c));
        return result.ok
          ? c.json({ success: true as const, seen: result.value }, 200)
          : refusal(c, result.error);
      },
    );

    return router;
  };
