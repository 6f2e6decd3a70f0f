import { z } from '@hono/zod-openapi';

/** `{domain}` of a path. The gate decides which caller may name which tenant, so its form is not checked again. */
export const domainParam = z.object({
  domain: z.string().meta({ description: 'Tenant', example: 'care.example' }),
});
