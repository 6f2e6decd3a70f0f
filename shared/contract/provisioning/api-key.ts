import { z } from 'zod';
import { isPathStep, jsonField, PATH_STEP_REASON, successField, timeField } from './field.ts';
import { makerField } from './maker.ts';
import { scopeField } from './scope.ts';

const API_KEY_ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;

/** Public key of a customer who signs the tokens of API calls. */
export const apiKeyRequestSchema = z
  .strictObject({
    publicKey: z
      .union([z.string().min(1).max(16_384), z.record(z.string(), jsonField)])
      .meta({ description: 'PEM text or JWK object' }),
    alg: z.enum(API_KEY_ALGORITHMS).meta({ description: 'The one algorithm this key verifies' }),
    kid: z
      .string()
      .regex(/^[A-Za-z0-9._~:+-]{1,128}$/)
      .refine((kid) => !isPathStep(kid), { message: PATH_STEP_REASON })
      .optional()
      .meta({ description: 'Key id in the token header; generated when absent' }),
    name: z.string().min(1).max(200).optional().meta({ description: 'Name given by the customer' }),
    scope: scopeField.optional(),
  })
  .meta({
    id: 'ApiKeyRequest',
    description: 'Registers a public key',
    example: {
      publicKey: { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
      alg: 'EdDSA',
      name: 'alarm centre',
      scope: 'provisioning read',
    },
  });

export const apiKeySchema = z
  .strictObject({
    kid: z.string().meta({ description: 'Key id' }),
    alg: z.enum(API_KEY_ALGORITHMS).meta({ description: 'Algorithm' }),
    publicKey: z
      .union([z.string(), z.record(z.string(), jsonField)])
      .meta({ description: 'Key as registered' }),
    name: z.string().optional().meta({ description: 'Name' }),
    scope: scopeField.optional(),
    createdAt: timeField.optional().meta({ description: 'Epoch ms' }),
    maker: makerField.optional(),
  })
  .meta({ id: 'ApiKey', description: 'Registered public key' });

export const apiKeyCreatedSchema = z
  .strictObject({ success: successField, kid: z.string().meta({ description: 'Key id' }) })
  .meta({ id: 'ApiKeyCreated', description: 'Key registered' });

export type ApiKeyRequest = z.output<typeof apiKeyRequestSchema>;
export type ApiKey = z.output<typeof apiKeySchema>;
