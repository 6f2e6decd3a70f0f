import type { Columns } from './columns.sqlite.ts';

/** `upload`: goes to every site. `recording`: came from one, and stays here. */
export type PromptOrigin = 'upload' | 'recording';

/** Prompt storage: what is known of each file; its bytes stand in the blob store under their hash. */
export function promptTables(c: Columns) {
  return {
    promptFile: c.table(
      'prompt_file',
      {
        tenant: c.text('tenant').notNull(),
        name: c.text('name').notNull(),
        /** SHA-256 of the bytes, hex. */
        sha256: c.text('sha256').notNull(),
        size: c.int('size').notNull(),
        format: c.text('format').$type<'wav' | 'mp3' | 'ogg'>().notNull(),
        durationMs: c.int('duration_ms').notNull(),
        origin: c.text('origin').$type<PromptOrigin>().notNull(),
        updatedAt: c.int('updated_at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'prompt_file_pk', columns: [t.tenant, t.name] }),
        c.index('prompt_file_sha256').on(t.sha256),
      ],
    ),
  };
}
