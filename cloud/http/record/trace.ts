import { createRoute } from '@hono/zod-openapi';
import { oneAnswer } from '#shared/contract/provisioning/index.ts';
import { sessionTraceSchema } from '#shared/contract/session-record/index.ts';
import type { TraceRelay } from '../../record/index.ts';
import { isAllowed } from '../../tenant/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerOne } from '../routing/one-answer.ts';
import { answers } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';
import { recordParam, recordTags } from './record.ts';

/** `GET /record/{domain}/{recordId}/trace`: for those who operate or maintain, since a trace has whole numbers. */
export const recordTraceRouter =
  (traces: Pick<TraceRelay, 'read'>) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.use('/record/:domain/:recordId/trace', packedAnswer());
    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}/trace',
        tags: recordTags,
        summary: 'Read the trace of a session, fetched from the hosts of its site',
        description:
          'Needs the role operator or technician. Each access stands in the audit log. A host that is away is named with the time since when it is away.',
        middleware: gate.tenant('provisioning', 'reading', 'lifecycle'),
        request: { params: recordParam },
        responses: answers(oneAnswer('trace', sessionTraceSchema)),
      }),
      async (c) => {
        const may = (right: 'operation' | 'lifecycle') =>
          isAllowed(c.var.principal, 'provisioning', right) || isAllowed(c.var.principal, 'site', right);
        if (!may('operation') && !may('lifecycle'))
          return refusal(c, {
            code: 'forbidden',
            reason:
              'The trace is not shown: it has whole numbers, and the caller does not see them. Use a token of an operator or a technician.',
          });
        return answerOne(c, 'trace', await traces.read(c.var.call, c.req.valid('param').recordId));
      },
    );
    return router;
  };
