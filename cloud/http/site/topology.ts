import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, oneAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import { siteTopologySchema, siteTurnSchema } from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const siteParam = domainParam.extend({ siteId: z.string().meta({ description: 'Site', example: 'north' }) });
const tags = ['Sites'];

/** `/site/{domain}/{siteId}/topology` and `/history`: the hosts of a site among each other (control plane, section 14). */
export const topologyRouter =
  ({ topology }: Pick<Sites, 'topology'>) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/{siteId}/topology',
        tags,
        summary: 'Read the roles of the hosts of a site and their view of each other',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: siteParam },
        responses: answers(oneAnswer('topology', siteTopologySchema)),
      }),
      async (c) => {
        const { siteId } = c.req.valid('param');
        const result = await topology.now(c.var.tenant.id, siteId, c.var.call.actor.at);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, topology: result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/{siteId}/history',
        tags,
        summary: 'List role changes of the hosts of a site, newest first',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: siteParam, query: pageQuerySchema },
        responses: answers(listAnswer('turns', siteTurnSchema)),
      }),
      (c) =>
        answerPage(c, 'turns', c.req.valid('query'), (after, limit) =>
          topology.history(c.var.tenant.id, c.req.valid('param').siteId, after, limit),
        ),
    );

    return router;
  };
