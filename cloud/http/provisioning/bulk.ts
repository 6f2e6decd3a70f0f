import { createRoute, z } from '@hono/zod-openapi';
import { oneAnswer, storedAnswerSchema } from '#shared/contract/provisioning/index.ts';
import {
  type BulkStatusShown,
  bulkIdField,
  bulkQuerySchema,
  bulkStatusSchema,
  csvText,
} from '#shared/contract/record/index.ts';
import { type DeviceBulk, errorGroups, progressText } from '../../provisioning/index.ts';
import { createRouter } from '../routing/api.ts';
import type { Api } from '../routing/api-env.ts';
import type { Gate } from '../routing/gate.ts';
import { answers } from '../routing/operation.ts';
import { domainParam } from '../routing/param.ts';
import { refusal } from '../routing/refusal.ts';

const path = '/provisioning/device/{domain}/bulk/{bulkId}';
const bulkParam = domainParam.extend({ bulkId: bulkIdField });
const tags = ['Devices'];

const CSV_BODY = {
  required: true,
  description: 'One device in each row; the first row names the fields, in dot notation for nested ones',
  content: {
    'text/csv': {
      schema: z.string().meta({ example: 'deviceId,authType,srtp\nscaip-1,deviceid,negotiated\n' }),
    },
  },
} as const;

/** `/provisioning/device/{domain}/bulk`: devices by CSV (decisions of the project, section 3). */
export const bulkRouter =
  (bulk: DeviceBulk) =>
  (gate: Gate): Api => {
    const router = createRouter();

    router.openapi(
      createRoute({
        method: 'put',
        path,
        tags,
        summary:
          'Import devices from CSV; the request returns at once and the rows are applied in the background',
        middleware: gate.tenant('provisioning', 'provisioning', 'provisioning'),
        request: { params: bulkParam, query: bulkQuerySchema, body: CSV_BODY },
        responses: answers(storedAnswerSchema),
      }),
      async (c) => {
        if (c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase() !== 'text/csv')
          return refusal(c, {
            code: 'unsupportedMediaType',
            reason: 'The devices cannot be read: the media type is not supported. Send them as text/csv.',
          });
        const { bulkId } = c.req.valid('param');
        const { dryRun } = c.req.valid('query');
        const result = await bulk.start(c.var.call, bulkId, dryRun, await chunksOf(c.req.raw.body));
        if (!result.ok) return refusal(c, result.error);
        return c.json({ success: true as const, id: result.value.id }, 200);
      },
    );

    router.openapi(
      createRoute({
        method: 'get',
        path,
        tags,
        summary:
          'Read the progress of an import; Accept: text/csv returns the refused rows for a spreadsheet',
        middleware: gate.tenant('provisioning', 'reading', 'provisioning'),
        request: { params: bulkParam },
        responses: answers(oneAnswer('status', bulkStatusSchema)),
      }),
      async (c) => {
        const result = await bulk.read(c.var.tenant.id, c.req.valid('param').bulkId);
        if (!result.ok) return refusal(c, result.error);
        const { id, dryRun, status, startedAt, stoppedAt, rowCount, failed, reason, errors, about } =
          result.value;
        if (c.req.header('Accept')?.startsWith('text/csv')) {
          c.header('Content-Disposition', `attachment; filename="${id}-errors.csv"`);
          const text = csvText([['row', 'reason'], ...errors.map((each) => [String(each.row), each.reason])]);
          // Beside JSON this answer has a second form, which the described schema does not know.
          return c.body(text, 200, { 'Content-Type': 'text/csv; charset=utf-8' }) as never;
        }
        const shown: BulkStatusShown = {
          bulkId: id,
          domain: c.var.tenant.domain,
          status,
          dryRun,
          startedAt,
          ...(stoppedAt === null ? {} : { stoppedAt }),
          rows: rowCount,
          failed,
          ...(reason === null ? {} : { reason }),
          errors: errors.map(({ row, reason: fault }) => ({ row, reason: fault })),
          groups: errorGroups(errors),
          ...(about !== undefined && { rowsAbout: about }),
          progress: progressText(result.value),
        };
        return c.json({ success: true as const, status: shown }, 200);
      },
    );

    return router;
  };

/** The body as it came; its size was limited before, also while it was read. */
async function chunksOf(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  if (body !== null) for await (const chunk of body) chunks.push(chunk);
  return chunks;
}
