import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { Connection, Rehearsal, StorePort, Vault } from '#cloud/store/index.ts';
import { digest } from '../digest/index.ts';
import { LEASE_USE, openPostgres } from './postgres.ts';
import type { RestoredFile } from './removed-file.ts';
import { openSqlite } from './sqlite.ts';

export { executed, faultsOf, tablesInOrder } from './catalogue.ts';
export { type KeptAside, keptAside } from './kept-aside.ts';
export { type ListenLink, openListenLink } from './listen-link.ts';
export { livingOnServer, markLiving } from './living-mark.ts';
export { readMigrations } from './migration-files.ts';
export { keepRecordPartitions } from './partition.ts';
export type { RestoredFile } from './removed-file.ts';
export { salvageSqlite } from './salvage.ts';
export { lockForOneProcess } from './sole-process.ts';
export { DatabaseInRecovery, type StorageFault, storageFault } from './storage-fault.ts';
export { createTurns } from './turn.ts';

/**
 * Opens what `CARILLON_DATABASE` names: `sqlite:<file>` or `postgres://…`. `onIdleError` hears of connections
 * lost while no caller used them, `onRestored` of a SQLite file that was removed under the program.
 */
export function openDatabase(
  setting: string,
  vault: Vault,
  onIdleError: (error: Error) => void,
  onRestored?: (restored: RestoredFile) => void,
): StorePort {
  const file = sqliteFileOf(setting);
  if (file !== undefined) return storePort(openSqlite(file, onRestored), vault);
  if (isPostgres(setting)) return storePort(openPostgres(setting, onIdleError), vault);
  throw new Error('CARILLON_DATABASE must be sqlite:<file> or postgres://user:password@host/name');
}

/**
 * Connections of their own for the leases of shards, which must not wait for other work: opens what `url` names on PostgreSQL. Nothing
 * of them is sealed.
 */
export const openLeaseDatabase = (url: string, onIdleError: (error: Error) => void): StorePort =>
  storePort(openPostgres(url, onIdleError, LEASE_USE), {
    keyName: '',
    seal: notSealed,
    open: notSealed,
  });

function notSealed(): never {
  throw new Error('Leases neither seal nor open secrets.');
}

const SQLITE = 'sqlite:';

/** The file that `CARILLON_DATABASE` names; undefined: it names another database. */
export const sqliteFileOf = (setting: string): string | undefined =>
  setting.startsWith(SQLITE) ? setting.slice(SQLITE.length) : undefined;

/** Whether `CARILLON_DATABASE` names a database of PostgreSQL. */
export const isPostgres = (setting: string): boolean => /^postgres(ql)?:\/\//.test(setting);

/** A connection with the clock, hash, vault and nesting check a store needs. */
export function storePort(connection: Connection, vault: Vault): StorePort {
  const inTransaction = new AsyncLocalStorage<true>();
  const inRehearsal = new AsyncLocalStorage<Rehearsal>();
  return {
    connection,
    nesting: {
      inside: () => inTransaction.getStore() === true,
      enter: (work) => inTransaction.run(true, work),
    },
    rehearsals: {
      current: () => inRehearsal.getStore(),
      within: (rehearsal, work) => inRehearsal.run(rehearsal, work),
    },
    startTimer: (ms, fire) => {
      const timer = setTimeout(fire, ms);
      return () => clearTimeout(timer);
    },
    sha256: (text) => hash('sha256', text, 'hex'),
    salt: () => Buffer.from(digest.random(16)).toString('base64url'),
    vault,
  };
}
