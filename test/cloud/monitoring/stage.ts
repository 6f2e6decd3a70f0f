import { createHash, randomBytes } from 'node:crypto';
import { createMonitoring, type Monitoring, PlatformAlarmTable } from '#cloud/monitoring/index.ts';
import { RecordIntake } from '#cloud/record/index.ts';
import { conditionsOf, createSiteLifecycle } from '#cloud/site/index.ts';
import {
  type HostRow,
  insertHost,
  insertSite,
  insertTenant,
  type Lifecycle,
  listAlarms,
  type SiteAlarmRow,
  type Store,
  storeWith,
} from '#cloud/store/index.ts';
import type { PlatformAlarm } from '#shared/contract/callback/index.ts';
import {
  type EventItem,
  type HostPlace,
  type Leaf,
  type Profile,
  parseTopic,
  type RemoteRequest,
  SHARDS,
  shardOf,
  topicOf,
} from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { HOST_ROW } from '#test/support/host-row.ts';
import { openTestDatabase } from '../store/database.ts';

export const TENANT = '01jtenant0000000000000000t';
export const OTHER = '01jother00000000000000000t';
const WALL = 1_770_000_000_000;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

class StorageAway extends Error {
  constructor() {
    super('the database is away');
  }
}

/** A host as it behaves on the wire. */
export interface Puppet {
  readonly place: HostPlace;
  sid: string;
  /** Answers pings. */
  answers: boolean;
}

