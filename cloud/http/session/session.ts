import { createRoute } from '@hono/zod-openapi';
import { sessionAnswerSchema, sessionRequestSchema } from '#shared/contract/access/index.ts';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { visitor } from '../routing/call.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';
import {
  browserCookie,
  clearSessionCookie,
  sessionCookie,
  setBrowserCookie,
  setSessionCookie,
} from '../routing/session-cookie.ts';

const path = '/session';
const tags = ['Session'];

const NO_SESSION = {
  code: 'unauthorized',
  reason: 'The request has no session: its cookie is missing or has expired. Sign in with POST /session.',
} as const;

/** `/session`: people sign in and out (decisions of the project, section 2). */
export function sessionRouter(port: AppPort, gate: Gate): Api {
  const { publicUrl, nowMs } = port;
  const { session } = port.tenancy;
  const router = createRouter();

  router.openapi(
    createRoute({
      method: 'post',
      path,
      tags,
      security: [],
      summary:
        'Sign in; a repeated sign-in renews the time of the password check. A person with a second factor is refused with secondFactorRequired, and sends the same again with the code',
      middleware: gate.open('login'),
      request: { body: jsonBody(sessionRequestSchema) },
      responses: answers(sessionAnswerSchema),
    }),
    async (c) => {
      const mark = browserCookie(c, publicUrl);
      const result = await session.signIn(c.req.valid('json'), visitor(c, nowMs()), mark);
      if (!result.ok) return refusal(c, result.error);
      const { cookie, browser, ...shown } = result.value;
      setBrowserCookie(c, publicUrl, browser);
      // A person who signs in again has one session, not two.
      const before = sessionCookie(c, publicUrl);
      if (before !== undefined) await session.end(before);
      setSessionCookie(c, publicUrl, cookie, Math.floor((shown.expiresAt - nowMs()) / 1000));
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...shown }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'get',
      path,
      tags,
      summary: 'Read the person of the session cookie',
      middleware: gate.session('list'),
      responses: answers(sessionAnswerSchema),
    }),
    async (c) => {
      const cookie = sessionCookie(c, publicUrl);
      const shown = cookie === undefined ? undefined : await session.read(cookie, nowMs());
      if (shown === undefined) return refusal(c, NO_SESSION);
      c.header('Cache-Control', 'no-store');
      return c.json({ success: true as const, ...shown }, 200);
    },
  );

  router.openapi(
    createRoute({
      method: 'delete',
      path,
      tags,
      summary: 'Sign out',
      middleware: gate.session('list'),
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const cookie = sessionCookie(c, publicUrl);
      if (cookie === undefined) return refusal(c, NO_SESSION);
      await session.end(cookie);
      clearSessionCookie(c, publicUrl);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
