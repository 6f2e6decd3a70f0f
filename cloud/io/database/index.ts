import { AsyncLocalStorage } from 'node:async_hooks';
import { hash } from 'node:crypto';
import type { Connection, StorePort, Vault } from '#cloud/store/index.ts';
import { digest } from '../digest/index.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';

export { faultsOf, tablesInOrder } from './catalogue.ts';
export { readMigrations } from './migration-files.ts';
export { keepRecordPartitions } from './partition.ts';
export { salvageSqlite } from './salvage.ts';
export { type StorageFault, storageFault } from './storage-fault.ts';
export { createTurns } from './turn.ts';

/**
 * Opens what `CARILLON_DATABASE` names: `sqlite:<file>` or `postgres://…`. `onIdleError` hears of connections
 * lost while no caller used them.
 */
export function openDatabase(setting: string, vault: Vault, onIdleError: (error: Error) => void): StorePort {
  if (setting.startsWith('sqlite:')) return storePort(openSqlite(setting.slice('sqlite:'.length)), vault);
  if (/^postgres(ql)?:\/\//.test(setting)) return storePort(openPostgres(setting, onIdleError), vault);
  throw new Error('CARILLON_DATABASE must be sqlite:<file> or postgres://user:password@host/name');
}

/** A connection with the clock, hash, vault and nesting check a store needs. */
export function storePort(connection: Connection, vault: Vault): StorePort {
  const inTransaction = new AsyncLocalStorage<true>();
  return {
    connection,
    nesting: {
      inside: () => inTransaction.getStore() === true,
      enter: (work) => inTransaction.run(true, work),
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
