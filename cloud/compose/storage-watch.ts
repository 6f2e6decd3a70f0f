import { type StorageFault, storageFault } from '../io/database/index.ts';
import type { Log } from '../io/log/index.ts';
import { type Store, storeWith } from '../store/index.ts';

export interface StorageWatch {
  /** The store, whose failed transactions are noticed. */
  readonly store: Store;
  /** The same for another store on the same database. */
  readonly also: (store: Store) => Store;
  /** The reason why the database could not be written last; null = it could. */
  readonly fault: () => string | null;
  /** A write has been committed: what failed before is over. */
  readonly written: () => void;
}

const SHORT: Readonly<Record<StorageFault['code'], string>> = {
  storageFull: 'the disk is full: free disk space',
  storageUnavailable: 'the database cannot be written: check it and its disk',
};

/**
 * Notices that writing fails, so that `/readyz` says it while no request is looking. `Chosen:` the renewal of the lease,
 * which writes every 5 s, is the proof that writing works again; a transaction that wrote nothing proves nothing.
 */
export function watchStorage(store: Store, log: Log): StorageWatch {
  let failed: StorageFault['code'] | undefined;
  const note = (thrown: unknown): void => {
    const code = storageFault(thrown)?.code;
    if (code === undefined || code === failed) return;
    failed = code;
    log('error', 'database.write_failed', 'Could not write to the database', { reason: SHORT[code] });
  };
  const also = (other: Store): Store =>
    storeWith(other, {
      withTx: (work) =>
        other.withTx(work).catch((thrown: unknown) => {
          note(thrown);
          throw thrown;
        }),
    });
  return {
    store: also(store),
    also,
    fault: () => (failed === undefined ? null : SHORT[failed]),
    written: () => {
      if (failed === undefined) return;
      failed = undefined;
      log('info', 'database.write_recovered', 'Wrote to the database again', {});
    },
  };
}
