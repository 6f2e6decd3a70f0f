import { expect, it } from 'vitest';
import { replicaFacts, shardRuns } from '#cloud/console/page/platform/replica-facts.ts';

const SHARDS = Array.from({ length: 64 }, (_, n) => n.toString(16).padStart(2, '0'));
const replica = (live: boolean, shards: readonly string[], version?: string) => ({
  ...{ id: 'r', answering: false, startedAt: 1, lastSeenAt: 1, leaseUntil: 2 },
  ...{ live, shards: [...shards], ...(version !== undefined && { version }) },
});

it('shards of a replica that was killed have no owner, and its version does not count', () => {
  const all = [replica(true, SHARDS.slice(0, 32), '2.0.0'), replica(false, SHARDS.slice(32), '1.0.0')];
  expect(replicaFacts(all)).toEqual({ live: 1, unowned: 32, versions: ['2.0.0'] });
  expect(replicaFacts([])).toEqual({ live: 0, unowned: 64, versions: [] });
});

it('two versions are a rolling upgrade, and a missing one is no version', () => {
  const all = [
    replica(true, SHARDS.slice(0, 32), '2.0.0'),
    replica(true, SHARDS.slice(32), '1.0.0'),
    replica(true, []),
  ];
  expect(replicaFacts(all)).toEqual({ live: 3, unowned: 0, versions: ['1.0.0', '2.0.0'] });
});

it('shards are shown as runs', () => {
  expect(shardRuns([])).toBe('');
  expect(shardRuns(SHARDS)).toBe('00–3f');
  expect(shardRuns(['3f', '00', '02', '01', '09', '0a'])).toBe('00–02, 09, 0a, 3f');
});
