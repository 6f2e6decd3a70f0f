import { z } from 'zod';
import { labelField, SHARDS, ulidField } from '../feed/index.ts';

/** Public keys by which twin and manifest are verified. Ed25519 (RFC 8037), each with its `kid`. */
export const verifyKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  kid: z.string(),
});

/** The key by which the hosts of a site sign `replyId`: an Ed25519 JWK with its private part `d`. */
const siteKeySchema = verifyKeySchema.extend({ d: z.string() });

const pem = (label: string) =>
  z
    .string()
    .max(16_384)
    .refine((text) => text.includes(`-----BEGIN ${label}-----`), { message: `must be PEM with "${label}"` });

/** POST /edge/v1/claim on the public listener: a machine asks to become a host. */
export const claimHostRequestSchema = z
  .strictObject({
    claimCode: z
      .string()
      .min(1)
      .max(64)
      .meta({ description: 'Claim code as typed; case, spaces and hyphens are ignored' }),
    hostId: labelField.meta({ description: 'Host name in the site, unless the claim fixes it' }),
    csr: pem('CERTIFICATE REQUEST').meta({
      description: 'PKCS#10 by the ECDSA P-256 key of the host; its SAN requests names and addresses',
    }),
    sealKey: z
      .strictObject({ kty: z.literal('OKP'), crv: z.literal('X25519'), x: z.string().regex(/^[\w-]{43}$/) })
      .meta({ description: 'Public X25519 JWK that secrets are sealed for' }),
    serial: z.string().max(128).optional().meta({ description: 'Serial number of the machine' }),
    labels: z
      .array(z.string().max(128))
      .max(50)
      .optional()
      .meta({ description: 'Labels that the machine reports' }),
    version: z.string().max(64).meta({ description: 'Version of the appliance' }),
    siteBaseUrl: z
      .string()
      .max(300)
      .optional()
      .meta({ description: 'Base URL of its runtime API for customers' }),
  })
  .meta({ id: 'ClaimHost', description: 'Enrolment of a machine' });

const success = z.literal(true);

/** Everything a host keeps from its enrolment; the site key travels in this answer only. */
export const enrolledAnswerSchema = z
  .object({
    success,
    state: z.literal('enrolled'),
    uid: ulidField,
    tenant: ulidField.meta({ description: 'Id of the tenant as used in topics' }),
    domain: z.string(),
    siteId: labelField,
    hostId: labelField,
    certificate: z.string().meta({ description: 'PEM: leaf, then intermediate' }),
    ca: z.string().meta({ description: 'PEM: roots trusted for edge listener, broker and peers' }),
    edgeUrl: z.string().meta({ description: 'https://host:port of the edge listener' }),
    brokerUrl: z.string().meta({ description: 'mqtt:// (loopback only) or mqtts://' }),
    brokerUrls: z
      .array(z.string())
      .optional()
      .meta({ description: 'Every broker, brokerUrl among them: a host that loses one tries the next' }),
    mqtt: z.object({ plainJwt: z.boolean() }).meta({
      description: 'plainJwt: password = JWT (ES256, sub = uid, exp ≤ 60 s), else client certificate',
    }),
    verifyKeys: z.array(verifyKeySchema),
    siteKey: siteKeySchema,
    shard: z.enum(SHARDS as readonly [string, ...string[]]),
  })
  .meta({ id: 'HostEnrolled', description: 'The machine is a host' });

/** Known, and waiting for a person to commission it: the same request is sent again after `retryAfterS`. */
const waitingAnswerSchema = z
  .object({
    success,
    state: z.literal('waiting'),
    uid: ulidField,
    siteId: labelField,
    hostId: labelField,
    retryAfterS: z.number().int().positive(),
  })
  .meta({ id: 'HostWaiting', description: 'The machine waits for commission' });

export const claimHostAnswerSchema = z
  .discriminatedUnion('state', [enrolledAnswerSchema, waitingAnswerSchema])
  .meta({ id: 'ClaimHostAnswer', description: 'Enrolled, or waiting for commission' });

/** POST /edge/v1/challenge on the public listener: something fresh to sign for `renew`. */
export const challengeAnswerSchema = z
  .object({ success, challenge: z.string(), expiresAt: z.number().int() })
  .meta({ id: 'RenewChallenge', description: 'Text to sign and its expiry (epoch ms)' });

/**
 * POST /edge/v1/renew on the public listener: first and next certificates take the same way, and an expired one is no
 * obstacle. `signature` is ES256 (base64url, r and s) by the key of `certificate` over `renewProof`.
 */
export const renewRequestSchema = z
  .strictObject({
    certificate: pem('CERTIFICATE').meta({ description: 'Present certificate: leaf, then intermediate' }),
    csr: pem('CERTIFICATE REQUEST').meta({ description: 'PKCS#10 by the same key or a new one' }),
    challenge: z.string().max(1024),
    signature: z.string().max(256),
  })
  .meta({ id: 'RenewHost', description: 'Request for the next certificate' });

export const renewAnswerSchema = z
  .object({
    success,
    certificate: z.string(),
    ca: z.string(),
    verifyKeys: z.array(verifyKeySchema),
    expiresAt: z.number().int().meta({ description: 'End of the certificate, epoch ms' }),
  })
  .meta({
    id: 'HostRenewed',
    description: 'The next certificate; the old one is valid until the host uses the next',
  });

/** The text that `signature` of a renewal covers. */
export const renewProof = (challenge: string, csr: string): string =>
  `carillon-renew\n${challenge}\n${csr.trim()}`;

export type VerifyKey = z.output<typeof verifyKeySchema>;
export type SiteKey = z.output<typeof siteKeySchema>;
export type ClaimHostRequest = z.output<typeof claimHostRequestSchema>;
export type ClaimHostAnswer = z.output<typeof claimHostAnswerSchema>;
export type EnrolledAnswer = z.output<typeof enrolledAnswerSchema>;
export type RenewRequest = z.output<typeof renewRequestSchema>;
export type RenewAnswer = z.output<typeof renewAnswerSchema>;
