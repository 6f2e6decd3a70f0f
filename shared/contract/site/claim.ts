import { z } from 'zod';
import { labelField } from '../feed/index.ts';
import { verifyKeySchema } from './enrolment.ts';

/** 72 hours, seconds. */
const CLAIM_LIFETIME_S = 259_200;
const LONGEST_S = 365 * 86_400;

/** POST /site/{domain}/{siteId}/claim: leave for one or more machines to become hosts of the site. */
export const claimRequestSchema = z
  .strictObject({
    hostId: labelField
      .optional()
      .meta({ description: 'Name of the host; absent: the name that the host sends' }),
    expiresIn: z
      .number()
      .int()
      .min(60)
      .max(LONGEST_S)
      .default(CLAIM_LIFETIME_S)
      .meta({ description: 'Seconds' }),
    uses: z.number().int().min(1).max(1000).default(1),
    serials: z
      .array(z.string().min(1).max(128))
      .max(1000)
      .optional()
      .meta({ description: 'Permitted machines' }),
    labels: z
      .array(z.string().min(1).max(128))
      .max(50)
      .optional()
      .meta({ description: 'Labels added to the host' }),
    autoCommission: z
      .boolean()
      .default(true)
      .meta({ description: 'true: the host commissions itself; false: it waits for commission' }),
  })
  .refine(({ hostId, uses }) => hostId === undefined || uses === 1, {
    message: 'must be 1, because a claim that names the host has one use',
    path: ['uses'],
  })
  .meta({ id: 'ClaimRequest', description: 'Claim code to create' });

export const claimAnswerSchema = z
  .strictObject({
    success: z.literal(true),
    claimCode: z
      .string()
      .meta({ description: 'Code for typing, shown once; 10 characters without look-alikes' }),
    longCode: z
      .string()
      .meta({ description: 'Code of the same claim for a QR code, shown once; 26 characters, 128 bits' }),
    expiresAt: z.number().int().meta({ description: 'Epoch ms' }),
  })
  .meta({ id: 'ClaimCreated', description: 'The claim code' });

/** `typ` of the header of a claim file's signature. */
export const CLAIM_TYP = 'carillon-claim';

/**
 * GET /site/{domain}/{siteId}/claim/{claimCode}/file: the data that a machine needs for enrolment, to carry by hand. The code in
 * it has 26 signs and belongs to the same claim as the typed one. Signed by the control plane: the machine sees before it
 * connects that the file was not altered, and at the enrolment that it reached the control plane that had signed it.
 *
 * 2026-11: first; `key` and `signature`; the code has 128 bits.
 */
export const claimFileSchema = z
  .strictObject({
    v: z.literal(1),
    kind: z.literal('carillon-claim'),
    cloud: z.string().meta({ description: 'Base URL of the control plane' }),
    domain: z.string(),
    siteId: labelField,
    hostId: labelField.optional(),
    claimCode: z.string(),
    expiresAt: z.number().int(),
    ca: z.string().meta({ description: 'PEM of the root to pin' }),
    key: verifyKeySchema.meta({ description: 'Signing keys of the control plane' }),
    signature: z
      .string()
      .max(32_768)
      .meta({ description: 'Compact JWS (EdDSA, typ carillon-claim) over all other fields, by key' }),
  })
  .meta({ id: 'ClaimFile', description: 'Claim file for offline enrolment' });

export type ClaimRequest = z.output<typeof claimRequestSchema>;
export type ClaimFile = z.output<typeof claimFileSchema>;
