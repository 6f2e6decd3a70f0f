import { createRoute, z } from '@hono/zod-openapi';
import { bundleSchema } from '#shared/contract/feed/index.ts';
import { oneAnswer } from '#shared/contract/provisioning/index.ts';
import type { Feed } from '../../feed/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const siteParam = domainParam.extend({ siteId: z.string().meta({ description: 'Site', example: 'north' }) });
const shown = bundleSchema.meta({
  id: 'Bundle',
  description: 'Configuration of a site as a file: signed twins, manifests and their pages in base64',
});

/**
 * `GET /site/{domain}/{siteId}/bundle`: configuration for a site without network (control plane, section 4). It holds what
 * hosts get, hence secrets of the tenant: for admins.
 */
export const bundleRouter =
  (feed: Pick<Feed, 'bundle'>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/site/{domain}/{siteId}/bundle',
        tags: ['Sites'],
        summary: 'Download the configuration of a site as a file, for a site without network',
        middleware: gate.tenant('site', 'provisioning', 'lifecycle'),
        request: { params: siteParam },
        responses: answers(oneAnswer('bundle', shown)),
      }),
      async (c) => {
        const { siteId } = c.req.valid('param');
        const bundle = await feed.bundle(c.var.tenant.id, siteId);
        if (bundle === undefined)
          return refusal(c, {
            code: 'notFound',
            reason: `The bundle cannot be written: site ${siteId} has no host that may have a configuration. Enrol a host first.`,
          });
        return c.json({ success: true as const, bundle }, 200);
      },
    );
    return router;
  };
