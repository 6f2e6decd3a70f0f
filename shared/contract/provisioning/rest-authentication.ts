import { z } from 'zod';
import { secretField } from './field.ts';

/** Signature algorithms of callback tokens. HS256 takes a shared secret, the others a PKCS#8 PEM private key. */
const SIGNATURE_TYPES = ['RS256', 'RS512', 'ES256', 'EdDSA', 'HS256'] as const;

/** One credential of the callbacks (provisioning document 2.2); entries are tried in list order. */
const restAuthenticationEntrySchema = z
  .strictObject({
    sub: z.string().optional().meta({ description: 'Subject of the token', example: 'carillon' }),
    scope: z.string().optional().meta({ description: 'Scope of the token', example: 'alarm' }),
    secret: secretField.meta({
      description: 'Signing key: PKCS#8 PEM, or the shared secret of HS256',
      example: '<SIGNING_SECRET>',
    }),
    type: z
      .enum(SIGNATURE_TYPES)
      .default('RS256')
      .meta({ description: 'Signature algorithm', example: 'HS256' }),
    requestHeaders: z
      .record(
        z.string().regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/),
        z.string().regex(/^[\t\x20-\x7e\x80-\xff]*$/),
      )
      .optional()
      .meta({
        description: 'Headers sent with each callback; Host and hop-by-hop headers are left out',
        example: { 'X-Api-Version': '2' },
      }),
  })
  .meta({
    id: 'RestAuthenticationEntry',
    description: 'Credential that signs callback requests; a refused request is signed by the next entry',
    example: { sub: 'carillon', scope: 'alarm', secret: '<SIGNING_SECRET>', type: 'HS256' },
  });

export const restAuthenticationSchema = z
  .array(restAuthenticationEntrySchema)
  .max(16)
  .meta({
    description: 'Authentication of callback requests, tried in order',
    example: [{ sub: 'carillon', scope: 'alarm', secret: '<SIGNING_SECRET>', type: 'HS256' }],
  });

export type RestAuthenticationEntry = z.infer<typeof restAuthenticationEntrySchema>;
