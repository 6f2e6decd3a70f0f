import type { Broker } from './broker.ts';

/** Tells of every shard; gives how many of the owned ones are down now. */
export function watchShards(
  broker: Broker,
  isOwned: (sh: string) => boolean,
  tell: (sh: string, up: boolean) => void,
): () => number {
  const down = new Set<string>();
  broker.onShard((sh, up) => {
    if (up) down.delete(sh);
    else down.add(sh);
    tell(sh, up);
  });
  return () => [...down].filter(isOwned).length;
}
