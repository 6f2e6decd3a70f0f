import { sql } from 'drizzle-orm';
import type {
  ConfigFault,
  HostSelfTest,
  Life,
  LocalOverride,
  Profile,
} from '../../../shared/contract/feed/index.ts';
import type { Columns } from './columns.sqlite.ts';

/** Intent for a host. `claimed` and `rejected` hosts have no certificate; a row is never removed, a uid never reused. */
export type Lifecycle = Life | 'rejected';

/** The observed connectivity of a host. */
export type Connectivity = 'never' | 'online' | 'suspect' | 'offline' | 'unstable';

/** Losses of contact, as they are damped (`cloud/monitoring/presence/flap.ts`). */
export interface HostFlap {
  readonly penalty: number;
  /** When the penalty was that high, epoch ms. */
  readonly at: number;
  readonly unstable: boolean;
  readonly losses: number;
  /** The tenant was notified of an outage since the host became unstable. */
  readonly told: boolean;
  /** Losses that were not reported. */
  readonly suppressed: number;
}

/** The last report of a host about itself. */
export interface HostFacts {
  readonly roles?: readonly string[];
  /** Versions by part of the program. */
  readonly sw?: Readonly<Record<string, string>>;
  readonly addresses?: readonly string[];
  /** `ok`, else a word for what is wrong. */
  readonly svc?: Readonly<Record<string, string>>;
  /** Percent of memory free, percent of disk used, and more for people. */
  readonly m?: Readonly<Record<string, number>>;
  readonly out?: Readonly<Record<string, number>>;
  readonly peers?: Readonly<Record<string, string>>;
  readonly calls?: number;
  readonly certDays?: number;
  readonly overrides?: number;
  /** The abilities of its program. */
  readonly cap?: readonly string[];
  /** Whether its clock has a source. */
  readonly clockSync?: boolean;
  readonly boot?: number;
  readonly epoch?: number;
  /** The intent it obeys, and the twin it has that from. */
  readonly life?: string;
  readonly twinRev?: number;
  /** Whether all it applied has passed its health gate. */
  readonly good?: boolean;
  /** The revisions it had when that was last so: its last known good ones. */
  readonly kept?: Readonly<Record<'platform' | 'tenant' | 'site' | 'host', number>>;
}

/** One of the conditions of a host: whether it holds, since when, and why. */
export interface HostCondition {
  readonly status: boolean;
  /** Epoch milliseconds. */
  readonly since: number;
  readonly reason: string;
  readonly message: string;
}

/** Why a revision was refused, and where in it. */
export interface ConfigRefusal {
  readonly rev: number;
  readonly errors: readonly ConfigFault[];
  readonly at: number;
}

/** Where a host stands within its state; `cloud/site/lifecycle/lifecycle.ts` reads it. */
export interface HostCourse {
  readonly checks: 'waiting' | 'passed' | 'failed';
  readonly acknowledged: boolean;
  readonly overdue: boolean;
  readonly drain: {
    readonly doNotReschedule: boolean;
    readonly deadline: number;
    readonly force: boolean;
    readonly reason: string;
  } | null;
  readonly leaving: boolean;
  readonly blocked: { readonly code: string; readonly message: string } | null;
}

export type OperationType = 'commission' | 'drain' | 'undrain' | 'decommission';
export type OperationState = 'pending' | 'running' | 'blocked' | 'done' | 'failed';

/** A remark of a person on an alarm. `at` in epoch milliseconds. */
export interface AlarmNote {
  readonly at: number;
  readonly by: string;
  readonly text: string;
}

export type AlarmStatus = 'active' | 'acknowledged' | 'cleared';

