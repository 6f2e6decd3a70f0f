import { createRoute, type z } from '@hono/zod-openapi';
import { listAnswer, pageQuerySchema, storedAnswerSchema } from '#shared/contract/provisioning/index.ts';
import { resourceVersionSchema, restoreVersionSchema } from '#shared/contract/record/index.ts';
import type { ResourceHistory } from '../../../provisioning/index.ts';
import type { Api } from '../../routing/api-env.ts';
import type { Gate } from '../../routing/gate.ts';
import { answerPage } from '../../routing/list-answer.ts';
import { answers, jsonBody } from '../../routing/operation.ts';
import { refusal } from '../../routing/refusal.ts';

/** Versions of one resource, and the way back to one of them. */
export function historyRoutes(
  router: Api,
  gate: Gate,
  given: {
    readonly core: ResourceHistory;
    /** Path of one resource. */
    readonly one: string;
    readonly idParam: z.ZodObject;
    readonly idName: string;
    readonly tags: string[];
    readonly noun: string;
  },
): void {
  const { core, one, idParam, idName, tags, noun } = given;

  router.openapi(
    createRoute({
      method: 'get',
      path: `${one}/history`,
      tags,
      summary: `List the versions of ${noun}, newest first`,
      description:
        'Each version comes from the audit log: who wrote it, what it changed, and what differs from today. Secrets are masked.',
      middleware: gate.tenant('provisioning', 'reading', 'list'),
      request: { params: idParam, query: pageQuerySchema },
      responses: answers(listAnswer('versions', resourceVersionSchema)),
    }),
    (c) =>
      answerPage(c, 'versions', c.req.valid('query'), (after, limit) =>
        core.history(c.var.tenant.id, c.req.param(idName) ?? '', after, limit),
      ),
  );

  router.openapi(
    createRoute({
      method: 'post',
      path: `${one}/restore`,
      tags,
      summary: `Make a version of ${noun} the present one again`,
      description:
        'Acts like PUT with the body of that version. Secrets stay those of today, because the audit log has none. Takes If-Match and dryRun.',
      middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
      request: { params: idParam, body: jsonBody(restoreVersionSchema) },
      responses: answers(storedAnswerSchema),
    }),
    async (c) => {
      const { seq } = c.req.valid('json');
      const result = await core.restore(c.var.call, c.req.param(idName) ?? '', seq);
      if (!result.ok) return refusal(c, result.error);
      const { etag, id, warnings } = result.value;
      c.header('ETag', etag);
      const noted = warnings === undefined ? {} : { warnings: [...warnings] };
      return c.json({ success: true as const, id, ...noted }, 200);
    },
  );
}
