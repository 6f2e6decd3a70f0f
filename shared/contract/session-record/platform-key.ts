import { z } from 'zod';

/** Address of the keys below the base URL of the platform (RFC 8615). */
export const PLATFORM_KEY_PATH = '/.well-known/jwks.json';

const text = z.string();

const platformKeySchema = z
  .object({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: text.meta({ description: 'Public key, base64url (RFC 8037)' }),
    kid: text.meta({ description: 'Id in the header of a signature' }),
    use: z.literal('sig'),
    alg: z.literal('EdDSA'),
    fingerprint: text.meta({ description: 'JWK thumbprint (RFC 7638), base64url' }),
    retiredAt: z.number().nonnegative().optional().meta({
      description: 'Time after which the platform signed nothing with the key, epoch ms; absent: in use',
    }),
  })
  .meta({ id: 'PlatformKey', description: 'Public key by which the platform signs' });
export type PlatformKey = z.output<typeof platformKeySchema>;

/** `GET /.well-known/jwks.json`: a JWK set (RFC 7517 5). */
export const platformKeysSchema = z
  .object({
    success: z.literal(true),
    keys: z.array(platformKeySchema).meta({ description: 'The key that signs now stands first' }),
  })
  .meta({
    id: 'PlatformKeys',
    description: 'JWK set of the platform',
    example: {
      success: true,
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
          ...{ kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', use: 'sig', alg: 'EdDSA' },
          fingerprint: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        },
      ],
    },
  });
