import { z } from 'zod';
import { time } from './field.ts';

/** Id of a load, given by the caller. */
export const bulkIdField = z
  .string()
  .regex(/^[A-Za-z0-9._~-]{1,128}$/, { message: 'must be 1 to 128 letters, digits or signs of . _ ~ -' })
  .meta({ description: 'Id of the load, given by the caller', example: 'import-2026-11' });

export const bulkQuerySchema = z
  .strictObject({
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((text) => text === 'true')
      .meta({ description: 'true: only says what would be refused' }),
  })
  .meta({ description: 'How to load' });

export const bulkStatusSchema = z
  .strictObject({
    bulkId: bulkIdField,
    domain: z.string().meta({ description: 'Tenant' }),
    status: z
      .enum(['STARTED', 'COMPLETED', 'FAILED'])
      .meta({ description: 'FAILED: not every row was read' }),
    dryRun: z.boolean().meta({ description: 'Nothing was written' }),
    startedAt: time.meta({ description: 'Epoch ms' }),
    stoppedAt: time.optional().meta({ description: 'Epoch ms' }),
    rows: z.number().int().meta({ description: 'Rows dealt with so far' }),
    failed: z.number().int().meta({ description: 'Rows of these that were refused' }),
    reason: z.string().optional().meta({ description: 'Why the load failed' }),
    errors: z
      .array(
        z.strictObject({
          row: z.number().int().meta({ description: 'Row, 1 = first below the header' }),
          reason: z.string().meta({ description: 'What is wrong with it' }),
        }),
      )
      .meta({ description: 'The first 1,000 refused rows' }),
  })
  .meta({ id: 'BulkStatus', description: 'How a load goes, or went' });

export type BulkStatusShown = z.output<typeof bulkStatusSchema>;
