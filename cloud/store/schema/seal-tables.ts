import type { Columns } from './columns.sqlite.ts';

/** The records about the sealing of the secrets, at rest and on their way to the sites. */
export function sealTables(c: Columns) {
  return {
    /** One row: all bodies are sealed, by this key. */
    sealing: c.table('sealing', {
      one: c.int('one').primaryKey(),
      /** Name of the key-encryption key. */
      keyName: c.text('key_name').notNull(),
      at: c.int('at').notNull(),
    }),
    /** Keys of the installation, which every process of it shares: one text for each purpose. */
    installationKey: c.table('installation_key', {
      purpose: c.text('purpose').primaryKey(),
      /** Sealed by the vault. */
      sealed: c.text('sealed').notNull(),
      /** One more with each change, so that two processes do not overwrite each other's. */
      rev: c.int('rev').notNull(),
      at: c.int('at').notNull(),
    }),
    /** Keys by which the sites of a tenant open secrets; the one of the highest version seals. */
    configKey: c.table(
      'config_key',
      {
        tenant: c.text('tenant').notNull(),
        version: c.int('version').notNull(),
        /** Sealed by the vault. */
        sealed: c.text('sealed').notNull(),
        createdAt: c.int('created_at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'config_key_pk', columns: [t.tenant, t.version] })],
    ),
    /** Hosts that were given such a key, wrapped for a seal key of theirs; the wrapped key is a row of the host's scope. */
    configKeyWrap: c.table(
      'config_key_wrap',
      {
        tenant: c.text('tenant').notNull(),
        version: c.int('version').notNull(),
        uid: c.text('uid').notNull(),
        /** `x` of the seal key. */
        sealKey: c.text('seal_key').notNull(),
      },
      (t) => [c.primaryKey({ name: 'config_key_wrap_pk', columns: [t.tenant, t.version, t.uid] })],
    ),
  };
}
