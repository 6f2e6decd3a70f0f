import { createRoute, z } from '@hono/zod-openapi';
import { recordExportJobSchema, recordExportRequestSchema } from '#shared/contract/session-record/index.ts';
import type { RecordExports } from '../../record/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { jobRoutes } from '../routing/job.ts';
import { answerOne } from '../routing/one-answer.ts';
import { answers } from '../routing/operation.ts';
import { refusal } from '../routing/refusal.ts';
import { recordTags, seesNumbers } from './record.ts';

const path = '/record/{domain}/export';
const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', jsonl: 'application/jsonl; charset=utf-8' } as const;
const text = { schema: z.string() };
const fileAnswers = {
  ...answers(z.string()),
  200: {
    description: 'The file, newest record first',
    content: { 'text/csv': text, 'application/jsonl': text },
  },
};

/** `/record/{domain}/export`: records as a file. */
export const recordExportRouter =
  (exports: RecordExports) =>
  (gate: Gate): Api => {
    const router = createRouter();
    const may = gate.tenant('provisioning', 'reading', 'list');

    const job = jobRoutes({
      ...{ path, tags: recordTags, middleware: may, job: recordExportJobSchema },
      example: 'WyJjc3YiLHsiZnJvbSI6MCwidG8iOjF9XQ',
    });

    router.openapi(
      job.start(recordExportRequestSchema, {
        summary: 'Export the records of sessions as CSV or JSON lines',
        description:
          'Exports the last 24 hours unless a range or a trace is given. The job keeps the search; the file is written while it is downloaded. ' +
          'Numbers are masked for viewers and for tokens that only have the scope read. Each export and each download stands in the audit log.',
      }),
      async (c) => answerOne(c, 'job', await exports.start(c.var.call, c.req.valid('json'), seesNumbers(c))),
    );

    router.openapi(job.read({ summary: 'Read an export of records' }), (c) =>
      answerOne(c, 'job', exports.read(c.var.tenant.domain, c.req.valid('param').jobId)),
    );

    router.openapi(
      createRoute({
        method: 'get',
        path: `${job.below}/file`,
        tags: recordTags,
        summary: 'Download the file of an export',
        middleware: may,
        request: { params: job.params },
        responses: fileAnswers,
      }),
      async (c) => {
        const whole = seesNumbers(c);
        const result = await exports.open(c.var.call, c.req.valid('param').jobId, whole);
        if (!result.ok) return refusal(c, result.error);
        const { format, text: lines } = result.value;
        const stays = () => gate.stays(c, 'provisioning', whole ? 'operation' : 'reading');
        return c.body(bytesOf(lines, stays), 200, {
          'Content-Type': MEDIA_TYPES[format],
          'Content-Disposition': `attachment; filename="records.${format}"`,
          'Cache-Control': 'no-store',
        });
      },
    );

    return router;
  };

/**
 * The lines as a stream of bytes: each is made when the one before was taken. A caller who lost the right meanwhile gets an
 * answer that breaks off, and not one that looks whole.
 */
function bytesOf(lines: AsyncGenerator<string>, stays: () => Promise<boolean>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>(
    {
      pull: async (stream) => {
        const { value, done } = await lines.next();
        if (done === true) {
          stream.close();
          return;
        }
        if (!(await stays())) throw new Error('the caller may not read records any more');
        stream.enqueue(encoder.encode(value));
      },
      cancel: async () => void (await lines.return(undefined)),
    },
    { highWaterMark: 1 },
  );
}
