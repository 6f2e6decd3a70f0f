import type { StorageFailed } from '../../delivery/outbox/index.ts';

/** The failure that waiting callers get; `reason` is what SQLite or the system said. */
export class StorageError extends Error implements StorageFailed {
  readonly code = 'storageFailed';

  constructor(reason: string) {
    super(`journal not written: ${reason}`);
    this.name = 'StorageError';
  }
}
