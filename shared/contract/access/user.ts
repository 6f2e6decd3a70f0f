import { z } from 'zod';
import { makerField } from '../provisioning/index.ts';
import { emailField } from './field.ts';

const ROLES = ['owner', 'admin', 'operator', 'technician', 'viewer'] as const;

export const roleField = z.enum(ROLES).meta({
  description:
    'viewer reads; technician: sites and hosts; operator: alarms and runtime; admin: provisioning, keys, users; owner: all',
});

/** POST /provisioning/user/{domain}. */
export const userRequestSchema = z.strictObject({ email: emailField, role: roleField }).meta({
  id: 'UserRequest',
  description: 'Invites a person',
  example: { email: 'ada@care.example', role: 'operator' },
});

/** PUT /provisioning/user/{domain}/{id}. */
export const userRoleSchema = z
  .strictObject({ role: roleField })
  .meta({ id: 'UserRole', description: 'New role of the person', example: { role: 'viewer' } });

export const userSchema = z
  .strictObject({
    id: z.string().meta({ description: 'Id of the person' }),
    email: z.string().meta({ description: 'Sign-in name' }),
    role: roleField,
    status: z
      .enum(['active', 'invited'])
      .meta({ description: 'invited: the link was not used yet, and the role is not in effect' }),
    firstName: z.string().optional().meta({ description: 'First name' }),
    lastName: z.string().optional().meta({ description: 'Last name' }),
    effectiveRole: roleField
      .optional()
      .meta({ description: 'Effective role; present where the creator has fewer rights than the role' }),
    maker: makerField.optional(),
    invitedUntil: z.number().int().optional().meta({ description: 'End of the invitation, epoch ms' }),
  })
  .meta({ id: 'User', description: 'Person with a role in the tenant' });

export const userInvitedSchema = z
  .strictObject({
    success: z.literal(true),
    id: z.string().meta({ description: 'Id of the person' }),
    link: z.string().meta({ description: 'Link for the person; it works once and is not shown again' }),
  })
  .meta({ id: 'UserInvited', description: 'Invited' });

export type UserRequest = z.output<typeof userRequestSchema>;
export type User = z.output<typeof userSchema>;
