import { z } from 'zod';
import { CSRF_HEADER } from './csrf-header.ts';
import { givenPasswordField } from './field.ts';

/** POST /session. What is no address is nobody's: it is refused like a wrong password. */
export const sessionRequestSchema = z
  .strictObject({
    email: z.string().min(1).max(254).meta({ description: 'Sign-in name' }),
    password: givenPasswordField,
  })
  .meta({
    id: 'SessionRequest',
    description: 'Signs a person in',
    example: { email: 'ada@care.example', password: 'correct horse battery' },
  });

const success = z.literal(true);

export const sessionAnswerSchema = z
  .strictObject({
    success,
    csrfToken: z
      .string()
      .meta({ description: `Sent as ${CSRF_HEADER} with every writing request that the cookie signs in` }),
    expiresAt: z.number().int().meta({ description: 'Epoch ms; then sign in again' }),
    authenticatedAt: z
      .number()
      .int()
      .meta({ description: 'When the password was given, epoch ms; some acts want it less than 5 min old' }),
    person: z.strictObject({
      id: z.string().meta({ description: 'Id of the person' }),
      email: z.string().meta({ description: 'Sign-in name' }),
      platformOwner: z.boolean().meta({ description: 'Role owner in every tenant' }),
    }),
  })
  .meta({ id: 'Session', description: 'Signed in; the session itself is in the cookie' });

export type SessionRequest = z.output<typeof sessionRequestSchema>;
