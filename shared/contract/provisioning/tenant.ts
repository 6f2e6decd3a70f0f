import { z } from 'zod';
import { domainField } from './field.ts';

/** A tenant of the platform, named by its domain. */
export const tenantSchema = z
  .strictObject({
    domain: domainField,
    name: z.string().min(1).max(200).optional().meta({ description: 'Name shown to people' }),
  })
  .meta({ id: 'Tenant', description: 'Tenant', example: { domain: 'care.example', name: 'Care' } });

export const TENANT_ROLES = ['owner', 'admin', 'operator', 'technician', 'viewer'] as const;

/** One tenant the signed-in person may enter (provisioning document 2.6). */
export const tenantEntrySchema = z
  .strictObject({
    role: z.enum(TENANT_ROLES).meta({ description: 'What the person may do there' }),
    domain: domainField,
  })
  .meta({ id: 'TenantEntry', description: 'Tenant and role of the signed-in person' });

export type Tenant = z.output<typeof tenantSchema>;
export type TenantRole = (typeof TENANT_ROLES)[number];
