import { createRoute, z } from '@hono/zod-openapi';
import { setupRequestSchema } from '#shared/contract/access/index.ts';
import { doneAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import { visitor } from '../routing/call.ts';
import type { Gate } from '../routing/gate.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import type { AppPort } from '../routing/port.ts';
import { refusal } from '../routing/refusal.ts';
import { setupPage } from './page.ts';

const path = '/setup/{code}';
const codeParam = z.object({ code: z.string().max(128).meta({ description: 'Code in the link' }) });

/** `/setup/{code}`: the page behind a link, and what it sends (decisions of the project, section 2). */
export function setupRouter({ tenancy, nowMs, random }: AppPort, gate: Gate): Api {
  const { setup } = tenancy;
  const router = createRouter();

  router.get('/setup/:code', gate.open('list'), async (c) => {
    const invited = await setup.look(c.req.param('code'), nowMs());
    const { html, headers } = setupPage(invited, Buffer.from(random(16)).toString('base64'));
    return c.html(html, invited.ok ? 200 : 404, headers);
  });

  router.openapi(
    createRoute({
      method: 'post',
      path,
      tags: ['Session'],
      security: [],
      summary: 'Accept an invitation, or become the owner of the platform',
      middleware: gate.open('login'),
      request: { params: codeParam, body: jsonBody(setupRequestSchema) },
      responses: answers(doneAnswerSchema),
    }),
    async (c) => {
      const result = await setup.accept(c.req.valid('param').code, c.req.valid('json'), visitor(c, nowMs()));
      if (!result.ok) return refusal(c, result.error);
      return c.json({ success: true as const }, 200);
    },
  );

  return router;
}
