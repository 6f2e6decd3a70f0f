import { z } from 'zod';

const differenceSchema = z.strictObject({
  path: z.string().meta({ description: 'JSON pointer; empty: the whole resource' }),
  before: z.unknown().optional().meta({ description: 'Value before; absent: there was none' }),
  after: z.unknown().optional().meta({ description: 'Value after; absent: there is none' }),
});
export type VersionDifference = z.output<typeof differenceSchema>;

/** One write of a resource, as the audit log has it; secrets are masked. */
export const resourceVersionSchema = z
  .strictObject({
    seq: z.number().int().meta({ description: 'Number of the audit entry; it names the version' }),
    at: z.number().int().meta({ description: 'Epoch ms' }),
    actor: z.string().meta({ description: 'Person, token or key that wrote it' }),
    action: z.string().meta({ description: 'Kind of write; provisory: a draft' }),
    body: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'The resource after it; absent: it was deleted' }),
    changed: z.array(differenceSchema).meta({ description: 'Differences that this write made' }),
    toToday: z.array(differenceSchema).meta({ description: 'Differences between this version and today' }),
  })
  .meta({
    id: 'ResourceVersion',
    description: 'Version of a resource',
    example: {
      ...{ seq: 41, at: 1_795_680_000_000, actor: 'person:01j9z3n6t2v4q8w5x7y1b3c5d7', action: 'patch' },
      changed: [{ path: '/order', before: 1_000, after: 10 }],
      toToday: [],
    },
  });
export type ResourceVersion = z.output<typeof resourceVersionSchema>;

export const restoreVersionSchema = z
  .strictObject({
    seq: z.number().int().min(1).meta({ description: 'Version: number of its audit entry', example: 41 }),
  })
  .meta({
    id: 'RestoreVersion',
    description: 'Version that becomes the present one again',
    example: { seq: 41 },
  });
