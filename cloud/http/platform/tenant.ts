import { createRoute, z } from '@hono/zod-openapi';
import {
  doneAnswerSchema,
  listAnswer,
  oneAnswer,
  pageQuerySchema,
  platformTenantSchema,
  tenantChangeSchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/platform/tenant';
const one = `${all}/{domain}` as const;
const tags = ['Platform'];

const createdSchema = z
  .strictObject({ success: z.literal(true), domain: z.string().meta({ description: 'Tenant' }) })
  .meta({ id: 'TenantCreated', description: 'The tenant was created' });

/** `/platform/tenant`: operations contract, "Platform administration". The platform owner's alone. */
export function tenantRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { tenant } = tenancy;
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      tags,
      summary: 'Create a tenant',
      middleware: gate.platform('provisioning'),
      request: { body: jsonBody(platformTenantSchema) },
      responses: answers(createdSchema),
    }),
    async (c) => {
      const result = await tenant.create(c.var.call, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, domain: result.value.domain }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List tenants',
      middleware: gate.platform('list'),
      request: { query: pageQuerySchema },
      responses: answers(listAnswer('tenants', platformTenantSchema)),
    }),
    (c) => answerPage(c, 'tenants', c.req.valid('query'), (after, limit) => tenant.list(after, limit)),
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      tags,
      summary: 'Read a tenant',
      middleware: gate.platform('provisioning'),
      request: { params: domainParam },
      responses: answers(oneAnswer('tenant', platformTenantSchema)),
    }),
    async (c) => {
      const result = await tenant.read(c.req.valid('param').domain);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, tenant: result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'patch',
      path: one,
      tags,
      summary: 'Change a tenant: its name, and whether its people need a second factor',
      middleware: gate.platform('provisioning'),
      request: { params: domainParam, body: jsonBody(tenantChangeSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await tenant.change(c.var.call, c.req.valid('param').domain, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: 'Delete a tenant that has no hosts',
      middleware: gate.platform('provisioning'),
      request: { params: domainParam },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await tenant.remove(c.var.call, c.req.valid('param').domain);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
