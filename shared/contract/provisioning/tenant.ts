import { z } from 'zod';
import { domainField } from './field.ts';

/** A tenant of the platform, named by its domain. */
export const tenantSchema = z
  .strictObject({
    domain: domainField,
    name: z.string().min(1).max(200).optional().meta({ description: 'Name shown to people' }),
  })
  .meta({ id: 'Tenant', description: 'Tenant', example: { domain: 'care.example', name: 'Care' } });

const secondFactorRequired = z.boolean().optional().meta({
  description:
    'Sessions of people that begin from now on need a second factor; those that run go on until they end. Tokens and keys are not concerned',
});

/** A tenant as the platform's owner sees it; sites know nothing of the demand. */
export const platformTenantSchema = tenantSchema.extend({ secondFactorRequired }).meta({
  id: 'PlatformTenant',
  description: 'Tenant',
  example: { domain: 'care.example', name: 'Care', secondFactorRequired: true },
});

/** PATCH /platform/tenant/{domain}. */
export const tenantChangeSchema = platformTenantSchema.omit({ domain: true }).meta({
  id: 'TenantChange',
  description: 'Fields of a tenant to change',
  example: { secondFactorRequired: true },
});

export type PlatformTenant = z.output<typeof platformTenantSchema>;
export type TenantChange = z.output<typeof tenantChangeSchema>;
export type Tenant = z.output<typeof tenantSchema>;
