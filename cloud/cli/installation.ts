import { fail, type Result } from '#shared/result.ts';
import type { CloudConfig } from '../config.ts';
import { authorityChain, keysOfInstallation, openSealedDatabase } from '../installation/index.ts';
import { type Authority, openAuthority } from '../io/authority/index.ts';
import { readMigrations } from '../io/database/index.ts';
import { createStore, pendingMigrations, type Store, sealStored } from '../store/index.ts';

/**
 * Work with the certificate authority of an installation, also while its control plane runs. Fails with `notMigrated` for a
 * database of an earlier version, which this must not change under a program that runs. Throws what the database throws.
 */
export async function withAuthority<T>(
  config: CloudConfig,
  work: (authority: Authority, store: Store) => Promise<Result<T>>,
): Promise<Result<T>> {
  const port = await openSealedDatabase(config);
  try {
    const pending = await pendingMigrations(port, readMigrations(port.connection.dialect));
    if (pending.length > 0)
      return fail(
        'notMigrated',
        `${pending.join(', ')} did not run yet: start the cloud, or run carillon db migrate.`,
      );
    const store = createStore(port);
    await sealStored(port, store, Date.now());
    const keys = await keysOfInstallation(store, port.vault, config.data, Date.now());
    return await work(await openAuthority(authorityChain(keys)), store);
  } finally {
    await port.connection.close();
  }
}
