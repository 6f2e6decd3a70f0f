import { z } from 'zod';

/** `typ` of the JWS header: keeps a device token apart from everything else the same key signs. */
export const DEVICE_TOKEN_TYP = 'carillon-device+jwt';

/** How long a device token is good for, seconds. */
export const AUTHORIZED_LIFE_S = 86_400;

/** POST {base_url}/authorize. */
export const authorizeRequestSchema = z
  .strictObject({
    domain: z.string().min(1).max(253).meta({ description: 'Tenant' }),
    deviceId: z.string().min(1).max(256).meta({ description: 'Device with authType userid' }),
    password: z.string().min(1).max(16_384).meta({ description: 'Password of the device' }),
  })
  .meta({
    id: 'AuthorizeRequest',
    description: 'Signs an application user in',
    example: { domain: 'care.example', deviceId: 'tablet-7', password: 'correct horse battery' },
  });

export const authorizedAnswerSchema = z
  .strictObject({
    success: z.literal(true),
    token: z.string().meta({ description: 'JWT; the bearer token of SIP over WebSocket (RFC 8898)' }),
    expiresAt: z.number().int().meta({ description: 'Epoch ms' }),
  })
  .meta({ id: 'Authorized', description: 'Signed in' });

/** Claims of a device token. Unknown ones are ignored, so that either side may be newer. */
export const deviceTokenClaimsSchema = z.object({
  iss: z.string(),
  domain: z.string(),
  /** deviceId. */
  sub: z.string().min(1),
  /** As provisioned (provisioning document 2.5). */
  authorized: z
    .object({
      domain: z.string().optional(),
      invite: z.string().optional(),
      register: z.boolean().optional(),
    })
    .default({}),
  /** Epoch seconds. */
  iat: z.number(),
  exp: z.number(),
});

export type AuthorizeRequest = z.output<typeof authorizeRequestSchema>;
export type DeviceTokenClaims = z.output<typeof deviceTokenClaimsSchema>;
