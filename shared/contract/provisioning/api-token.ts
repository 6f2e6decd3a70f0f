import { z } from 'zod';
import { successField, timeField } from './field.ts';
import { makerField } from './maker.ts';
import { scopeField } from './scope.ts';

/** Longest life of an API token: ten years. */
const LONGEST_LIFE_S = 315_360_000;

/** Asks for an opaque token for scripts. */
export const apiTokenRequestSchema = z
  .strictObject({
    name: z.string().min(1).max(200).optional().meta({ description: 'Name given by the customer' }),
    scope: scopeField.optional(),
    expiresIn: z.number().int().positive().max(LONGEST_LIFE_S).optional().meta({
      description:
        'Life in seconds, at most that of the creating token; absent: as long as that of its creator',
    }),
  })
  .meta({
    id: 'ApiTokenRequest',
    description: 'Request for an API token',
    example: { name: 'nightly', scope: 'read' },
  });

/** The token is shown once; only its hash is kept. */
export const apiTokenCreatedSchema = z
  .strictObject({
    success: successField,
    id: z.string().meta({ description: 'Id of the token, for the list and for DELETE' }),
    token: z.string().meta({ description: 'API token; it is not shown again' }),
    expiresAt: timeField.optional().meta({ description: 'Epoch ms; absent: until revoked' }),
  })
  .meta({ id: 'ApiTokenCreated', description: 'The token was created' });

export const apiTokenSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the token' }),
    name: z.string().optional().meta({ description: 'Name' }),
    scope: scopeField.optional(),
    createdAt: timeField.optional().meta({ description: 'Epoch ms' }),
    expiresAt: timeField.optional().meta({ description: 'Epoch ms; absent: until revoked' }),
    maker: makerField.optional(),
  })
  .meta({ id: 'ApiToken', description: 'API token without the token itself' });

export type ApiTokenRequest = z.output<typeof apiTokenRequestSchema>;
export type ApiToken = z.output<typeof apiTokenSchema>;
