import type { Clock } from '#shared/clock.ts';
import type { AlarmQueuedData } from '#shared/contract/alarm-queue/index.ts';
import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import type { FeedScope, HostPlace } from '#shared/contract/feed/index.ts';
import type { RandomBytes } from '#shared/id.ts';
import type { Log } from '#shared/log.ts';
import type { Actor, HostCondition, HostWithStatus, Store, Tx } from '../../store/index.ts';
import type { PlatformAlarmTable } from './platform-alarm-table.ts';

/** The reports of hosts about their own life (`cloud/site`); each gives whether the twin must be made again. */
export interface LifecycleReports {
  /** A host works with its configuration. */
  readonly acknowledged: (tx: Tx, uid: string, actor: Actor) => Promise<boolean>;
  /** A host says, without a report of it, that it works with these revisions. */
  readonly settled: (
    tx: Tx,
    uid: string,
    works: Readonly<Record<FeedScope, number>>,
    actor: Actor,
  ) => Promise<boolean>;
  /** An event of a host about an operation on it. */
  readonly reported: (tx: Tx, uid: string, type: string, data: unknown, actor: Actor) => Promise<boolean>;
  /** Which intent a host follows, from which twin. */
  readonly obeyed: (
    tx: Tx,
    uid: string,
    said: { readonly life: string; readonly twinRev: number },
    at: number,
  ) => Promise<boolean>;
}

/** Records of sessions (`cloud/record`). */
export interface RecordTaker {
  /** Commits a batch of a host. Gives the number up to which its records are committed; undefined when it is no batch. */
  readonly take: (
    place: HostPlace,
    hostId: string,
    batch: unknown,
    receivedAt: number,
  ) => Promise<number | undefined>;
  readonly seqOf: (uid: string) => Promise<number>;
}

/** The alarm queue (`cloud/alarm-queue`). */
export interface QueueReports {
  /** A host reports an alarm that no person has accepted. Gives what to do after the commit. */
  readonly reported: (
    tx: Tx,
    place: HostPlace,
    hostId: string,
    data: AlarmQueuedData,
    at: number,
  ) => Promise<() => void>;
}

/** The shards whose hosts this replica observes. */
export interface OwnedShards {
  /** The name of this replica. */
  readonly replica: string;
  readonly owns: (sh: string) => boolean;
  /** Whether it owns every shard, so that it sees all hosts of each site. */
  readonly ownsAll: () => boolean;
  /** The store for what concerns hosts of a shard: its transactions leave nothing once another replica owns the shard. */
  readonly storeOf: (sh: string) => Store;
}

/** Its owner does the work that concerns no single host. `Chosen:` one shard for all of it, for it is little. */
export const LEADER_SHARD = '00';

export interface MonitoringPort {
  /** For reading. */
  readonly store: Store;
  readonly shards: OwnedShards;
  readonly clock: Clock;
  readonly random: RandomBytes;
  /** Calls once, a moment later, before the second is over. */
  readonly soon: (run: () => void) => void;
  /** Leaves a message with the broker; rejects without connection. */
  readonly publish: (topic: string, payload: string) => Promise<void>;
  /** Puts a platform alarm on its way to the tenant, in the transaction that raised it. `id` is its idempotency key. */
  readonly relay: (tx: Tx, tenant: string, id: string, alarm: PlatformAlarm, at: number) => Promise<void>;
  readonly life: LifecycleReports;
  readonly records: RecordTaker;
  /** Absent: this control plane has no alarm queue. */
  readonly queue?: QueueReports;
  /** The present conditions of a host. */
  readonly conditions: (row: HostWithStatus, nowMs: number) => Readonly<Record<string, HostCondition>>;
  /** Alarms that concern the deployment and no single tenant. */
  readonly platform: Pick<PlatformAlarmTable, 'raise' | 'clear'>;
  /** Whether the storage failed, which will work again; else the exception is a defect. */
  readonly isStorageFault: (error: unknown) => boolean;
  /** After the commit, and once the monitoring has read the row again: the twin of this host must be looked at. */
  readonly onHostChanged: (uid: string) => void;
  readonly log: Log;
}
