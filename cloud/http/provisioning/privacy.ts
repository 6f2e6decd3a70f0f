import { createRoute, type z } from '@hono/zod-openapi';
import { listAnswer, oneAnswer, pageQuerySchema } from '#shared/contract/provisioning/index.ts';
import {
  personalDataDocumentSchema,
  personalDataJobSchema,
  personalDataRequestSchema,
  retentionSchema,
} from '#shared/contract/record/index.ts';
import type { PrivacyJobs } from '../../privacy/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { jobRoutes } from '../routing/job.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answerOne } from '../routing/one-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const all = '/provisioning/personaldata/{domain}';
const tags = ['Personal data'];

/** `/provisioning/personaldata`: export and erasure by device or person, for those who may change things. */
export const privacyRouter =
  (jobs: PrivacyJobs, kept: z.output<typeof retentionSchema>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const may = gate.tenant('provisioning', 'provisioning', 'provisioning');

    const job = jobRoutes({
      ...{ path: all, tags, middleware: may, job: personalDataJobSchema },
      example: '01jd0000000000000000000000',
    });

    router.openapi(
      job.start(personalDataRequestSchema, {
        summary: 'Export or erase the data of a device or a person',
        description:
          'Starts a job that runs on the control plane and on every host. A disconnected host does its part when it is connected again. ' +
          'The control plane refuses an erasure while an alarm of the device or person is active.',
      }),
      async (c) => answerOne(c, 'job', await jobs.start(c.var.call, c.req.valid('json'))),
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

    router.openapi(job.read({ summary: 'Read the progress of an export or erasure' }), async (c) =>
      answerOne(c, 'job', await jobs.read(c.var.tenant.id, c.req.valid('param').jobId)),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${job.below}/document`,
        tags,
        summary: 'Download the document of an export',
        middleware: may,
        request: { params: job.params },
        responses: answers(personalDataDocumentSchema),
      }),
      async (c) => {
        const result = await jobs.document(c.var.call, c.req.valid('param').jobId);
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, ...result.value }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/provisioning/retention/{domain}',
        tags,
        summary: 'Read for how many days each class of data is kept',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: domainParam },
        responses: answers(oneAnswer('retention', retentionSchema)),
      }),
      (c) => c.json({ success: true as const, retention: { ...kept } }, 200),
    );

    return router;
  };
