import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { mostShards, shardOwners } from '#cloud/shard/index.ts';
import { SHARDS } from '#shared/contract/feed/index.ts';

const hash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Groups of replicas, each named as processes name themselves. */
const groups = Array.from({ length: 40 }, (_, group) =>
  Array.from({ length: 1 + (group % 12) }, (__, n) => `replica-${group}-${n}`),
);

const owners = (replicas: readonly string[]) => shardOwners(SHARDS, replicas, hash);

describe('owners of shards by bounded rendezvous hashing', () => {
  it.each(groups.map((replicas) => [replicas.length, replicas] as const))(
    '%i replicas: every shard has an owner, none has more than its share',
    (count, replicas) => {
      const found = owners(replicas);
      expect([...found.keys()].toSorted()).toEqual(SHARDS);
      const shares = replicas.map((id) => [...found.values()].filter((owner) => owner === id).length);
      expect(Math.max(...shares)).toBeLessThanOrEqual(mostShards(SHARDS.length, count));
      expect(shares.reduce((a, b) => a + b)).toBe(SHARDS.length);
    },
  );

  it('no replicas: no owners', () => expect(owners([]).size).toBe(0));

  it.each(groups)('the order in which rows come does not matter (%s …)', (...replicas) => {
    const shuffled = replicas.toSorted((a, b) => (hash(a) < hash(b) ? -1 : 1));
    const backwards = shardOwners(SHARDS.toReversed(), shuffled, hash);
    expect(new Map([...backwards].toSorted())).toEqual(new Map([...owners(replicas)].toSorted()));
  });

  it.each(groups.filter(({ length }) => length > 1))(
    'one that leaves moves its own shards, and few between the others (%s …)',
    (lost, ...rest) => {
      const [before, after] = [owners([lost, ...rest]), owners(rest)];
      const moved = SHARDS.filter((sh) => before.get(sh) !== lost && before.get(sh) !== after.get(sh));
      // Without a bound none would move. With it, what was pushed away from a full favourite may come back.
      expect(moved.length).toBeLessThanOrEqual(2 * mostShards(SHARDS.length, rest.length + 1));
      // The same of one that comes: it takes its share, and as few others move.
      const taken = SHARDS.filter((sh) => before.get(sh) === lost);
      expect(taken.length).toBeGreaterThan(0);
    },
  );
});
