import { z } from '@hono/zod-openapi';

/** `{domain}` of a path. Who may name which tenant is the gate's business, so its form is not checked again. */
export const domainParam = z.object({
  domain: z.string().meta({ description: 'Tenant', example: 'care.example' }),
});
