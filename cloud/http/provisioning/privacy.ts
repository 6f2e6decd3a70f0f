import { createRoute, z } from '@hono/zod-openapi';
import { listAnswer, oneAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import {
  personalDataDocumentSchema,
  personalDataJobSchema,
  personalDataRequestSchema,
} from '#shared/contract/record/index.ts';
import type { PrivacyJobs } from '../../privacy/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answers, jsonBody } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/provisioning/personaldata/{domain}';
const tags = ['Personal data'];
const jobParam = domainParam.extend({
  jobId: z.string().meta({ description: 'Job', example: '01jd0000000000000000000000' }),
});

/** `/provisioning/personaldata`: export and erasure by device or person, for those who may change things. */
export const privacyRouter =
  (jobs: PrivacyJobs) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const may = gate.tenant('provisioning', 'provisioning', 'provisioning');

    router.openapi(
      createRoute({
        method: 'post',
        path: all,
        tags,
        summary: 'Export or erase the data of a device or a person',
        description:
          'Starts a job that runs on the control plane and on every host. A disconnected host does its part when it is connected again. ' +
          'The control plane refuses an erasure while an alarm of the device or person is active.',
        middleware: may,
        request: { params: domainParam, body: jsonBody(personalDataRequestSchema) },
        responses: answers(oneAnswer('job', personalDataJobSchema)),
      }),
      async (c) => {
        const result = await jobs.start(c.var.call, c.req.valid('json'));
        return result.ok
          ? c.json({ success: true as const, job: result.value }, 200)
          : refusal(c, result.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: all,
        tags,
        summary: 'List exports and erasures, newest first',
        middleware: gate.tenant('provisioning', 'provisioning', 'list'),
        request: { params: domainParam, query: pageQuerySchema },
        responses: answers(listAnswer('jobs', personalDataJobSchema)),
      }),
      (c) =>
        answerPage(c, 'jobs', c.req.valid('query'), (after, limit) =>
          jobs.list(c.var.tenant.id, after, limit),
        ),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${all}/{jobId}`,
        tags,
        summary: 'Read the progress of an export or erasure',
        middleware: may,
        request: { params: jobParam },
        responses: answers(oneAnswer('job', personalDataJobSchema)),
      }),
      async (c) => {
        const result = await jobs.read(c.var.tenant.id, c.req.valid('param').jobId);
        return result.ok
          ? c.json({ success: true as const, job: result.value }, 200)
          : refusal(c, result.error);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${all}/{jobId}/document`,
        tags,
        summary: 'Download the document of an export',
        middleware: may,
        request: { params: jobParam },
        responses: answers(personalDataDocumentSchema),
      }),
      async (c) => {
        const result = await jobs.document(c.var.call, c.req.valid('param').jobId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    return router;
  };
