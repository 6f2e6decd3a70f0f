import { z } from 'zod';
import { domainField } from './field.ts';

/** A tenant of the platform, named by its domain. */
export const tenantSchema = z
  .strictObject({
    domain: domainField,
    name: z.string().min(1).max(200).optional().meta({ description: 'Name shown to people' }),
  })
  .meta({ id: 'Tenant', description: 'Tenant', example: { domain: 'care.example', name: 'Care' } });

export type Tenant = z.output<typeof tenantSchema>;
