import { createRoute, z } from '@hono/zod-openapi';
import {
  doneAnswerSchema,
  type ErrorAnswer,
  listAnswer,
  oneAnswer,
} from '#shared/contract/provisioning/index.ts';
import {
  commissionRequestSchema,
  drainRequestSchema,
  hostDetailSchema,
  hostLabelsSchema,
  lockRequestSchema,
  pendingChangeSchema,
  releaseAnswerSchema,
  remoteAnswerSchema,
  remoteAskSchema,
  removalQuerySchema,
  startedSchema,
} from '#shared/contract/site/index.ts';
import type { Result } from '#shared/result.ts';
import type { RemoteRequests, Sites } from '../../site/index.ts';
import { lackOf, type Right } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';
import { REMOTE_STATUS, remoteFailures } from './remote-status.ts';

const hostParam = domainParam.extend({
  siteId: z.string().meta({ description: 'Site', example: 'north' }),
  hostId: z.string().meta({ description: 'Host', example: 'gw-1' }),
});
const tags = ['Hosts'];

/** Bases under which the same routes answer; only the first is described. */
const BASES = ['/site', '/hybridadmin/site'] as const;

const remoteAnswers = { ...answers(remoteAnswerSchema), ...remoteFailures } as const;

/**
 * `/site/{domain}/{siteId}/host/{hostId}`: media and sites document 4.4, decisions 7. Technicians commission and drain;
 * decommissioning and shutting out take an admin.
 */
export const hostRouter =
  (sites: Sites, remote: RemoteRequests) =>
  (gate: Gate): Api => {
    const router = createRouter();
    for (const base of BASES) addRoutes(router, sites, remote, gate, base, base !== BASES[0]);
    return router;
  };

function addRoutes(
  router: Api,
  { life, detail, lag }: Sites,
  remote: RemoteRequests,
  gate: Gate,
  base: (typeof BASES)[number],
  hide: boolean,
): void {
  const host = `${base}/{domain}/{siteId}/host/{hostId}` as const;
  const lifecycle = gate.tenant('site', 'lifecycle', 'lifecycle');
  const admin = gate.tenant('site', 'provisioning', 'lifecycle');

  /** The operation that runs now, in the body and as `Location`. */
  function started(c: Parameters<typeof refusal>[0], result: Result<{ readonly operationId: string }>) {
    if (!result.ok) return refusal(c, result.error);
    const { operationId } = result.value;
    c.header('Location', `/site/${c.req.param('domain')}/operation/${operationId}`);
    return c.json({ success: true as const, operationId }, 200);
  }

  router.openapi(
    createRoute({
      method: 'get',
      path: host,
      hide,
      tags,
      summary: 'Read all details of a host',
      middleware: gate.tenant('site', 'reading', 'provisioning'),
      request: { params: hostParam },
      responses: answers(oneAnswer('host', hostDetailSchema)),
    }),
    async (c) => {
      const result = await detail(c.var.tenant.id, c.req.valid('param'), c.var.call.actor.at);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, host: result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: `${host}/pending`,
      hide,
      tags,
      summary: 'List configuration changes that a host has not applied',
      middleware: gate.tenant('site', 'reading', 'provisioning'),
      request: { params: hostParam },
      responses: answers(listAnswer('changes', pendingChangeSchema)),
    }),
    async (c) => {
      const result = await lag(c.var.tenant.id, c.req.valid('param'));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, changes: result.value }, 200);
    },
  );

  for (const method of ['post', 'put'] as const) {
    router.openapi(
      createRoute({
        method,
        path: host,
        hide,
        tags,
        summary: 'Commission a host, or end its drain',
        middleware: lifecycle,
        request: { params: hostParam, body: { ...jsonBody(commissionRequestSchema), required: false } },
        responses: answers(startedSchema),
      }),
      async (c) => started(c, await life.commission(c.var.call, c.req.valid('param'), c.req.valid('json'))),
    );
    router.openapi(
      createRoute({
        method,
        path: `${host}/drain`,
        hide,
        tags,
        summary: 'Drain a host: its services move to other hosts, its calls end, and no alarm is lost',
        middleware: lifecycle,
        request: { params: hostParam, body: { ...jsonBody(drainRequestSchema), required: false } },
        responses: answers(startedSchema),
      }),
      async (c) => started(c, await life.drain(c.var.call, c.req.valid('param'), c.req.valid('json'))),
    );
  }

  router.openapi(
    createRoute({
      method: 'delete',
      path: host,
      hide,
      tags,
      summary: 'Decommission a host: it is drained if it is reachable, then wiped and refused',
      middleware: admin,
      request: { params: hostParam, query: removalQuerySchema },
      responses: answers(startedSchema),
    }),
    async (c) => {
      const { force, reason } = c.req.valid('query');
      const options = { force: force === 'true', ...(reason === undefined ? {} : { reason }) };
      return started(c, await life.remove(c.var.call, c.req.valid('param'), options));
    },
  );

  for (const verb of ['reject', 'quarantine'] as const)
    router.openapi(
      createRoute({
        method: 'post',
        path: `${host}/${verb}` as const,
        hide,
        tags,
        summary:
          verb === 'reject'
            ? 'Reject a machine that waits for its commission'
            : 'Quarantine a host: the control plane refuses it, and the host continues with its present configuration',
        middleware: admin,
        request: { params: hostParam, body: { ...jsonBody(lockRequestSchema), required: false } },
        responses: answers(doneAnswerSchema),
      }),
      async (c) => {
        const { reason } = c.req.valid('json');
        const result = await life[verb](c.var.call, c.req.valid('param'), reason);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const }, 200);
      },
    );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${host}/release`,
      hide,
      tags,
      summary: 'Release a quarantined host, so that it can enrol again',
      middleware: admin,
      request: { params: hostParam, body: { ...jsonBody(lockRequestSchema), required: false } },
      responses: answers(releaseAnswerSchema),
    }),
    async (c) => {
      const result = await life.release(c.var.call, c.req.valid('param'), c.req.valid('json').reason);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${host}/swap`,
      hide,
      tags,
      summary: 'Replace a dead host by another machine',
      middleware: lifecycle,
      request: { params: hostParam, body: { ...jsonBody(lockRequestSchema), required: false } },
      responses: answers(releaseAnswerSchema),
    }),
    async (c) => {
      const result = await life.swap(c.var.call, c.req.valid('param'), c.req.valid('json').reason);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: `${host}/labels`,
      hide,
      tags,
      summary: 'Change the placement labels of a host',
      middleware: lifecycle,
      request: { params: hostParam, body: jsonBody(hostLabelsSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await life.label(c.var.call, c.req.valid('param'), c.req.valid('json').labels);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${host}/rpc`,
      hide,
      tags,
      summary: 'Send a request to a host over its management connection',
      middleware: gate.tenant('site', 'reading', 'lifecycle'),
      request: { params: hostParam, body: jsonBody(remoteAskSchema) },
      responses: remoteAnswers,
    }),
    async (c) => {
      const { op, args } = c.req.valid('json');
      const { principal, call } = c.var;
      const lack = (right: Right) => lackOf(principal, ['site'], [right]);
      const result = await remote(call, c.req.valid('param'), op, args, lack);
      if (result.ok) return c.json({ success: true as const, data: result.value }, 200);
      const { reason, ...error } = result.error;
      const body: ErrorAnswer = { success: false, reason, error: { ...error } };
      return c.json(body, REMOTE_STATUS[error.code]);
    },
  );
}
