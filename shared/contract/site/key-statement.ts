import { z } from 'zod';
import { verifyKeySchema } from './enrolment.ts';

/** Payload of a key statement: `key` will sign in the place of the one that signs this, whose `kid` is `after`. */
export const keyStatementSchema = z.object({ v: z.literal(1), key: verifyKeySchema, after: z.string() });

export type KeyStatement = z.output<typeof keyStatementSchema>;
