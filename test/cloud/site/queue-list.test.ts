import { expect, it } from 'vitest';
import { queuesOf, queuesTogether } from '#cloud/site/request/queue-list.ts';
import type { MediaQueueEntry } from '#shared/contract/runtime/index.ts';

const entry = (more: Partial<MediaQueueEntry>): MediaQueueEntry => ({
  ...{ mediaserviceId: 'm1', siteId: 'north', hostId: 'h1', queue: 'support' },
  ...{ waiting: 0, alarmsWaiting: 0, longestWait: 0, entered: 0, answered: 0, abandoned: 0, overflowed: 0 },
  ...{ meanWait: 0, meanService: 0, agents: [] },
  ...more,
});

it('queues of several hosts stand beside each other, in the order of their names', () => {
  const lists = [
    [entry({ queue: 'support' }), entry({ queue: 'alarms' })],
    [entry({ queue: 'support', hostId: 'h0' })],
  ];
  expect(queuesTogether(lists).queues.map(({ queue, hostId }) => `${queue} ${hostId}`)).toEqual([
    'alarms h1',
    'support h0',
    'support h1',
  ]);
});

it('an answer that is no list of queues is none', () => {
  expect(queuesOf({ success: true, queues: [entry({})] })).toHaveLength(1);
  for (const body of [undefined, {}, { queues: [{}] }, { sessions: [] }])
    expect(queuesOf(body)).toBeUndefined();
});
