import { mkdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { ulid } from '#shared/id.ts';
import type { CloudConfig } from '../config.ts';
import {
  authorityChain,
  type InstallationKeys,
  keysOfInstallation,
  openSealedDatabase,
  writeShownFiles,
} from '../installation/index.ts';
import { type Authority, openAuthority } from '../io/authority/index.ts';
import {
  DatabaseInRecovery,
  keepRecordPartitions,
  lockForOneProcess,
  openLeaseDatabase,
  readMigrations,
  salvageSqlite,
  sqliteFileOf,
} from '../io/database/index.ts';
import { digest } from '../io/digest/index.ts';
import { openSigner } from '../io/key/index.ts';
import type { Log } from '../io/log/index.ts';
import { oneAtATime, repeat } from '../io/timer/index.ts';
import { type Clock, DatabaseClock } from '../shard/index.ts';
import {
  announcementsOf,
  awaitEarlierVersions,
  createStore,
  databaseTime,
  HELD_PAUSE_MS,
  migrate,
  monthAfter,
  monthOf,
  type Store,
  type StorePort,
  sealStored,
  type Vault,
} from '../store/index.ts';
import { beginToLive } from './living.ts';
import { type CloudMetric, openCloudMetric } from './metric.ts';
import { type StorageWatch, watchStorage } from './storage-watch.ts';

export const TICK_MS = 1_000;
/** An empty partition of records is removed when its month is over for so long. */
const EMPTY_MS = 62 * 86_400_000;
const MONTHS_MS = 6 * 3_600_000;
/** Tries of a migration to a line of the log: one takes five seconds. */
const HELD_TRIES_PER_LINE = 12;

/** The clock of the machine: for what happens before the database is open, and what no row keeps. */
export const machineClock: Clock = { wallMs: () => Date.now(), monoMs: () => performance.now() };

/** The infrastructure that every part of the control plane uses. */
export interface Infrastructure {
  readonly config: CloudConfig;
  readonly log: Log;
  /** The clock of the database, where other processes may share it. */
  readonly clock: DatabaseClock;
  readonly metric: CloudMetric;
  readonly vault: Vault;
  /** The keys that all processes of the installation share. */
  readonly keys: InstallationKeys;
  readonly store: Store;
  /** For leases of shards: on PostgreSQL with connections of its own, so that a renewal waits for no other work. */
  readonly leases: Store;
  /** The name of this replica, one for each start. */
  readonly replica: string;
  /** It must be the only process on its database: SQLite is a file, and the broker of this program has no second one. */
  readonly isSole: boolean;
  /** How commits of other replicas are heard; the parts are set where they are made. */
  readonly announced: AnnouncedPort;
  /** Whether writing works. */
  readonly storage: Pick<StorageWatch, 'fault' | 'written'>;
  readonly signer: ReturnType<typeof openSigner>;
  readonly authority: Authority;
  /** PEM of further CAs for what we call. */
  readonly trustPem: string | undefined;
  /** The parts that must end later; done last first. */
  readonly closing: (() => unknown)[];
}

/** Between the store, which is made first, and the connection that tells of its commits. */
export interface AnnouncedPort {
  written: () => void;
  fresh: () => boolean;
}

/** Opens the data folder: keys, database brought up to this version, certificate authority. */
export async function openInfrastructure(
  config: CloudConfig,
  log: Log,
  closing: (() => unknown)[],
): Promise<Infrastructure> {
  const { data } = config;
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const clock = clockOf(log);
  const metric = openCloudMetric(clock.monoMs);
  const replica = ulid(clock.wallMs(), digest.random(10));
  const isSole = sqliteFileOf(config.database) !== undefined || config.mqtt === undefined;
  const announced: AnnouncedPort = { written: () => undefined, fresh: () => true };
  const announcements = announcementsOf(replica, () => ulid(clock.wallMs(), digest.random(10)), {
    written: () => announced.written(),
    fresh: () => announced.fresh(),
  });
  const more = isSole ? {} : { announcements };
  const opened = await openStore(config, { log, clock, closing, metric }, more);
  const { vault } = opened;
  const storage = watchStorage(opened.store, log);
  const { store } = storage;
  const own = leaseStore(config, { log, closing, metric });
  const leases = own === undefined ? store : storage.also(own);
  const keys = await keysOfInstallation(store, vault, data, clock.wallMs());
  if (keys.adopted.length > 0)
    log('info', 'installation_keys.adopted', 'Took the keys of the data folder into the database', {
      keys: keys.adopted,
    });
  await beginToLive(config, keys, closing);
  writeShownFiles(data, keys);
  const signer = openSigner(keys.of('signing'));
  const authority = await openAuthority(authorityChain(keys));
  const trustPem = config.trustFile === undefined ? undefined : readFileSync(config.trustFile, 'utf8');
  const replicas = { replica, isSole, announced };
  const secrets = { vault, keys, signer, authority };
  return { config, log, clock, metric, store, leases, ...replicas, ...secrets, storage, trustPem, closing };
}

/** Undefined: SQLite has one writer for everything. */
function leaseStore(
  { database }: CloudConfig,
  { log, closing, metric }: Pick<Infrastructure, 'log' | 'closing' | 'metric'>,
): Store | undefined {
  if (sqliteFileOf(database) !== undefined) return undefined;
  const port = openLeaseDatabase(database, connectionLost(log));
  closing.push(() => port.connection.close());
  return createStore({ ...port, timed: metric.transaction });
}

const connectionLost =
  (log: Log) =>
  (error: Error): void =>
    log('warn', 'database.connection_lost', 'Lost a connection to the database', { reason: error.message });

const clockOf = (log: Log): DatabaseClock =>
  new DatabaseClock(machineClock, (offMs) =>
    log('warn', 'clock.far_off', 'The clock of this machine is far from that of the database, which counts', {
      aheadS: Math.round(offMs / 1_000),
    }),
  );

async function openStore(
  config: CloudConfig,
  { log, clock, closing, metric }: Pick<Infrastructure, 'log' | 'clock' | 'closing' | 'metric'>,
  more: Pick<StorePort, 'announcements'>,
): Promise<{ readonly store: Store; readonly vault: Vault }> {
  const file = sqliteFileOf(config.database);
  if (file !== undefined) {
    // Before anything else touches the file: salvage reads it and writes another in its place.
    closing.push(lockForOneProcess(file));
    const salvaged = salvageSqlite(file, clock.wallMs());
    if (salvaged !== undefined)
      log('error', 'database.salvaged', 'Read every row of a damaged database into a new one', {
        ...salvaged,
      });
  }
  const database = await openSealedDatabase(config, {
    onIdleError: connectionLost(log),
    onRestored: (restored) =>
      log(
        'error',
        'database.restored',
        'Restored a database that was removed or replaced under the program',
        {
          ...restored,
        },
      ),
  });
  closing.push(() => database.connection.close());
  if (file === undefined) {
    const askedMs = clock.monoMs();
    const { rows } = createStore(database);
    const [recovery] = await rows('SELECT pg_is_in_recovery()', []);
    if (recovery?.[0] === true) throw new DatabaseInRecovery();
    const databaseMs = await databaseTime(createStore(database));
    clock.read({ askedMs, answeredMs: clock.monoMs(), databaseMs });
  }
  const onLater = (migrations: readonly string[]) =>
    log('warn', 'database.later_schema', 'Works on a database that a later version has already extended', {
      migrations,
    });
  const files = readMigrations(database.connection.dialect);
  // On SQLite the lock of the file has shown that no other process lives.
  if (file === undefined) await awaitEarlierVersions(database, files, { monoMs: clock.monoMs, wait });
  const onHeld = async (tries: number): Promise<void> => {
    if (tries % HELD_TRIES_PER_LINE === 1)
      log(
        'warn',
        'database.migration_waits',
        'Waits to migrate the database: another transaction holds a table, such as that of a backup',
        { tries },
      );
    await wait(HELD_PAUSE_MS);
  };
  const ran = await migrate(database, files, clock.wallMs(), { onLater, onHeld });
  if (ran.length > 0)
    log('info', 'database.migrated', 'Migrated the database to this version', { migrations: ran });
  closing.push(await keepMonths(database, clock, log));
  const store = createStore({ ...database, ...more, timed: metric.transaction });
  const resealed = await sealStored(database, store, clock.wallMs());
  if (resealed > 0)
    log('info', 'database.secrets_sealed', 'Sealed the secrets of an earlier version', { rows: resealed });
  return { store, vault: database.vault };
}

/** The partitions of records: of this month and the next one, before they are needed. Gives the function that ends the round. */
async function keepMonths({ connection }: StorePort, clock: Clock, log: Log): Promise<() => Promise<void>> {
  const round = async (): Promise<void> => {
    const nowMs = clock.wallMs();
    const month = monthOf(nowMs);
    const oldest = monthOf(nowMs - EMPTY_MS);
    const { made, removed } = await keepRecordPartitions(connection, [month, monthAfter(month)], oldest);
    if (made.length + removed.length > 0)
      log('info', 'record_month.changed', 'Changed the partitions of the records', { made, removed });
  };
  const notKept = (cause: unknown) =>
    log('warn', 'record_month.check_failed', 'Could not check the partitions of the records', {
      cause: String(cause),
    });
  await round().catch(notKept);
  return repeat(MONTHS_MS, oneAtATime(round, notKept));
}

export const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
