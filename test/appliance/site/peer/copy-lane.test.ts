import { beforeEach, expect, it } from 'vitest';
import { CopyLane } from '#appliance/site/peer/index.ts';
import type { CopyWrite } from '#shared/contract/peer/index.ts';

const outbox = (id: string, more: object = {}): CopyWrite => ({ kind: 'outbox', row: { id, ...more } });
const session = (id: string): CopyWrite => ({ kind: 'session', row: { id } });
const many = (count: number, make: (id: string) => CopyWrite): CopyWrite[] =>
  Array.from({ length: count }, (_, at) => make(`old ${at}`));

let lane: CopyLane;
let n: number;
beforeEach(() => {
  lane = new CopyLane();
  lane.hold('other');
  n = 0;
});

/** Ids of the request that goes out. */
const sent = (effects: ReturnType<CopyLane['offer']>): string[] =>
  effects.flatMap((effect) => {
    if (effect.kind !== 'send') return [];
    n = effect.n;
    return effect.writes.map((write) => (write.kind === 'acked' ? 'acked' : idOf(write)));
  });
const idOf = (write: Exclude<CopyWrite, { kind: 'acked' }>): string =>
  write.kind === 'done' ? `done ${write.id}` : String(write.row.id);

it('an alarm does not wait behind what a new holder lacks of the time before', () => {
  expect(sent(lane.catchUp(many(1_000, session), 0))).toHaveLength(50);
  expect(lane.offer([outbox('alarm')], 1, 1)).toEqual([]);
  const next = lane.confirmed(n, 2);
  expect(sent(next).slice(0, 2)).toEqual(['alarm', 'old 50']);
  expect(lane.confirmed(n, 3)).toContainEqual({ kind: 'copied', wait: 1 });
});

it('carries on with the time before by itself, until nothing is owed', () => {
  const carried = sent(lane.catchUp(many(120, session), 0));
  while (!lane.idle) carried.push(...sent(lane.confirmed(n, 1)));
  expect(carried).toEqual(many(120, session).map((write) => idOf(write as never)));
});

it('a row that is delivered meanwhile is not copied as if it waited', () => {
  sent(lane.catchUp(many(120, outbox), 0));
  lane.offer([{ kind: 'done', id: 'old 100' }], 1);
  const rest: string[] = [];
  while (!lane.idle) rest.push(...sent(lane.confirmed(n, 2)));
  expect(rest).toContain('done old 100');
  expect(rest).not.toContain('old 100');
});

it('nor what the cloud has by then', () => {
  const rows = [5, 6].map((seq) => outbox(`cloud ${seq}`, { lane: 'svc', dest: 'cloud', seq }));
  sent(lane.offer([session('first')], 0, 1));
  lane.catchUp(rows, 0);
  lane.offer([{ kind: 'acked', lane: 'svc', seq: 5 }], 1);
  expect(sent(lane.confirmed(n, 2))).toEqual(['acked', 'cloud 6']);
});

it('another holder gets none of it', () => {
  sent(lane.catchUp(many(120, session), 0));
  lane.hold('third');
  expect(lane.idle).toBe(true);
  expect(lane.flush(1)).toEqual([]);
});
