import { createRoute } from '@hono/zod-openapi';
import { auditListQuerySchema, listAnswer } from '#shared/contract/provisioning/index.ts';
import { auditEntrySchema, auditHeadSchema } from '#shared/contract/record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';

const tags = ['Audit'];

/** `/provisioning/audit`, for those who may change things, and `/platform/audit`, the platform owner's own log. */
export function auditRouter(port: AppPort, gate: Gate): Api {
  const router = createRouter();
  const ofTenant = gate.tenant('provisioning', 'provisioning', 'list');
  addRoutes(router, port, '/provisioning/audit/{domain}', { params: domainParam }, ofTenant);
  addRoutes(router, port, '/platform/audit', {}, gate.platform('list'));
  return router;
}

function addRoutes(
  router: Api,
  { tenancy: { audit } }: AppPort,
  path: string,
  request: { params?: typeof domainParam },
  middleware: ReturnType<Gate['platform']>,
): void {
  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'List the entries of the audit log',
      middleware,
      request: { ...request, query: auditListQuerySchema },
      responses: answers(listAnswer('entries', auditEntrySchema)),
    }),
    (c) => {
      const { order, entity, entityId: id, actor } = c.req.valid('query');
      const tenant = c.var.tenant.id;
      return answerPage(c, 'entries', c.req.valid('query'), (after, limit) => {
        if (actor !== undefined) return audit.of(tenant, { actor }, after, limit);
        return entity === undefined || id === undefined
          ? audit.list(tenant, order, after, limit)
          : audit.of(tenant, { entity, id }, after, limit);
      });
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${path}/head`,
      tags,
      summary: 'Read the end of the audit chain',
      middleware,
      request,
      responses: answers(auditHeadSchema),
    }),
    async (c) => {
      const tenant = c.var.tenant.id;
      return c.json({ success: true as const, ...(await audit.head(tenant)), tenant }, 200);
    },
  );
}
