import { z } from 'zod';
import { recordFilterSchema } from './query.ts';

export const RECORD_EXPORT_FORMATS = ['csv', 'jsonl'] as const;

const moment = z.number().int().nonnegative().max(999_999_999_999_999);

/** POST /record/{domain}/export. */
export const recordExportRequestSchema = recordFilterSchema
  .extend({
    format: z.enum(RECORD_EXPORT_FORMATS).default('csv').meta({
      description: 'csv: RFC 4180 with a header; jsonl: one JSON record on each line',
      example: 'csv',
    }),
    from: moment
      .optional()
      .meta({ description: 'Begin, inclusive, epoch ms (default: 24 hours before the request)' }),
    to: moment
      .optional()
      .meta({ description: 'End, exclusive, epoch ms (default: the time of the request)' }),
  })
  .meta({ id: 'RecordExportRequest', description: 'Format, range and filters of an export' });
export type RecordExportRequest = z.output<typeof recordExportRequestSchema>;

export const recordExportJobSchema = recordExportRequestSchema
  .required({ format: true, from: true, to: true })
  .extend({
    jobId: z.string().meta({ description: 'Job', example: 'WyJjc3YiLHsiZnJvbSI6MCwidG8iOjF9XQ' }),
    state: z.enum(['ready']).meta({ description: 'ready: the file can be downloaded' }),
    path: z.string().meta({
      description: 'Path of the file',
      example: '/record/care.example/export/WyJjc3YiLHsiZnJvbSI6MCwidG8iOjF9XQ/file',
    }),
  })
  .meta({ id: 'RecordExportJob', description: 'Export of records; the file is written while it is read' });
export type RecordExportJob = z.output<typeof recordExportJobSchema>;
