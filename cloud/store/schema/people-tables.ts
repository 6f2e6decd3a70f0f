import type { Role } from './access-tables.ts';
import type { Columns } from './columns.sqlite.ts';

/** The access of people: sessions of signed-in ones, invitations of coming ones; and tokens shut out one by one. */
export function peopleTables(c: Columns) {
  return {
    personSession: c.table(
      'person_session',
      {
        /** SHA-256 of the cookie, hex; the cookie itself is never stored. */
        hash: c.text('hash').primaryKey(),
        person: c.text('person').notNull(),
        /** When the password was given: what "signed in just now" is measured from. */
        createdAt: c.int('created_at').notNull(),
        expiresAt: c.int('expires_at').notNull(),
        /** When the second factor was given; null = not. */
        secondFactorAt: c.int('second_factor_at'),
      },
      (t) => [
        c.index('person_session_person').on(t.person),
        c.index('person_session_expires').on(t.expiresAt),
      ],
    ),
    /** The second factor of a person: the secret of an authenticator (RFC 6238) and codes for the day it is lost. */
    secondFactor: c.table('second_factor', {
      person: c.text('person').primaryKey(),
      /** The secret, base64url; sealed. */
      body: c.json<{ readonly secret: string }>('body').notNull(),
      /** Null = it was made and no code of it has come yet. */
      confirmedAt: c.int('confirmed_at'),
      /** The newest step (30 s) whose code was taken: a code is good once. */
      lastStep: c.int('last_step').notNull(),
      /** SHA-256 of the recovery codes that are left, hex. */
      recovery: c.json<readonly string[]>('recovery').notNull(),
      createdAt: c.int('created_at').notNull(),
    }),
    /** A role that waits for its person; the link that takes it up holds the code. */
    invitation: c.table(
      'invitation',
      {
        /** SHA-256 of the code, hex. */
        hash: c.text('hash').primaryKey(),
        /** Null = set-up of the platform owner. */
        tenant: c.text('tenant'),
        person: c.text('person').notNull(),
        role: c.text('role').$type<Role>().notNull(),
        createdAt: c.int('created_at').notNull(),
        expiresAt: c.int('expires_at').notNull(),
        /** The inviting person; null = the platform, or made before makers were kept. */
        maker: c.text('maker'),
      },
      (t) => [
        c.index('invitation_person').on(t.tenant, t.person),
        c.index('invitation_maker').on(t.tenant, t.maker),
      ],
    ),
    /** JWTs of API keys that are refused although their key stands. Kept until they would have expired. */
    revokedToken: c.table(
      'revoked_token',
      {
        tenant: c.text('tenant').notNull(),
        jti: c.text('jti').notNull(),
        expiresAt: c.int('expires_at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'revoked_token_pk', columns: [t.tenant, t.jti] })],
    ),
  };
}
