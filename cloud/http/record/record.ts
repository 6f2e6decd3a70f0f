import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { listAnswer, oneAnswer } from '#shared/contract/provisioning/index.ts';
import {
  recordCountQuerySchema,
  recordCountSchema,
  recordListQuerySchema,
  shownRecordSchema,
  traceHostSchema,
} from '#shared/contract/session-record/index.ts';
import { fail, ok } from '#shared/result.ts';
import { type RecordQueries, rangeOf } from '../../record/index.ts';
import type { TranscriptSearch } from '../../record/transcript/index.ts';
import { isAllowed } from '../../tenant/index.ts';
import { packedAnswer } from '../middleware/packed-answer.ts';
import { createRouter } from '../routing/api.ts';
import type { Api, ApiEnv } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answerPage } from '../routing/list-answer.ts';
import { answerOne } from '../routing/one-answer.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';

export const recordTags = ['Records'];
export const recordParam = domainParam.extend({
  recordId: z.string().meta({ description: 'Record', example: '01jd0000000000000000000000' }),
});

/** Whole numbers are for those who operate; with scope `read` alone, and for viewers, they are masked. */
export const seesNumbers = (c: Context<ApiEnv>): boolean =>
  isAllowed(c.var.principal, 'provisioning', 'operation');

const listed = listAnswer('records', shownRecordSchema).extend({
  hosts: z.array(traceHostSchema).optional().meta({
    description:
      'With transcript: hosts that were asked. The matches of one that is away or failed are missing',
  }),
  cut: z
    .boolean()
    .optional()
    .meta({ description: 'With transcript: a host has more matches than it gave. Choose a shorter time' }),
});

/** `/record`: every session of the tenant. */
export const recordRouter =
  (records: RecordQueries, transcripts: Pick<TranscriptSearch, 'find'>, nowMs: () => number) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const may = gate.tenant('provisioning', 'reading', 'list');
    router.use('/record/:domain', packedAnswer());

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}',
        tags: recordTags,
        summary: 'List the records of sessions, newest first',
        description:
          'Lists the last 24 hours unless a range or a trace is given. A page may be short and still have a nextToken. ' +
          'Numbers are masked for viewers and for tokens that only have the scope read. ' +
          'With transcript the hosts search the words that they keep; it needs the role operator, and the search stands in the audit log without its words.',
        middleware: may,
        request: { params: domainParam, query: recordListQuerySchema },
        responses: answers(listed),
      }),
      (c) => {
        const { limit: _, nextToken: __, transcript: words, ...search } = c.req.valid('query');
        const whole = seesNumbers(c);
        return answerPage(c, 'records', c.req.valid('query'), async (after, limit) => {
          const tenant = c.var.tenant.id;
          if (words === undefined) return await records.search(tenant, search, { after, limit, whole });
          if (!whole) return MAY_NOT_SEARCH;
          const range = rangeOf(search, nowMs());
          const question = { words, siteId: search.siteId, ...range, goesOn: after !== '' };
          const { traceIds, hosts, cut } = await transcripts.find(c.var.call, question);
          const page = await records.search(tenant, search, { after, limit, whole, traceIds });
          return page.ok ? ok({ ...page.value, more: { hosts: [...hosts], cut } }) : page;
        });
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/count',
        tags: recordTags,
        summary: 'Count the sessions of each hour, for a chart',
        middleware: may,
        request: { params: domainParam, query: recordCountQuerySchema },
        responses: answers(listAnswer('counts', recordCountSchema)),
      }),
      async (c) => {
        const { siteId, from, to } = c.req.valid('query');
        const counts = await records.counts(c.var.tenant.id, { from, to }, siteId);
        return c.json({ success: true as const, counts }, 200);
      },
    );

    return router;
  };

/** A caller who may not read the words of a session must not find out about them either. */
const MAY_NOT_SEARCH = fail(
  'forbidden',
  'The search in transcripts is refused: the caller may not listen to recordings. Use a token of an operator.',
);

/** `GET /record/{domain}/{recordId}`; behind the routes whose last word is no record. */
export const oneRecordRouter =
  (records: RecordQueries) =>
  (gate: Gate): Api => {
    const router = createRouter();
    router.openapi(
      createRoute({
        method: 'get',
        path: '/record/{domain}/{recordId}',
        tags: recordTags,
        summary: 'Read one record',
        middleware: gate.tenant('provisioning', 'reading', 'list'),
        request: { params: recordParam },
        responses: answers(oneAnswer('record', shownRecordSchema)),
      }),
      async (c) => {
        const { recordId } = c.req.valid('param');
        return answerOne(c, 'record', await records.read(c.var.tenant.id, recordId, seesNumbers(c)));
      },
    );
    return router;
  };
