import type { Broker, ShardListener } from './broker.ts';

/** Tells of every shard; gives how many of the owned ones are down now. */
export function watchShards(
  broker: Broker,
  isOwned: (sh: string) => boolean,
  tell: ShardListener,
): () => number {
  const down = new Set<string>();
  broker.onShard((sh, up, ...more) => {
    if (up) down.delete(sh);
    else down.add(sh);
    tell(sh, up, ...more);
  });
  return () => [...down].filter(isOwned).length;
}
