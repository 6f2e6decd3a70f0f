import { z } from 'zod';
import { isPathStep, PATH_STEP_REASON } from '../provisioning/index.ts';
import { time } from './field.ts';

/** Id of a load, given by the caller. */
export const bulkIdField = z
  .string()
  .regex(/^[A-Za-z0-9._~-]{1,128}$/, { message: 'must be 1 to 128 letters, digits or characters of . _ ~ -' })
  .refine((id) => !isPathStep(id), { message: PATH_STEP_REASON })
  .meta({ description: 'Id of the import, chosen by the caller', example: 'import-2026-11' });

export const bulkQuerySchema = z
  .strictObject({
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true')
      .meta({ description: 'true: only check the rows' }),
  })
  .meta({ description: 'Options of the import' });

export const bulkStatusSchema = z
  .strictObject({
    bulkId: bulkIdField,
    domain: z.string().meta({ description: 'Tenant' }),
    status: z
      .enum(['STARTED', 'COMPLETED', 'FAILED'])
      .meta({ description: 'FAILED: not every row was read' }),
    dryRun: z.boolean().meta({ description: 'No row was written' }),
    startedAt: time.meta({ description: 'Epoch ms' }),
    stoppedAt: time.optional().meta({ description: 'Epoch ms' }),
    rows: z.number().int().meta({ description: 'Rows processed so far' }),
    failed: z.number().int().meta({ description: 'Refused rows among them' }),
    reason: z.string().optional().meta({ description: 'Cause of the failure of the import' }),
    errors: z
      .array(
        z.strictObject({
          row: z.number().int().meta({ description: 'Row, 1 = first below the header' }),
          reason: z.string().meta({ description: 'Fault of the row' }),
        }),
      )
      .meta({ description: 'The first 1,000 refused rows, and the first of each further reason' }),
    groups: z
      .array(
        z.strictObject({
          reason: z.string().meta({ description: 'Fault as the first row has it' }),
          times: z.number().int().meta({ description: 'Rows with this fault' }),
          rows: z.array(z.number().int()).meta({ description: 'The first five of them' }),
        }),
      )
      .optional()
      .meta({ description: 'Faults by reason, the most frequent first' }),
    rowsAbout: z.number().int().optional().meta({
      description: 'Rows of the whole text while the import runs; cells with line breaks count twice',
    }),
    progress: z.string().optional().meta({
      description: 'State in words',
      example:
        'The import is running. 1,500 of about 5,000 rows were read: 1,488 rows were applied, 12 were refused.',
    }),
  })
  .meta({ id: 'BulkStatus', description: 'Progress of an import' });

export type BulkStatusShown = z.output<typeof bulkStatusSchema>;
