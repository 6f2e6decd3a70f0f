import type { Store } from '#cloud/store/index.ts';

export * from '#cloud/store/site/shard-fence.ts';

/** A fence without effect. */
export const fencedStore = (store: Store): Store => store;
