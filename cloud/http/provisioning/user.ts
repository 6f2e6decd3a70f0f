import { createRoute, z } from '@hono/zod-openapi';
import {
  handOverQuerySchema,
  leaveOf,
  leaveQuerySchema,
  userInvitedSchema,
  userRequestSchema,
  userRoleSchema,
  userSchema,
} from '#shared/contract/access/index.ts';
import {
  doneAnswerSchema,
  listAnswer,
  pageQuerySchema,
  storedAnswerSchema,
} from '#shared/contract/provisioning/index.ts';
import { checkFresh } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/provisioning/user/{domain}';
const one = `${all}/{id}` as const;
const idParam = domainParam.extend({ id: z.string().meta({ description: 'Id of the person' }) });
const tags = ['Users'];

/** `/provisioning/user`: people of a tenant, for owner and admin. */
export function userRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { user } = tenancy;
  const middleware = gate.tenant('provisioning', 'users', 'provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path: all,
      tags,
      summary: 'List people and invitations',
      middleware: gate.tenant('provisioning', 'users', 'list'),
      request: { params: domainParam, query: pageQuerySchema },
      responses: answers(listAnswer('users', userSchema)),
    }),
    (c) =>
      answerPage(c, 'users', c.req.valid('query'), (after, limit) =>
        user.list(c.var.tenant.id, after, limit, c.var.call.actor.at),
      ),
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: all,
      tags,
      summary:
        'Invite a person; the link is shown once. The request needs a session, or a token without scope and end',
      middleware,
      request: { params: domainParam, body: jsonBody(userRequestSchema) },
      responses: answers(userInvitedSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const result = await user.invite(c.var.call, c.var.principal, c.req.valid('json'));
      if (!result.ok) return refusal(c, result.error);
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path: one,
      tags,
      summary: 'Change the role of a person; the request needs a session, or a token without scope and end',
      middleware,
      request: { params: idParam, query: handOverQuerySchema, body: jsonBody(userRoleSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const { id } = c.req.valid('param');
      const { role } = c.req.valid('json');
      const { transferTo } = c.req.valid('query');
      const result = await user.setRole(c.var.call, c.var.principal, id, role, transferTo);
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const, id: result.value.id }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: one,
      tags,
      summary: 'Remove a person from the tenant; the resources of the person are transferred or removed',
      middleware,
      request: { params: idParam, query: leaveQuerySchema },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, c.var.call.actor.at);
      if (!fresh.ok) return refusal(c, fresh.error);
      const { id } = c.req.valid('param');
      const result = await user.remove(c.var.call, c.var.principal, id, leaveOf(c.req.valid('query')));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