export interface MonitoringStage {
  readonly store: Store;
  monitoring: Monitoring;
  /** Monotonic seconds since the start. */
  readonly nowS: () => number;
  readonly reported: PlatformAlarm[];
  /** Idempotency key of each. */
  readonly keys: string[];
  readonly sent: { readonly leaf: Leaf; readonly uid: string; readonly body: Record<string, unknown> }[];
  readonly changed: string[];
  readonly addHost: (changes?: {
    siteId?: string;
    tenant?: string;
    life?: Lifecycle;
    profile?: Profile;
  }) => Promise<Puppet>;
  readonly say: (host: Puppet, leaf: Leaf, body: object) => Promise<void>;
  readonly birth: (host: Puppet, changes?: object) => Promise<void>;
  /** Lets seconds pass, one tick each; `each` runs after every tick. */
  readonly pass: (seconds: number, each?: (second: number) => Promise<void>) => Promise<void>;
  /** Heartbeats of these hosts in time, while seconds pass. */
  readonly beating: (hosts: readonly Puppet[], seconds: number) => Promise<void>;
  /** A jump of the clock without ticks: the program was held up. */
  readonly stall: (seconds: number) => void;
  readonly alarms: (tenant?: string) => Promise<SiteAlarmRow[]>;
  readonly logged: readonly string[];
  /** A step that fails is what the test is about. */
  mayFail: boolean;
  /** Shards that another replica owns. */
  readonly left: Set<string>;
  /** Each transaction of the monitoring fails. */
  isStorageAway: boolean;
  /** Each transaction of the monitoring waits for it. */
  storageHeld: Promise<void> | undefined;
  /** Lets seconds pass, one tick each, and waits for no step: it may wait for the storage. */
  readonly passAway: (seconds: number) => Promise<void>;
  /** Alarms of the deployment. */
  readonly platform: PlatformAlarmTable;
  /** The program ends and starts again on the same database. */
  readonly restart: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export async function openMonitoringStage(): Promise<MonitoringStage> {
  const { store, close } = await openTestDatabase('sqlite');
  let ms = 5_000_000;
  const startMs = ms;
  const reported: PlatformAlarm[] = [];
  const keys: string[] = [];
  const logged: string[] = [];
  const sent: MonitoringStage['sent'][number][] = [];
  const changed: string[] = [];
  const puppets = new Map<string, Puppet>();
  const sites = new Set<string>();
  await store.withTx(async (tx) => {
    for (const [id, domain] of [
      [TENANT, 'care.example'],
      [OTHER, 'other.example'],
    ] as const)
      await insertTenant(tx, { id, domain, name: null, createdAt: WALL, notBefore: 0 });
  });

  const platform = new PlatformAlarmTable({
    nowMs: () => WALL + ms - startMs,
    random: (length) => randomBytes(length),
    log: () => undefined,
  });

  const observed = storeWith(store, {
    withTx: async (work) => {
      if (stage.isStorageAway) throw new StorageAway();
      await stage.storageHeld;
      return await store.withTx(work);
    },
  });

  const create = (): Monitoring =>
    createMonitoring({
      store,
      shards: {
        replica: 'one',
        owns: (sh) => !stage.left.has(sh),
        ownsAll: () => true,
        storeOf: () => observed,
      },
      records: new RecordIntake({ store, onTaken: () => undefined }),
      clock: { wallMs: () => WALL + ms - startMs, monoMs: () => ms },
      random: (length) => randomBytes(length),
      // Heartbeats wait as long as they may: for a tick, another message, or the end.
      soon: () => undefined,
      publish: async (topic, payload) => {
        const at = parseTopic(topic);
        if (at === undefined) throw new Error(topic);
        const body = JSON.parse(payload) as Record<string, unknown>;
        sent.push({ leaf: at.leaf, uid: at.uid, body });
        const puppet = puppets.get(at.uid);
        const { op, id } = body as unknown as RemoteRequest;
        if (op === 'ping' && puppet?.answers === true)
          stage.monitoring.message(
            topicOf(puppet.place, 'up/res'),
            Buffer.from(JSON.stringify({ v: 1, id, ok: true })),
          );
      },
      relay: async (_tx, _tenant, id, alarm) => {
        reported.push(alarm);
        keys.push(id);
      },
      life: createSiteLifecycle({
        store,
        random: (length) => randomBytes(length),
        sha256,
        alarms: {
          raise: (...raised) => stage.monitoring.alarms.raise(...raised),
          clear: (...what) => stage.monitoring.alarms.clear(...what),
          clearAll: (...whose) => stage.monitoring.alarms.clearAll(...whose),
        },
        onHostChanged: (uid) => changed.push(uid),
      }).report,
      conditions: conditionsOf,
      platform,
      isStorageFault: (error) => error instanceof StorageAway,
      onHostChanged: (uid) => changed.push(uid),
      log: (level, event, message, facts) => {
        logged.push(`${level} ${event} ${message} ${JSON.stringify(facts)}`);
        if (event.includes('failed') && !stage.mayFail)
          throw new Error(`${level} ${message} ${JSON.stringify(facts)}`);
      },
    });

  async function ensureSite(tenant: string, siteId: string, profile: Profile): Promise<void> {
    if (sites.has(`${tenant}/${siteId}`)) return;
    sites.add(`${tenant}/${siteId}`);
    await store.withTx((tx) =>
      insertSite(tx, {
        tenant,
        siteId,
        name: null,
        profile,
        reachable: false,
        keyPublic: {},
        keySealed: '',
        createdAt: WALL,
      }),
    );
  }

  const stage: MonitoringStage = {
    store,
    monitoring: create(),
    nowS: () => (ms - startMs) / 1000,
    reported,
    logged,
    mayFail: false,
    left: new Set(),
    isStorageAway: false,
    storageHeld: undefined,
    keys,
    sent,
    changed,
    platform,
    addHost: async ({ siteId = 'north', tenant = TENANT, life = 'active', profile = 'standard' } = {}) => {
      await ensureSite(tenant, siteId, profile);
      const uid = ulid(WALL, randomBytes(10));
      const place = { sh: shardOf(uid, sha256), tenant, siteId, uid };
      const row: HostRow = {
        ...place,
        hostId: uid.slice(-8),
        lifecycle: life,
        lifecycleSince: WALL,
        ...HOST_ROW,
        version: '0',
        createdAt: WALL,
      };
      await store.withTx((tx) => insertHost(tx, row));
      stage.monitoring.hostChanged(uid);
      const puppet = { place, sid: ulid(WALL, randomBytes(10)), answers: false };
      puppets.set(uid, puppet);
      return puppet;
    },
    say: async ({ place }, leaf, body) => {
      stage.monitoring.message(topicOf(place, leaf), Buffer.from(JSON.stringify(body)));
      await stage.monitoring.idle();
    },
    birth: (host, changes = {}) => stage.say(host, 'up/state', birthOf(host, changes)),
    pass: async (seconds, each) => {
      for (let i = 0; i < seconds; i++) {
        ms += 1_000;
        stage.monitoring.tick();
        await stage.monitoring.idle();
        await each?.(stage.nowS());
      }
    },
    passAway: async (seconds) => {
      for (let i = 0; i < seconds; i++) {
        ms += 1_000;
        stage.monitoring.tick();
        for (let n = 0; n < 5; n++) await new Promise((resolve) => setImmediate(resolve));
      }
    },
    beating: async (hosts, seconds) => {
      await stage.pass(seconds, async (second) => {
        if (second % 30 !== 0) return;
        for (const host of hosts) await stage.say(host, 'up/hb', heartbeatOf(host));
      });
    },
    stall: (seconds) => {
      ms += seconds * 1_000;
    },
    alarms: (tenant = TENANT) => listAlarms(store, tenant, ['active', 'acknowledged', 'cleared'], '', 100),
    restart: async () => {
      await stage.monitoring.stop();
      stage.monitoring = create();
      await stage.monitoring.start();
      await stage.monitoring.adopt(SHARDS, true);
      for (const sh of SHARDS) stage.monitoring.shard(sh, true);
    },
    close,
  };
  await stage.monitoring.start();
  await stage.monitoring.adopt(SHARDS, true);
  for (const sh of SHARDS) stage.monitoring.shard(sh, true);
  return stage;
}

export const birthOf = ({ sid }: Puppet, changes: object = {}) => ({
  v: 1,
  st: 'on',
  sid,
  birthNo: 1,
  boot: 1,
  ts: WALL,
  twinRev: 1,
  sw: { agent: '1.2.3' },
  cfg: { tenant: 3, site: 2, host: 1, platform: 1 },
  life: 'active',
  epoch: 1,
  ...changes,
});

export const heartbeatOf = ({ sid }: Puppet, changes: object = {}) => ({
  v: 1,
  sid,
  n: 1,
  ts: WALL,
  up: 1,
  twinRev: 1,
  cfg: [3, 2, 1, 1],
  life: 'active',
  epoch: 1,
  ...changes,
});

export const eventOf = (seq: number, prev: number, changes: Partial<EventItem> = {}) => ({
  seq,
  prev,
  id: ulid(WALL, randomBytes(10)),
  type: 'something',
  ts: WALL,
  mono: 1,
  boot: 1,
  epoch: 1,
  data: {},
  ...changes,
});
