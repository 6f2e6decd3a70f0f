import { createRoute, z } from '@hono/zod-openapi';
import type { DiagnosisRequests } from '../../site/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const param = domainParam.extend({
  siteId: z.string().meta({ description: 'Site', example: 'north' }),
  hostId: z.string().meta({ description: 'Host', example: 'gw-1' }),
  diagnosisId: z.string().meta({ description: 'Id in the path that `diag.bundle` returns' }),
});
const bundle = z.string().meta({ format: 'binary', description: 'JSON, gzip' });
const responses = answers(bundle, 'The support bundle of the host, without secrets');
const { content } = responses[200];

/** `GET …/host/{hostId}/diagnosis/{id}`: what `diag.bundle` has brought, for an hour. */
export const diagnosisRouter =
  (fetchBundle: DiagnosisRequests) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/{siteId}/host/{hostId}/diagnosis/{diagnosisId}',
        tags: ['Hosts'],
        summary: 'Download the support bundle that was requested from a host (diag.bundle)',
        middleware: gate.tenant('site', 'lifecycle', 'lifecycle'),
        request: { params: param },
        responses: {
          ...responses,
          200: { ...responses[200], content: { 'application/gzip': content['application/json'] } },
        },
      }),
      async (c) => {
        const { diagnosisId, ...name } = c.req.valid('param');
        const found = await fetchBundle(c.var.tenant.id, name, diagnosisId);
        if (!found.ok) return refusal(c, found.error);
        return c.body(found.value, 200, {
          'Content-Type': 'application/gzip',
          'Content-Disposition': `attachment; filename="carillon-${name.hostId}.json.gz"`,
          'Cache-Control': 'no-store',
        });
      },
    );
    return router;
  };
