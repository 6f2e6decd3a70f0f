import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fail, ok, type Result } from '#shared/result.ts';
import type { Sources } from '#shared/setting/index.ts';
import { type CloudConfig, cloudConfig } from '../config.ts';
import { closedVault, keysOfInstallation, openSealedDatabase } from '../installation/index.ts';
import { faultsOf, openDatabase, readMigrations, tablesInOrder } from '../io/database/index.ts';
import { announceKey, beginRotation } from '../io/key/index.ts';
import {
  type Actor,
  type CopiedTable,
  type CopyEnd,
  checkDatabase,
  checkIdle,
  copyDatabase,
  createStore,
  type DatabaseReport,
  HELD_PAUSE_MS,
  type MarkedRestored,
  markRestored,
  migrate,
  pendingMigrations,
  recordAudit,
  rotateSeal,
  type StorePort,
  sealStored,
} from '../store/index.ts';

/** Commands that work on the database itself, of a cloud that does not run meanwhile. */
export interface DatabaseCommands {
  /** Brings the schema to this version; gives the migrations that ran. `onHeld`: it waits for another transaction. */
  readonly migrate: (sources: Sources, onHeld?: () => void) => Promise<Result<string[]>>;
  readonly check: (sources: Sources) => Promise<Result<DatabaseReport>>;
  /** Copies what CARILLON_DATABASE names into the empty database `target`. */
  readonly copy: (sources: Sources, target: string) => Promise<Result<CopiedTable[]>>;
  /** Moves every number on, after the database came back from a backup. */
  readonly markRestored: (sources: Sources) => Promise<Result<MarkedRestored>>;
  /** Seals everything under a new key-encryption key, and puts it in the place of the old one. */
  readonly rotateKey: (sources: Sources) => Promise<Result<RotatedKey>>;
  /** Makes the key that will sign twins and manifests once every host knows it. */
  readonly rotateSigning: (sources: Sources) => Promise<Result<AnnouncedKey>>;
}

export interface AnnouncedKey {
  /** Ids of the keys. */
  readonly before: string;
  readonly after: string;
}

export interface RotatedKey {
  /** Names of the keys, as sealed texts carry them. */
  readonly before: string;
  readonly after: string;
  /** Rows written by this run. */
  readonly rows: number;
  /** The new key, where a person must take it to the place that the old one came from. */
  readonly handOver: string | undefined;
}

export const databaseCommands: DatabaseCommands = {
  migrate: (sources, onHeld) =>
    withDatabase(sources, async (port) => {
      const ran = await broughtUp(port, onHeld);
      await sealStored(port, createStore(port), Date.now());
      return ok(ran);
    }),

  check: (sources) =>
    withDatabase(sources, async (port) => {
      const pending = await pendingMigrations(port, readMigrations(port.connection.dialect));
      if (pending.length > 0)
        return fail('notMigrated', `${pending.join(', ')} did not run yet: carillon db migrate runs them.`);
      const { tables, faults } = await checkDatabase(createStore(port), port.sha256);
      return ok({ tables, faults: [...(await faultsOf(port.connection)), ...faults] });
    }),

  copy: (sources, target) =>
    withDatabase(sources, async (from, config) => {
      const to = await open(target, config);
      try {
        await broughtUp(from);
        await sealStored(from, createStore(from), Date.now());
        return await copyDatabase(end(from), end(to), await tablesInOrder(from.connection), Date.now());
      } finally {
        await to.connection.close();
      }
    }),

  markRestored: (sources) =>
    withDatabase(sources, async (port) => {
      await broughtUp(port);
      return await markRestored(createStore(port), operator());
    }),

  rotateSigning: (sources) =>
    withDatabase(sources, async (port, config) => {
      await broughtUp(port);
      const store = createStore(port);
      const idle = await checkIdle(store, Date.now());
      if (!idle.ok) return idle;
      await sealStored(port, store, Date.now());
      const keys = await keysOfInstallation(store, port.vault, config.data, Date.now());
      const announced = await announceKey(keys.of('signing'));
      if (announced.ok)
        await store.withTx((tx) =>
          recordAudit(tx, operator(), {
            tenant: '',
            action: 'rotate',
            entity: 'verifykey',
            entityId: announced.value.after,
            detail: announced.value,
          }),
        );
      return announced;
    }),

  rotateKey: async (sources) => {
    const config = cloudConfig(sources);
    if (!config.ok) return config;
    const { data, vault, database } = config.value;
    let port: StorePort | undefined;
    try {
      const rotation = beginRotation(join(data, 'key'), vault);
      port = openDatabase(database, closedVault(rotation.after), () => undefined);
      await broughtUp(port);
      const rows = await rotateSeal(port, createStore(port), rotation, operator());
      if (!rows.ok) {
        rotation.abandon();
        return rows;
      }
      const { before, after } = rotation;
      return ok({ before, after, rows: rows.value, handOver: rotation.finish() });
    } catch (cause) {
      return unusable(cause);
    } finally {
      await port?.connection.close();
    }
  },
};

/** The database at the schema of this version. A table that another transaction holds is waited for. */
const broughtUp = (port: StorePort, onHeld?: () => void): Promise<string[]> =>
  migrate(port, readMigrations(port.connection.dialect), Date.now(), {
    onHeld: async () => {
      onHeld?.();
      await wait(HELD_PAUSE_MS);
    },
  });

/** The person at the machine. */
const operator = (): Actor => ({ name: 'system', address: 'console', requestId: '', at: Date.now() });

const unusable = (cause: unknown) =>
  fail('databaseUnusable', cause instanceof Error ? cause.message : String(cause));

const end = (port: StorePort): CopyEnd => ({ port, migrations: readMigrations(port.connection.dialect) });

/** Secrets stay sealed on the way: both ends are opened with the vault of this deployment. */
const open = (database: string, config: CloudConfig): Promise<StorePort> =>
  openSealedDatabase({ ...config, database });

async function withDatabase<T>(
  sources: Sources,
  work: (port: StorePort, config: CloudConfig) => Promise<Result<T>>,
): Promise<Result<T>> {
  const config = cloudConfig(sources);
  if (!config.ok) return config;
  let port: StorePort | undefined;
  try {
    port = await open(config.value.database, config.value);
    return await work(port, config.value);
  } catch (cause) {
    return unusable(cause);
  } finally {
    await port?.connection.close();
  }
}
