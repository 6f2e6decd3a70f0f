import { z } from 'zod';

/** POST /provisioning/apikey/{domain}/revocation: one token by its `jti`, or all issued before a moment. */
export const revocationSchema = z
  .strictObject({
    jti: z.string().min(1).max(256).optional().meta({ description: 'Claim jti of the token to refuse' }),
    expiresAt: z
      .number()
      .int()
      .positive()
      .optional()
      .meta({ description: 'End of that token, epoch ms; default: 24 h from now' }),
    notBefore: z
      .number()
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'Tokens with an iat before this moment are refused; epoch ms, 0 = none' }),
  })
  .refine(({ jti, notBefore }) => (jti === undefined) !== (notBefore === undefined), {
    message: 'give either jti or notBefore',
  })
  .refine(({ jti, expiresAt }) => jti !== undefined || expiresAt === undefined, {
    path: ['expiresAt'],
    message: 'belongs to jti',
  })
  .meta({ id: 'Revocation', description: 'Refuses signed tokens', example: { jti: 'f81d4fae-7dec' } });

export type Revocation = z.output<typeof revocationSchema>;
