import { z } from 'zod';
import { CSRF_HEADER } from './csrf-header.ts';
import { givenPasswordField } from './field.ts';
import { secondFactorCodeField, secondFactorStateSchema } from './second-factor.ts';

/** POST /session. A text that is no address has no account: it is refused like a wrong password. */
export const sessionRequestSchema = z
  .strictObject({
    email: z.string().min(1).max(254).meta({ description: 'Sign-in name' }),
    password: givenPasswordField,
    code: secondFactorCodeField.optional().meta({
      description:
        'Second step, where the first was refused with secondFactorRequired: six digits of the authenticator, or a recovery code',
    }),
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
    csrfToken: z.string().meta({
      description: `CSRF token; a client sends it as ${CSRF_HEADER} with every writing request that the cookie authenticates`,
    }),
    expiresAt: z.number().int().meta({ description: 'End of the session, epoch ms' }),
    authenticatedAt: z.number().int().meta({
      description:
        'Time of the last password check, epoch ms; some operations need one that is less than 5 minutes old',
    }),
    person: z.strictObject({
      id: z.string().meta({ description: 'Id of the person' }),
      email: z.string().meta({ description: 'Sign-in name' }),
      platformOwner: z.boolean().meta({ description: 'The person has the role owner in every tenant' }),
    }),
    secondFactor: secondFactorStateSchema.optional(),
    wrongTries: z
      .strictObject({
        count: z.number().int().meta({ description: 'Wrong passwords from other networks' }),
        lastAt: z.number().int().meta({ description: 'Time of the last one, epoch ms' }),
        lastSource: z.string().meta({ description: 'Address of the last one' }),
      })
      .optional()
      .meta({ description: 'Tries of others in the last 15 minutes; only in the answer of a sign-in' }),
  })
  .meta({ id: 'Session', description: 'Signed in; the session itself is in the cookie' });

export type SessionRequest = z.output<typeof sessionRequestSchema>;
