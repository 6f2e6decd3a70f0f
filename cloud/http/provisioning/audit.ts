import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import { type Api, createRouter } from '../api.ts';
import type { Gate } from '../gate.ts';
import { afterOf, continuedAt } from '../next-token.ts';
import { answers } from '../operation.ts';
import type { AppPort } from '../port.ts';
import { refusal } from '../refusal.ts';
import { domainParam } from './param.ts';

const path = '/provisioning/audit/{domain}';
const tags = ['Audit'];

const entrySchema = z
  .strictObject({
    seq: z.number().int().meta({ description: 'Number in the tenant, without gaps' }),
    at: z.number().int().meta({ description: 'Epoch ms' }),
    actor: z.string().meta({ description: 'Who: person:…, token:…, key:…, host:…' }),
    kid: z.string().optional().meta({ description: 'Key the request was signed with' }),
    address: z.string().meta({ description: 'Where the request came from' }),
    requestId: z.string().meta({ description: 'X-Request-Id of the request' }),
    action: z.string().meta({ description: 'create, put, patch, delete, promote, …' }),
    entity: z.string().meta({ description: 'Kind of resource' }),
    entityId: z.string().meta({ description: 'Its id' }),
    detail: z.unknown().meta({ description: 'What it was and became; secrets masked' }),
    previous: z.string().meta({ description: 'Hash of the entry before; empty for the first' }),
    hash: z
      .string()
      .meta({ description: 'SHA-256 over this entry with its tenant and `previous`, RFC 8785' }),
  })
  .meta({ id: 'AuditEntry', description: 'One change, chained to the one before' });

const headSchema = z
  .strictObject({
    success: z.literal(true),
    seq: z.number().int().meta({ description: 'Number of the newest entry; 0: none' }),
    hash: z.string().meta({ description: 'Its hash' }),
  })
  .meta({ id: 'AuditHead', description: 'End of the chain' });

/** `/provisioning/audit`: for those who may change things. */
export function auditRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { audit } = tenancy;
  const middleware = gate.tenant('provisioning', 'provisioning', 'list');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'List what was changed, oldest first',
      middleware,
      request: { params: domainParam, query: pageQuerySchema },
      responses: answers(listAnswer('entries', entrySchema)),
    }),
    async (c) => {
      const { limit, nextToken } = c.req.valid('query');
      const after = afterOf(nextToken);
      if (!after.ok) return refusal(c, after.error);
      const page = await audit.list(c.var.tenant.id, after.value, limit);
      if (!page.ok) return refusal(c, page.error);
      const { items, next } = page.value;
      return c.json({ success: true as const, entries: [...items], ...continuedAt(next) }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${path}/head`,
      tags,
      summary: 'Read the end of the audit chain',
      middleware,
      request: { params: domainParam },
      responses: answers(headSchema),
    }),
    async (c) => c.json({ success: true as const, ...(await audit.head(c.var.tenant.id)) }, 200),
  );

  return router;
}
