import type { Store } from '../store/index.ts';

export interface CopyPort {
  readonly store: Store;
  readonly breathe: () => Promise<void>;
}
