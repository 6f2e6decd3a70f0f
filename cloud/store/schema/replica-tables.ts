import type { PlatformTrouble } from '#shared/contract/site/index.ts';
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

/** The hosts of a shard that are there, and those that fall silent. */
export interface SilenceTally {
  readonly seen: number;
  /** Suspect, or about to be. */
  readonly silent: number;
  readonly suspect: number;
  /** Tenant and id of sites with a silent host; of each tenant no more than the judgement needs. */
  readonly sites: readonly (readonly [tenant: string, siteId: string])[];
}

/** A judgement over all shards. */
export interface SilenceVerdict {
  /** Tenants whose hosts fall silent because of the platform. */
  readonly tenants: readonly string[];
  /** Number of the last tally of each replica that it has considered. */
  readonly heard: Readonly<Record<string, number>>;
  /** Absent: the platform has not been at fault yet. Epoch ms. */
  readonly trouble?: { readonly beganMs: number; readonly calmMs: number | null } | undefined;
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
      /** How many brokers it reaches; null = it does not say. */
      brokers: c.int('brokers'),
      /** Since when it has been so many. */
      brokersSince: c.int('brokers_since'),
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
    /** Alarms of the deployment as each replica sees it; that of a replica that ended stands no more. */
    deploymentAlarm: c.table(
      'deployment_alarm',
      {
        alarmId: c.text('alarm_id').primaryKey(),
        replica: c.text('replica').notNull(),
        raisedAt: c.int('raised_at').notNull(),
        body: c.json<PlatformTrouble>('body').notNull(),
      },
      (t) => [c.index('deployment_alarm_raised').on(t.raisedAt)],
    ),
    /** Pages of manifests, for the replica that a host asks for one need not be the one that made it. */
    feedPage: c.table(
      'feed_page',
      {
        sha256: c.text('sha256').notNull(),
        /** Scope and owner of those who may have it. */
        audience: c.text('audience').notNull(),
        /** Base64. */
        bytes: c.text('bytes').notNull(),
        expiresAt: c.int('expires_at').notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'feed_page_pk', columns: [t.sha256, t.audience] }),
        c.index('feed_page_expires').on(t.expiresAt),
      ],
    ),
    silence: c.table('silence', {
      sh: c.text('sh').primaryKey(),
      /** The owner that has seen it last with certainty. */
      replica: c.text('replica').notNull(),
      /** Its numbers grow. */
      n: c.int('n').notNull(),
      body: c.json<SilenceTally>('body').notNull(),
    }),
    silenceVerdict: c.table('silence_verdict', {
      /** There is one. */
      id: c.text('id').primaryKey(),
      body: c.json<SilenceVerdict>('body').notNull(),
    }),
  };
}
