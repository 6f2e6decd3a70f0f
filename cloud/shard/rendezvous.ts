/** Hash of a text, lower-case hex; the same in every replica. */
export type HashText = (text: string) => string;

/** The most shards that one of so many replicas owns. */
export const mostShards = (shards: number, replicas: number): number =>
  replicas === 0 ? 0 : Math.ceil(shards / replicas);

interface Pair {
  readonly shard: string;
  readonly replica: string;
  readonly weight: string;
}

/**
 * The owner of each shard by bounded rendezvous hashing: the heaviest pair of shard and replica is joined first, and a
 * replica that has ⌈shards/replicas⌉ takes no more. The order of the arguments does not matter.
 *
 * Chosen: pairs over all shards, not shard by shard. A shard whose favourite is full is then the one that likes it
 * least, so that a replica that joins or leaves moves few shards between the others.
 */
export function shardOwners(
  shards: readonly string[],
  replicas: readonly string[],
  hash: HashText,
): ReadonlyMap<string, string> {
  const most = mostShards(shards.length, replicas.length);
  const pairs = shards.flatMap((shard) =>
    replicas.map((replica): Pair => ({ shard, replica, weight: hash(`${shard} ${replica}`) })),
  );
  const owners = new Map<string, string>();
  const counts = new Map<string, number>();
  for (const { shard, replica } of pairs.toSorted(heaviestFirst)) {
    const count = counts.get(replica) ?? 0;
    if (owners.has(shard) || count >= most) continue;
    owners.set(shard, replica);
    counts.set(replica, count + 1);
  }
  return owners;
}

/** Two pairs of one weight would be a collision of the hash; their names decide then. */
function heaviestFirst(a: Pair, b: Pair): number {
  const keyA = `${a.weight} ${a.shard} ${a.replica}`;
  const keyB = `${b.weight} ${b.shard} ${b.replica}`;
  return keyA < keyB ? 1 : keyA > keyB ? -1 : 0;
}
