import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import {
  secondFactorBegunSchema,
  secondFactorCodeSchema,
  secondFactorConfirmedSchema,
} from '#shared/contract/access/index.ts';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { fail, ok, type Result } from '#shared/result.ts';
import { checkFresh } from '../../tenant/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';
import { sessionCookie } from '../routing/session-cookie.ts';

const path = '/session/secondfactor';
const tags = ['Session'];

const NO_SESSION = fail(
  'forbidden',
  'The second factor is not changed: a token does not stand for a person at a screen. Sign in, and send the cookie of the session.',
);

/** `/session/secondfactor`: a person sets a second factor up, and takes it away. */
export function secondFactorRouter({ tenancy, publicUrl, nowMs }: AppPort, gate: Gate): Api {
  const { secondFactor, session } = tenancy;
  const router = createRouter();

  /** A second factor is a person's own, and is changed by a session whose password is fresh. */
  function own(c: Context<ApiEnv>): Result<{ personId: string; hash: string }> {
    const { personId, authenticatedAt } = c.var.principal;
    const cookie = sessionCookie(c, publicUrl);
    if (personId === undefined || authenticatedAt === undefined || cookie === undefined) return NO_SESSION;
    const fresh = checkFresh(c.var.principal, nowMs());
    return fresh.ok ? ok({ personId, hash: session.hashOf(cookie) }) : fresh;
  }

  router.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      summary: 'Begin to set up a second factor: the secret for an authenticator',
      middleware: gate.session('login'),
      responses: answers(secondFactorBegunSchema),
    }),
    async (c) => {
      const me = own(c);
      const result = me.ok ? await secondFactor.begin(me.value, c.var.call.actor) : me;
      if (!result.ok) return refusal(c, result.error);
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'put',
      path,
      tags,
      summary: 'Confirm the second factor with a code; the answer has the recovery codes',
      middleware: gate.session('login'),
      request: { body: jsonBody(secondFactorCodeSchema) },
      responses: answers(secondFactorConfirmedSchema),
    }),
    async (c) => {
      const me = own(c);
      const { code } = c.req.valid('json');
      const result = me.ok ? await secondFactor.confirm(me.value, code, c.var.call.actor) : me;
      if (!result.ok) return refusal(c, result.error);
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...result.value }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path,
      tags,
      summary: 'Remove the second factor, with a code of it',
      middleware: gate.session('login'),
      request: { body: jsonBody(secondFactorCodeSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const me = own(c);
      const { code } = c.req.valid('json');
      const result = me.ok ? await secondFactor.remove(me.value, code, c.var.call.actor) : me;
      return result.ok ? c.json({ success: true as const }, 200) : refusal(c, result.error);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path: '/platform/person/{personId}/secondfactor',
      tags: ['Platform'],
      summary: 'Remove the second factor of a person who has lost it and the recovery codes',
      middleware: gate.platform('provisioning'),
      request: {
        params: z.object({ personId: z.string().max(64).meta({ description: 'Id of the person' }) }),
      },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const fresh = checkFresh(c.var.principal, nowMs());
      const result = fresh.ok
        ? await secondFactor.reset(c.req.valid('param').personId, c.var.call.actor)
        : fresh;
      return result.ok ? c.json({ success: true as const }, 200) : refusal(c, result.error);
    },
  );

  return router;
}