/** Sites, hosts, what hosts report, and alarms of supervision on their way to the tenant. */
export function siteTables(c: Columns) {
  return {
    site: c.table(
      'site',
      {
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        name: c.text('name'),
        profile: c.text('profile').$type<Profile>().notNull(),
        /** The cloud may call `siteBaseUrl` of its hosts. */
        reachable: c.bool('reachable').notNull(),
        /** Public JWK of the key by which its hosts sign `replyId`; the whole key is sealed beside it. */
        keyPublic: c.json<Record<string, string>>('key_public').notNull(),
        keySealed: c.text('key_sealed').notNull(),
        createdAt: c.int('created_at').notNull(),
      },
      (t) => [c.primaryKey({ name: 'site_pk', columns: [t.tenant, t.siteId] })],
    ),
    claim: c.table(
      'claim',
      {
        /** SHA-256 of the code to type, hex; no code itself is ever stored. */
        hash: c.text('hash').primaryKey(),
        /** The same of the code for machines, and what makes it of the one to type; null = a claim from before there were two. */
        longHash: c.text('long_hash'),
        longSalt: c.text('long_salt'),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        hostId: c.text('host_id'),
        uses: c.int('uses').notNull(),
        used: c.int('used').notNull(),
        /** Serial numbers that may use it; null = any. */
        serials: c.json<string[]>('serials'),
        labels: c.json<string[]>('labels').notNull(),
        autoCommission: c.bool('auto_commission').notNull(),
        createdAt: c.int('created_at').notNull(),
        expiresAt: c.int('expires_at').notNull(),
        /** The maker, `person:<id>`, `key:<kid>` or `token:<id>`; null = made before makers were kept. */
        maker: c.text('maker'),
      },
      (t) => [
        c.index('claim_site').on(t.tenant, t.siteId),
        c.index('claim_long').on(t.longHash),
        c.index('claim_maker').on(t.tenant, t.maker),
      ],
    ),
    host: c.table(
      'host',
      {
        uid: c.text('uid').primaryKey(),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        /** Unique among the hosts of the site that are not decommissioned or rejected. */
        hostId: c.text('host_id').notNull(),
        sh: c.text('sh').notNull(),
        lifecycle: c.text('lifecycle').$type<Lifecycle>().notNull(),
        lifecycleSince: c.int('lifecycle_since').notNull(),
        labels: c.json<string[]>('labels').notNull(),
        serial: c.text('serial'),
        /** SPKI PEM of the key in its certificate. */
        publicKey: c.text('public_key').notNull(),
        /** Public X25519 JWK. */
        sealKey: c.json<Record<string, string>>('seal_key').notNull(),
        /** Serial number of the certificate in use, and of the one issued to follow it. */
        certSerial: c.text('cert_serial'),
        certNext: c.text('cert_next'),
        /** First use of the certificate in use; before it, another one was. */
        certSince: c.int('cert_since').notNull(),
        certExpires: c.int('cert_expires'),
        /** One more for each renewal. */
        generation: c.int('generation').notNull(),
        version: c.text('version').notNull(),
        siteBaseUrl: c.text('site_base_url'),
        /** `{networkInterfaces, networkPrefixLength}`; null = as the host finds it. */
        network: c.json<{ ifs: string[]; prefix: number }>('network'),
        /** Null = at the beginning of its state. */
        course: c.json<HostCourse>('course'),
        /** Operation that is under way, or was the last. */
        operation: c.text('operation'),
        /** Hash of the claim it came with. */
        claim: c.text('claim').notNull(),
        twinRev: c.int('twin_rev').notNull(),
        /** The content of the twin of that revision, without the revision. */
        twinBody: c.json<Record<string, unknown>>('twin_body'),
        createdAt: c.int('created_at').notNull(),
      },
      (t) => [c.index('host_site').on(t.tenant, t.siteId, t.hostId), c.index('host_claim').on(t.claim)],
    ),
    /** The last known state of a host; written at transitions and every few minutes, not with each heartbeat. */
    hostStatus: c.table('host_status', {
      uid: c.text('uid').primaryKey(),
      connectivity: c.text('connectivity').$type<Connectivity>().notNull(),
      since: c.int('since').notNull(),
      lastSeen: c.int('last_seen'),
      sid: c.text('sid'),
      /** Null = calm. */
      flap: c.json<HostFlap>('flap'),
      /** Applied revisions. */
      revTenant: c.int('rev_tenant').notNull(),
      revSite: c.int('rev_site').notNull(),
      revHost: c.int('rev_host').notNull(),
      revPlatform: c.int('rev_platform').notNull(),
      /** Refused revision by scope; not offered again. */
      nacked: c.json<Record<string, number>>('nacked').notNull(),
      /** The facts of the last birth and heartbeat, for people. */
      facts: c.json<HostFacts>('facts').notNull(),
      conditions: c.json<Record<string, HostCondition>>('conditions').notNull(),
      /** By scope: why the revision in `nacked` was refused. */
      refusals: c.json<Record<string, ConfigRefusal>>('refusals').notNull(),
      overrides: c.json<LocalOverride[]>('overrides').notNull(),
    }),
    /** Each change of `connectivity`, for a bounded time. */
    hostConnectivity: c.table(
      'host_connectivity',
      {
        uid: c.text('uid').notNull(),
        at: c.int('at').notNull(),
        before: c.text('before_state').$type<Connectivity>().notNull(),
        after: c.text('after_state').$type<Connectivity>().notNull(),
      },
      (t) => [
        c.primaryKey({ name: 'host_connectivity_pk', columns: [t.uid, t.at] }),
        c.index('host_connectivity_time').on(t.at),
      ],
    ),
    /** Operations that a person asked for. */
    siteOperation: c.table(
      'site_operation',
      {
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        hostId: c.text('host_id').notNull(),
        uid: c.text('uid').notNull(),
        type: c.text('type').$type<OperationType>().notNull(),
        state: c.text('state').$type<OperationState>().notNull(),
        steps: c.json<Record<string, unknown>[]>('steps').notNull(),
        /** The reason that a person gave, or why it failed. */
        reason: c.text('reason'),
        deadline: c.int('deadline'),
        createdAt: c.int('created_at').notNull(),
        updatedAt: c.int('updated_at').notNull(),
        endedAt: c.int('ended_at'),
      },
      (t) => [
        c.index('site_operation_tenant').on(t.tenant, t.id),
        c.index('site_operation_open').on(t.state, t.id),
      ],
    ),
    /** The owner of a shard, with term and end. */
    shardLease: c.table('shard_lease', {
      sh: c.text('sh').primaryKey(),
      owner: c.text('owner').notNull(),
      epoch: c.int('epoch').notNull(),
      until: c.int('until').notNull(),
    }),
    /** Per host and lane: up to which sequence number events are committed. */
    laneCursor: c.table(
      'lane_cursor',
      {
        uid: c.text('uid').notNull(),
        lane: c.text('lane').notNull(),
        seq: c.int('seq').notNull(),
      },
      (t) => [c.primaryKey({ name: 'lane_cursor_pk', columns: [t.uid, t.lane] })],
    ),
    siteEvent: c.table(
      'site_event',
      {
        /** Made where it happened; repetitions are known by it. */
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        uid: c.text('uid').notNull(),
        lane: c.text('lane').notNull(),
        seq: c.int('seq').notNull(),
        boot: c.int('boot').notNull(),
        epoch: c.int('epoch').notNull(),
        type: c.text('type').notNull(),
        /** Wall clock of the host, and of the cloud at receipt. */
        at: c.int('at').notNull(),
        receivedAt: c.int('received_at').notNull(),
        late: c.bool('late').notNull(),
        body: c.json<Record<string, unknown>>('body').notNull(),
      },
      (t) => [
        c.index('site_event_lane').on(t.uid, t.lane, t.seq),
        c.index('site_event_tenant').on(t.tenant, t.receivedAt),
        c.index('site_event_time').on(t.tenant, t.at, t.id),
        c.index('site_event_role').on(t.tenant, t.siteId, t.at, t.id).where(sql`type = 'siteRole'`),
      ],
    ),
    siteAlarm: c.table(
      'site_alarm',
      {
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        siteId: c.text('site_id').notNull(),
        uid: c.text('uid').notNull(),
        error: c.text('error').notNull(),
        /** Empty where the error concerns the host as a whole. */
        service: c.text('service').notNull(),
        status: c.text('status').$type<AlarmStatus>().notNull(),
        raisedAt: c.int('raised_at').notNull(),
        clearedAt: c.int('cleared_at'),
        acknowledgedAt: c.int('acknowledged_at'),
        /**
         * When the alarm was last sent to the tenant: it is repeated while it is active. 0 = not at all, because of
         * maintenance.
         */
        toldAt: c.int('told_at').notNull(),
        details: c.json<Record<string, unknown>>('details').notNull(),
        /** The host reported it after an outage. */
        late: c.bool('late').notNull(),
        /** The notes of people about it, oldest first. */
        notes: c.json<AlarmNote[]>('notes').notNull(),
      },
      (t) => [
        c.index('site_alarm_subject').on(t.uid, t.error, t.service),
        c.index('site_alarm_tenant').on(t.tenant, t.status),
      ],
    ),
    /** The last self-test of each host, as it sent it; those before stand in the audit journal. */
    hostSelfTest: c.table('host_self_test', {
      uid: c.text('uid').primaryKey(),
      record: c.json<HostSelfTest>('record').notNull(),
    }),
    /** Certificates that have not ended and open nothing any more: for brokers that know nothing but a list of them. */
    revokedCertificate: c.table(
      'revoked_certificate',
      {
        /** Lower-case hex. */
        serial: c.text('serial').primaryKey(),
        uid: c.text('uid').notNull(),
        revokedAt: c.int('revoked_at').notNull(),
        /** End of the certificate, at the latest: the row may go then. */
        until: c.int('until').notNull(),
      },
      (t) => [c.index('revoked_certificate_until').on(t.until)],
    ),
    /** Platform alarms on their way to `alarmEventsRestEndpoint` of the tenant. */
    relay: c.table(
      'relay',
      {
        /** Idempotency key of the delivery. */
        id: c.text('id').primaryKey(),
        tenant: c.text('tenant').notNull(),
        body: c.json<Record<string, unknown>>('body').notNull(),
        state: c.text('state').$type<'waiting' | 'done' | 'dead'>().notNull(),
        createdAt: c.int('created_at').notNull(),
        notBefore: c.int('not_before').notNull(),
        deadline: c.int('deadline').notNull(),
        attempts: c.int('attempts').notNull(),
        /** Attempts the receiver itself refused (4xx). */
        refusals: c.int('refusals').notNull(),
        lastError: c.text('last_error'),
        /** Id of the alarm of supervision that it tells of; null of what was sent before this was kept. */
        alarm: c.text('alarm'),
        /** Status that the receiver answered last, and how long its answer took, milliseconds. */
        code: c.int('code'),
        tookMs: c.int('took_ms'),
        /** When it was taken, or given up. */
        settledAt: c.int('settled_at'),
        /** A replica attempts it until then, by the clock of the database; null = none does. */
        claimedUntil: c.int('claimed_until'),
        /** The replica that attempts it; the claim ends with its life. */
        claimedBy: c.text('claimed_by'),
      },
      (t) => [
        c.index('relay_due').on(t.state, t.notBefore),
        c.index('relay_tenant').on(t.tenant, t.state),
        c.index('relay_alarm').on(t.alarm, t.id),
      ],
    ),
  };
}
