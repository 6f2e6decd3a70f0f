import { createRoute, z } from '@hono/zod-openapi';
import { doneAnswerSchema, oneAnswer } from '#shared/contract/provisioning/index.ts';
import {
  claimAnswerSchema,
  claimFileSchema,
  claimRequestSchema,
  type Host,
  siteCreatedSchema,
  siteOverviewQuerySchema,
  siteOverviewSchema,
  siteRequestSchema,
  siteSchema,
} from '#shared/contract/site/index.ts';
import type { Sites } from '../../site/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const siteParam = domainParam.extend({ siteId: z.string().meta({ description: 'Site', example: 'north' }) });
const claimParam = siteParam.extend({ claimCode: z.string().meta({ description: 'Claim code as shown' }) });
const tags = ['Sites'];

/** Bases under which the same routes answer; only the first is described. */
const BASES = ['/site', '/hybridadmin/site'] as const;

/**
 * `/site`: media and sites document 4.4, operations contract "Platform administration". Making sites and claims takes
 * owner, admin or technician of the tenant.
 */
export const siteRouter =
  (sites: Sites) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const base of BASES) addRoutes(router, sites, gate, base, base !== BASES[0]);
    return router;
  };

function addRoutes(router: Api, sites: Sites, gate: Gate, base: string, hide: boolean): void {
  const all = `${base}/{domain}` as const;
  const one = `${all}/{siteId}` as const;
  const listing = gate.tenant('site', 'reading', 'list');
  const reading = gate.tenant('site', 'reading', 'provisioning');
  const writing = gate.tenant('site', 'lifecycle', 'lifecycle');

  router.use(all.replace('{domain}', ':domain'), packedAnswer());
  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      hide,
      tags,
      summary: 'List hosts of all sites, and the sites',
      middleware: listing,
      request: { params: domainParam, query: siteOverviewQuerySchema },
      responses: answers(siteOverviewSchema),
    }),
    async (c) => {
      const { site, sites: rows } = await sites.overview(c.var.tenant.id, c.var.call.actor.at);
      if (c.req.valid('query').counts === 'true') {
        const counts = { sites: rows.length, hosts: countsOf(site) };
        return c.json({ success: true as const, data: { site: [], sites: [], counts } }, 200);
      }
      return c.json({ success: true as const, data: { site, sites: rows } }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      hide,
      tags,
      summary: 'Create a site',
      middleware: writing,
      request: { params: domainParam, body: jsonBody(siteRequestSchema) },
      responses: answers(siteCreatedSchema),
    }),
    async (c) => {
      const result = await sites.site.create(c.var.call, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, siteId: result.value.siteId }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: one,
      hide,
      tags,
      summary: 'Read a site',
      middleware: reading,
      request: { params: siteParam },
      responses: answers(oneAnswer('site', siteSchema)),
    }),
    async (c) => {
      const result = await sites.site.read(c.var.tenant.id, c.req.valid('param').siteId);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, site: result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      hide,
      tags,
      summary: 'Delete a site that has no hosts',
      middleware: writing,
      request: { params: siteParam },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await sites.site.remove(c.var.call, c.req.valid('param').siteId);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${one}/claim`,
      hide,
      tags,
      summary: 'Create a claim code with which machines become hosts',
      middleware: writing,
      request: { params: siteParam, body: { ...jsonBody(claimRequestSchema), required: false } },
      responses: answers(claimAnswerSchema),
    }),
    async (c) => {
      // Without a body the validator leaves an empty object, which has no defaults yet.
      const request = claimRequestSchema.parse(c.req.valid('json'));
      const result = await sites.claim.create(c.var.call, c.req.valid('param').siteId, request);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${one}/claim/{claimCode}/file`,
      hide,
      tags,
      summary: 'Download a claim file for a machine without network',
      middleware: gate.tenant('site', 'lifecycle', 'provisioning'),
      request: { params: claimParam },
      responses: answers(claimFileSchema),
    }),
    async (c) => {
      const { siteId, claimCode } = c.req.valid('param');
      const result = await sites.claim.file(c.var.call, siteId, claimCode);
      if (!result.ok) return refusal(c, result.error);
      c.header('Content-Disposition', `attachment; filename="${siteId}.carillon-claim.json"`);
      return c.json(result.value, 200);
    },
  );
}

function countsOf(hosts: readonly Host[]): { status: Host['status']; amount: number }[] {
  const byStatus = Map.groupBy(hosts, ({ status }) => status);
  return [...byStatus].map(([status, { length }]) => ({ status, amount: length }));
}
