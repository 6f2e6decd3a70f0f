import type { Columns } from './columns.sqlite.ts';

/** The news of a commit of one replica for the others; every part may be absent. */
export interface AnnouncementBody {
  /** Revisions as scope, owner and number. */
  readonly revisions?: readonly (readonly [scope: string, owner: string, rev: number])[];
  /** Rows of supervision as kind and id. */
  readonly notices?: readonly (readonly [kind: string, id: string])[];
  /** The commit may have changed who may come in. */
  readonly access?: true;
}

/** Replicas of the control plane, and the news of one for the others. Times are those of the clock of the database. */
export function replicaTables(c: Columns) {
  return {
    replica: c.table('replica', {
      /** One for each start of a process. */
      id: c.text('id').primaryKey(),
      startedAt: c.int('started_at').notNull(),
      /** It lives until then, unless it says so again. */
      until: c.int('until').notNull(),
      /** The version of its program; null = a version that does not write it. */
      version: c.text('version'),
      /** The name of the machine on which it runs. */
      machine: c.text('machine'),
    }),
    announcement: c.table(
      'announcement',
      {
        id: c.text('id').primaryKey(),
        /** The replica that made the commit. */
        replica: c.text('replica').notNull(),
        at: c.int('at').notNull(),
        body: c.json<AnnouncementBody>('body').notNull(),
      },
      (t) => [c.index('announcement_at').on(t.at)],
    ),
  };
}
