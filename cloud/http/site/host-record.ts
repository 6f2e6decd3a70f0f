import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import { auditEntrySchema } from '#shared/contract/record/index.ts';
import { changedEntitySchema, hostConnectivitySchema } from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

const host = '/site/{domain}/{siteId}/host/{hostId}';
const hostParam = domainParam.extend({
  siteId: z.string().meta({ description: 'Site', example: 'north' }),
  hostId: z.string().meta({ description: 'Host', example: 'gw-1' }),
});
const tags = ['Hosts'];

/** The records about one host: the acts on it, the changes of its connectivity, and the gaps of its configuration, field by field. */
export const hostRecordRouter =
  (
    { diff, connectivity }: Pick<Sites, 'diff' | 'connectivity'>,
    audit: Pick<AppPort['tenancy']['audit'], 'ofHost'>,
  ) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'get',
        path: `${host}/diff`,
        tags,
        summary:
          'Compare the applied, offered and refused configuration of a host by entity; secrets are masked',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: hostParam },
        responses: answers(listAnswer('changes', changedEntitySchema)),
      }),
      async (c) => {
        const result = await diff(c.var.tenant.id, c.req.valid('param'));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, changes: result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${host}/audit`,
        tags,
        summary: 'List the audit log of a host, newest first',
        middleware: gate.tenant('provisioning', 'provisioning', 'list'),
        request: { params: hostParam, query: pageQuerySchema },
        responses: answers(listAnswer('entries', auditEntrySchema)),
      }),
      (c) =>
        answerPage(c, 'entries', c.req.valid('query'), (after, limit) =>
          audit.ofHost(c.var.tenant.id, c.req.valid('param'), after, limit),
        ),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${host}/connectivity`,
        tags,
        summary: 'List the changes of the connectivity of a host in 30 days, newest first',
        middleware: gate.tenant('site', 'reading', 'list'),
        request: { params: hostParam, query: pageQuerySchema },
        responses: answers(listAnswer('changes', hostConnectivitySchema)),
      }),
      (c) =>
        answerPage(c, 'changes', c.req.valid('query'), (after, limit) =>
          connectivity.changes(c.var.tenant.id, c.req.valid('param'), after, limit),
        ),
    );

    return router;
  };
