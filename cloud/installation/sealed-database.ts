import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase, type RestoredFile, tablesInOrder } from '../io/database/index.ts';
import { type KeySource, openVault } from '../io/key/index.ts';
import { createStore, type StorePort, sealedBy, type Vault } from '../store/index.ts';

/** The place of an installation: its folder, its database, and where its vault key comes from. */
export interface InstallationPlace {
  readonly data: string;
  readonly database: string;
  readonly vault: KeySource;
}

export interface DatabaseListener {
  readonly onIdleError?: (error: Error) => void;
  readonly onRestored?: (restored: RestoredFile) => void;
}

/** The database with its vault. Throws one sentence when the vault key is missing or is not the one that sealed it. */
export async function openSealedDatabase(
  { data, database, vault: source }: InstallationPlace,
  { onIdleError = () => undefined, onRestored }: DatabaseListener = {},
): Promise<StorePort> {
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const port = openDatabase(database, closedVault(''), onIdleError, onRestored);
  try {
    const sealedWith = await sealedWithKey(port);
    return { ...port, vault: openVault(join(data, 'key'), source, sealedWith) };
  } catch (cause) {
    await port.connection.close();
    throw cause;
  }
}

/** Name of the vault key by which the database is sealed; undefined = it is not sealed yet, or empty. */
async function sealedWithKey(port: StorePort): Promise<string | undefined> {
  const tables = await tablesInOrder(port.connection);
  return tables.includes('sealing') ? await sealedBy(createStore(port)) : undefined;
}

/** For work that opens and seals nothing. */
export function closedVault(keyName: string): Vault {
  const refuse = (): never => {
    throw new Error('This work neither seals nor opens secrets.');
  };
  return { keyName, seal: refuse, open: refuse };
}
