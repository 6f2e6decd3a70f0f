import { z } from 'zod';
import { emailField, nameField, newPasswordField } from './field.ts';

/** POST /setup/{code}: takes up an invitation, or makes the platform owner. */
export const setupRequestSchema = z
  .strictObject({
    email: emailField,
    password: newPasswordField.meta({
      description: 'New password; a person with an account sends its present password',
    }),
    firstName: nameField.optional().meta({ description: 'First name' }),
    lastName: nameField.optional().meta({ description: 'Last name' }),
  })
  .meta({
    id: 'SetupRequest',
    description: 'Accepts an invitation',
    example: { email: 'ada@care.example', password: 'correct horse battery', firstName: 'Ada' },
  });

export type SetupRequest = z.output<typeof setupRequestSchema>;
