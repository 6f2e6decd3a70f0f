import { z } from 'zod';
import { roleField } from './user.ts';

/** `typ` of the header of a person statement: no other text that the control plane signs has it. */
export const PERSON_TYP = 'carillon-person';

/** Scheme of the header `Authorization` that carries one. */
export const PERSON_SCHEME = 'Person';

/** Life of a statement; a new one is signed for each request. */
export const PERSON_LIFE_S = 60;

/**
 * By which the control plane tells one host that a person who is signed in asks for one operation: compact JWS (EdDSA,
 * `PERSON_TYP`) by a key that hosts follow. Times are epoch seconds.
 */
export const personStatementSchema = z.object({
  v: z.literal(1),
  domain: z.string().max(253),
  /** uid of the host that may believe it. */
  aud: z.string().max(64),
  /** As the audit log names the person: `person:<id>`. */
  sub: z.string().min(1).max(128),
  role: roleField,
  operation: z.string().max(64),
  /** SHA-256 over the body as RFC 8785 writes it, lower-case hex. */
  body: z.string().regex(/^[0-9a-f]{64}$/),
  /** Names the statement: a host takes it once. */
  jti: z.string().min(8).max(64),
  /** With milliseconds: a host refuses what was signed before it began. */
  iat: z.number(),
  exp: z.number(),
});

export type PersonStatement = z.output<typeof personStatementSchema>;
