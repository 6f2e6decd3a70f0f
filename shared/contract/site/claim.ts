import { z } from 'zod';
import { labelField } from '../feed/index.ts';
import { verifyKeySchema } from './enrolment.ts';

/** 72 hours, seconds. */
const CLAIM_LIFETIME_S = 259_200;
const LONGEST_S = 365 * 86_400;

/** POST /site/{domain}/{siteId}/claim: leave for one or more machines to become hosts of the site. */
export const claimRequestSchema = z
  .strictObject({
    hostId: labelField.optional().meta({ description: 'Name the host gets; absent: the one it sends' }),
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
      .meta({ description: 'Only these machines' }),
    labels: z.array(z.string().min(1).max(128)).max(50).optional().meta({ description: 'Added to the host' }),
    autoCommission: z
      .boolean()
      .default(true)
      .meta({ description: 'Comes into service by itself; else it waits for commission' }),
  })
  .refine(({ hostId, uses }) => hostId === undefined || uses === 1, {
    message: 'a claim that names the host has one use',
    path: ['uses'],
  })
  .meta({ id: 'ClaimRequest', description: 'Claim code to make' });

export const claimAnswerSchema = z
  .strictObject({
    success: z.literal(true),
    claimCode: z.string().meta({ description: 'To type; shown once; 10 signs without look-alikes' }),
    longCode: z
      .string()
      .meta({ description: 'For a QR code; shown once; 26 signs, 128 bits, of the same claim' }),
    expiresAt: z.number().int().meta({ description: 'Epoch ms' }),
  })
  .meta({ id: 'ClaimCreated', description: 'The claim code' });

/** `typ` of the header of a claim file's signature. */
export const CLAIM_TYP = 'carillon-claim';

/**
 * GET /site/{domain}/{siteId}/claim/{claimCode}/file: what a machine needs for enrolment, to carry by hand. The code in
 * it has 26 signs and belongs to the same claim as the typed one. Signed by the control plane: the machine sees before it goes anywhere that nobody
 * has altered the file, and at the enrolment that it came to the one that had signed it.
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
    key: verifyKeySchema.meta({ description: 'What the control plane signs with' }),
    signature: z
      .string()
      .max(32_768)
      .meta({ description: 'Compact JWS (EdDSA, typ carillon-claim) over everything else here, by key' }),
  })
  .meta({ id: 'ClaimFile', description: 'Claim file for offline enrolment' });

export type ClaimRequest = z.output<typeof claimRequestSchema>;
export type ClaimFile = z.output<typeof claimFileSchema>;
