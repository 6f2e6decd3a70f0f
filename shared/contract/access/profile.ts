import { z } from 'zod';
import { emailField } from './field.ts';

const text = (description: string) => z.string().max(200).optional().meta({ description });
const epochS = (description: string) =>
  z.number().int().nonnegative().max(4_294_967_295).optional().meta({ description });

const fields = {
  firstName: text('First name'),
  lastName: text('Last name'),
  phone: text('Telephone number'),
  company: text('Company'),
  emailConsent: epochS('Consent to e-mail communication, epoch seconds'),
} as const;

/** PUT and PATCH of /provisioning/currentuser/profile (provisioning document 2.6). */
export const profileRequestSchema = z.strictObject({ ...fields, email: emailField.optional() }).meta({
  id: 'ProfileRequest',
  description: 'Profile of the signed-in person',
  example: { firstName: 'Ada', lastName: 'Byron', company: 'Care' },
});

/** POST: what a person states at the first sign-in. */
export const profileCreationSchema = profileRequestSchema
  .extend({
    authProvider: text('Identity provider of the person'),
    otherInfo: text('Remarks'),
    useCase: text('Purpose of the platform'),
    termsAgreed: epochS('Agreement to the terms, epoch seconds'),
    profileReviewed: z.boolean().optional().meta({ description: 'The person has reviewed the profile' }),
    deploymentSize: text('Planned size of the deployment'),
  })
  .meta({
    id: 'ProfileCreation',
    description: 'First profile of the signed-in person',
    example: { firstName: 'Ada', authProvider: 'local', termsAgreed: 1_770_000_000 },
  });

export const profileSchema = z
  .strictObject({ ...fields, email: z.string().optional().meta({ description: 'Sign-in name' }) })
  .meta({ id: 'Profile', description: 'Profile of the signed-in person' });

export const tenantEntrySchema = z
  .strictObject({
    role: z.string().meta({ description: 'Role in the tenant' }),
    domain: z.string().meta({ description: 'Tenant' }),
  })
  .meta({ id: 'TenantEntry', description: 'Tenant in which the person has a role' });

export type ProfileRequest = z.output<typeof profileRequestSchema>;
export type ProfileCreation = z.output<typeof profileCreationSchema>;
export type Profile = z.output<typeof profileSchema>;
