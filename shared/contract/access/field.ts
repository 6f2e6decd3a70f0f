import { z } from 'zod';

/** Sign-in name. Compared in lower case, as every mail server does in practice. */
export const emailField = z
  .string()
  .max(254)
  .transform((text) => text.trim().toLowerCase())
  .pipe(z.email({ message: 'must be an e-mail address' }))
  .meta({ description: 'E-mail address; the name to sign in with', example: 'ada@care.example' });

/** A password to be set. */
export const newPasswordField = z
  .string()
  .min(8, { message: 'must be at least 8 characters long' })
  .max(256, { message: 'must be at most 256 characters long' })
  .meta({ description: '8 to 256 characters' });

/** A password to be looked at: whatever is not one is simply wrong. */
export const givenPasswordField = z.string().min(1).max(1024).meta({ description: 'Password' });

export const nameField = z.string().trim().min(1).max(200);
