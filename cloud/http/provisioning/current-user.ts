import { createRoute } from '@hono/zod-openapi';
import {
  profileCreationSchema,
  profileRequestSchema,
  profileSchema,
  tenantEntrySchema,
} from '#shared/contract/access/index.ts';
import {
  doneAnswerSchema,
  listAnswer,
  oneAnswer,
  pageQuerySchema,
} from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';

const path = '/provisioning/currentuser/profile';
const tags = ['Current user'];

/** `/provisioning/currentuser`: provisioning document 2.6 and 4. Speaks for the person of the session or token. */
export function currentUserRouter({ tenancy }: AppPort, gate: Gate): Api {
  const { profile } = tenancy;
  const middleware = gate.person('provisioning');
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Read the profile of the signed-in person',
      middleware,
      responses: answers(oneAnswer('profile', profileSchema)),
    }),
    async (c) => {
      const shown = await profile.read(c.var.principal.personId ?? '');
      return c.json({ success: true as const, profile: shown }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: 'Create the profile of the signed-in person at the first sign-in',
      middleware,
      request: { body: jsonBody(profileCreationSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await profile.create(c.var.call, c.var.principal, c.req.valid('json'));
      return result.ok ? c.json({ success: true as const }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path,
      tags,
      summary: 'Replace the profile of the signed-in person',
      middleware,
      request: { body: jsonBody(profileRequestSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await profile.overwrite(c.var.call, c.var.principal, c.req.valid('json'));
      return result.ok ? c.json({ success: true as const }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'patch',
      path,
      tags,
      summary: 'Change fields of the profile of the signed-in person',
      middleware,
      request: { body: jsonBody(profileRequestSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await profile.patch(c.var.call, c.var.principal, c.req.valid('json'));
      return result.ok ? c.json({ success: true as const }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path: '/provisioning/currentuser/tenants',
      tags,
      summary: 'List the tenants of the signed-in person',
      middleware: gate.person('list'),
      request: { query: pageQuerySchema },
      responses: answers(listAnswer('tenants', tenantEntrySchema)),
    }),
    (c) => {
      const { principal } = c.var;
      return answerPage(c, 'tenants', c.req.valid('query'), (after, limit) =>
        profile.tenants(principal, principal.personId ?? '', after, limit),
      );
    },
  );

  return router;
}
