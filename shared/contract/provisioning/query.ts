import { z } from 'zod';

const flagText = z
  .enum(['true', 'false'])
  .default('false')
  .transform((text) => text === 'true');

/** Query parameters are text; parsed values are not. */
export const provisoryQuerySchema = z
  .strictObject({
    provisory: flagText.meta({
      description: 'true: the provisory set, stored but not used by the service',
      example: 'true',
    }),
  })
  .meta({ description: 'Set of the request' });

const paging = {
  limit: z
    .string()
    .regex(/^([1-9]\d?|100)$/, { message: 'must be a number from 1 to 100' })
    .default('100')
    .transform(Number)
    .meta({ description: 'Most entries in one answer, 1 to 100', example: '50', 'x-unit': 'entries' }),
  nextToken: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .meta({ description: 'nextToken of the previous page', example: 'WzEsIjAxajl6M242dDIiXQ' }),
};

/** Paging of every list, in stable order by id. */
export const pageQuerySchema = z.strictObject(paging).meta({ description: 'Paging' });

/** The audit list. */
export const auditListQuerySchema = z
  .strictObject({
    ...paging,
    order: z
      .enum(['oldest', 'newest'])
      .default('oldest')
      .meta({ description: 'Order of the entries; a nextToken continues in its own order' }),
    entity: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .meta({ description: 'Kind of the resource; with `entityId`', example: 'promptfile' }),
    entityId: z.string().min(1).max(200).optional().meta({
      description: 'Id of one resource; with `entity`. Its entries come newest first, in either order',
      example: 'siprec-7c1f.wav',
    }),
    actor: z.string().min(1).max(200).optional().meta({
      description:
        'Person, key or token that acted, as the entries name it; without `entity`. Its entries come newest first, in either order',
      example: 'key:01j9z3n6t2v4q8w5x7y1b3c5d7',
    }),
  })
  .refine(({ entity, entityId }) => (entity === undefined) === (entityId === undefined), {
    message: 'must be given together with entity',
    path: ['entityId'],
  })
  .refine(({ entity, actor }) => entity === undefined || actor === undefined, {
    message: 'must not be given together with entity',
    path: ['actor'],
  })
  .meta({ description: 'Paging, order, resource and actor' });

/** Lists of resources that have a provisory set. */
export const listQuerySchema = z
  .strictObject({ ...paging, ...provisoryQuerySchema.shape })
  .meta({ description: 'Paging and set' });

/** Device list. */
export const deviceListQuerySchema = z
  .strictObject({
    ...paging,
    filter: z
      .string()
      .max(256)
      .optional()
      .meta({ description: 'Devices whose deviceId starts with this', example: 'north:' }),
  })
  .meta({ description: 'Paging and filter' });

export type ListQuery = z.output<typeof listQuerySchema>;
export type DeviceListQuery = z.output<typeof deviceListQuerySchema>;
