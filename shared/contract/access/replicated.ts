import { z } from 'zod';
import { keyChainField } from '../feed/index.ts';
import { apiKeySchema, apiTokenSchema, tenantSchema } from '../provisioning/index.ts';
import { roleField } from './user.ts';

/*
 * Rows by which a site judges tokens with no WAN. In scope `tenant`: `apikey/<kid>`, `apitoken/<id>`,
 * `revocation/<jti>`, `tenant/<domain>`; in scope `platform`: `platform/platform`, `verifykey/<kid>`.
 */

/** A registered public key; `publicKey` is a JWK here, whatever form it came in. */
export const replicatedApiKeySchema = apiKeySchema.extend({
  publicKey: z.record(z.string(), z.json()),
});

/** `hash`: SHA-256 of the token, lower-case hex; `role`: what the person it acts for may do now. */
export const replicatedApiTokenSchema = apiTokenSchema.extend({ hash: z.string(), role: roleField });

/** A signed token that is refused although its key stands; the row goes after `expiresAt`, epoch ms. */
export const replicatedRevocationSchema = z.strictObject({ jti: z.string(), expiresAt: z.number().int() });

/** `notBefore`: signed tokens with an older `iat` are refused, epoch ms. */
export const replicatedTenantSchema = tenantSchema.extend({
  notBefore: z.number().int().nonnegative().optional(),
});

/** `{base_url}` of the cloud, which `aud` of a token may name. */
export const replicatedPlatformSchema = z.strictObject({ id: z.string(), publicUrl: z.string() });

/**
 * A key by which the platform signs device tokens, twins and manifests now: Ed25519 (RFC 8037 2). As long as there are
 * none, those of the enrolment count.
 */
export const replicatedVerifyKeySchema = z.strictObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  /** 32 bytes, base64url. */
  x: z.string().regex(/^[\w-]{43}$/, { message: 'must be 32 bytes in base64url' }),
  kid: z.string().min(1).max(256),
  /** How it followed those before it; absent where it is the first (2026-11-23). */
  chain: keyChainField.optional(),
});

export type ReplicatedApiKey = z.output<typeof replicatedApiKeySchema>;
export type ReplicatedApiToken = z.output<typeof replicatedApiTokenSchema>;
export type ReplicatedRevocation = z.output<typeof replicatedRevocationSchema>;
export type ReplicatedTenant = z.output<typeof replicatedTenantSchema>;
export type ReplicatedVerifyKey = z.output<typeof replicatedVerifyKeySchema>;
export type ReplicatedPlatform = z.output<typeof replicatedPlatformSchema>;
