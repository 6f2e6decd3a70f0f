import { expect, it } from 'vitest';
import { createBrokerWatch } from '#cloud/monitoring/index.ts';

const URLS = ['mqtts://a:8883', 'mqtts://b:8883'];

function stage(urls: readonly string[]) {
  const said: string[] = [];
  const now = {
    ...{ served: urls.map(() => 32), owned: 32 },
    reached: undefined as readonly boolean[] | undefined,
  };
  const round = createBrokerWatch({
    urls,
    served: () => now.served,
    owned: () => now.owned,
    reached: () => now.reached,
    machine: 'north',
    platform: {
      raise: ({ subject, message }) => void said.push(`raise ${subject}`, message),
      clear: ({ subject }) => void said.push(`clear ${subject}`),
    },
    rounds: 3,
  });
  return { now, rounds: (count: number) => Array.from({ length: count }, () => round()), said };
}

it('one broker of two is reported by its address after three rounds, and cleared when it is back', () => {
  const { now, rounds, said } = stage(URLS);
  now.served = [32, 0];
  rounds(2);
  expect(said.filter((each) => each.startsWith('raise'))).toEqual([]);
  rounds(1);
  expect(said.slice(-2)).toEqual(['raise b:8883', expect.stringContaining('served no shard')]);
  now.served = [32, 1];
  rounds(1);
  expect(said.at(-1)).toBe('clear b:8883');
});

it('a replica without shards says nothing of brokers, and a single broker has its own alarm', () => {
  const idle = stage(URLS);
  Object.assign(idle.now, { served: [0, 0], owned: 0 });
  idle.rounds(5);
  expect(idle.said).not.toContainEqual(expect.stringMatching(/^raise/));
  const single = stage(URLS.slice(1));
  single.now.served = [0];
  single.rounds(5);
  expect(single.said).toEqual([]);
});

it('a replica that has given its shards away says which broker does not answer it', () => {
  const { now, rounds, said } = stage(URLS.slice(1));
  Object.assign(now, { served: [0], owned: 0, reached: [false] });
  rounds(3);
  expect(said.slice(-2)).toEqual(['raise b:8883', expect.stringMatching(/control plane on north/)]);
  now.reached = [true];
  rounds(1);
  expect(said.at(-1)).toBe('clear b:8883');
});
