import { expect, it } from 'vitest';
import { shownReplicas } from '#cloud/compose/replica-view.ts';

const NOW_MS = 1_000_000;
const UNSAID = { version: null, machine: null, brokers: null, brokersSince: null };
const row = (id: string, until: number) => ({ id, startedAt: 1, until, ...UNSAID });
const lease = (sh: string, owner: string, until: number) => ({ sh, owner, epoch: 1, until });

it('a replica has the shards of its living leases, and one that was killed has none', () => {
  const view = {
    databaseMs: NOW_MS,
    replicas: [row('a', NOW_MS + 1), { ...row('b', NOW_MS), version: '1.2.3', machine: 'north' }],
    leases: [
      lease('00', 'a', NOW_MS + 1),
      lease('01', 'a', NOW_MS),
      lease('02', 'b', NOW_MS - 1),
      lease('03', '', 0),
    ],
  };
  expect(shownReplicas(view, 'a', 10_000)).toEqual([
    {
      ...{ id: 'a', live: true, answering: true, startedAt: 1 },
      ...{ lastSeenAt: NOW_MS - 9_999, leaseUntil: NOW_MS + 1, shards: ['00'] },
    },
    {
      ...{ id: 'b', live: false, answering: false, startedAt: 1, version: '1.2.3', machine: 'north' },
      ...{ lastSeenAt: NOW_MS - 10_000, leaseUntil: NOW_MS, shards: [] },
    },
  ]);
});
