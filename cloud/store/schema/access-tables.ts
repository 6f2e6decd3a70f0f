import type { Columns } from './columns.sqlite.ts';

export type KeyAlgorithm = 'RS256' | 'ES256' | 'EdDSA';
export type Role = 'owner' | 'admin' | 'operator' | 'technician' | 'viewer';

/** Credentials and people: registered public keys, hashed tokens, people and their roles. */
export function accessTables(c: Columns) {
  return {
    apiKey: c.table(
      'api_key',
      {
        tenant: c.text('tenant').notNull(),
        kid: c.text('kid').notNull(),
        name: c.text('name'),
        alg: c.text('alg').$type<KeyAlgorithm>().notNull(),
        /** Public JWK, members of the key only. */
        jwk: c.json<Record<string, unknown>>('jwk').notNull(),
        /** Space-separated; null = all. */
        scope: c.text('scope'),
        createdAt: c.int('created_at').notNull(),
        /** `person:<id>`, `key:<kid>` or `token:<id>`; null = no maker limits it (made before makers were kept). */
        maker: c.text('maker'),
        /** Greatest role since it was handed over; null = that of a key. */
        role: c.text('role').$type<Role>(),
      },
      (t) => [
        c.primaryKey({ name: 'api_key_pk', columns: [t.tenant, t.kid] }),
        c.index('api_key_kid').on(t.kid),
        c.index('api_key_maker').on(t.tenant, t.maker),
      ],
    ),
    apiToken: c.table(
      'api_token',
      {
        tenant: c.text('tenant').notNull(),
        id: c.text('id').notNull(),
        name: c.text('name'),
        /** SHA-256 of the token, hex; the token itself is never stored. */
        hash: c.text('hash').notNull(),
        scope: c.text('scope'),
        /** The person it acts for; null = made with an API key, which is no person. */
        person: c.text('person'),
        createdAt: c.int('created_at').notNull(),
        expiresAt: c.int('expires_at'),
        /** As of a key. */
        maker: c.text('maker'),
        /** Greatest role since it was handed over; null = that of its maker. */
        role: c.text('role').$type<Role>(),
      },
      (t) => [
        c.primaryKey({ name: 'api_token_pk', columns: [t.tenant, t.id] }),
        c.uniqueIndex('api_token_hash').on(t.hash),
        c.index('api_token_maker').on(t.tenant, t.maker),
      ],
    ),
    person: c.table(
      'person',
      {
        id: c.text('id').primaryKey(),
        email: c.text('email').notNull(),
        platformOwner: c.bool('platform_owner').notNull(),
        createdAt: c.int('created_at').notNull(),
        /** argon2id in PHC form; null = invited, or known by a token only. */
        passwordHash: c.text('password_hash'),
        profile: c.json<Record<string, unknown>>('profile'),
      },
      (t) => [c.uniqueIndex('person_email').on(t.email)],
    ),
    membership: c.table(
      'membership',
      {
        tenant: c.text('tenant').notNull(),
        person: c.text('person').notNull(),
        role: c.text('role').$type<Role>().notNull(),
        /** The giver of the role; as for a key. */
        maker: c.text('maker'),
      },
      (t) => [
        c.primaryKey({ name: 'membership_pk', columns: [t.tenant, t.person] }),
        c.index('membership_person').on(t.person),
        c.index('membership_maker').on(t.tenant, t.maker),
      ],
    ),
  };
}
