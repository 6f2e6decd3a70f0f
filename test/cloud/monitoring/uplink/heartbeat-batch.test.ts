import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HeartbeatBatch } from '#cloud/monitoring/uplink/heartbeat-batch.ts';
import { topicOf } from '#shared/contract/feed/index.ts';
import { heartbeatOf, type MonitoringStage, openMonitoringStage, type Puppet } from '../stage.ts';

describe('a batch of heartbeats', () => {
  function opened() {
    const due: (() => void)[] = [];
    const taken: number[] = [];
    const batch = new HeartbeatBatch<number>({
      soon: (run) => void due.push(run),
      take: (heartbeat) => void taken.push(heartbeat),
    });
    return { due, taken, batch };
  }

  it('waits for the moment of its first one, and asks for one moment', () => {
    const { due, taken, batch } = opened();
    for (const each of [1, 2, 3]) batch.add(each);
    expect([due.length, taken]).toEqual([1, []]);
    due[0]?.();
    expect(taken).toEqual([1, 2, 3]);
    batch.add(4);
    expect([due.length, taken]).toEqual([2, [1, 2, 3]]);
    due[1]?.();
    expect(taken).toEqual([1, 2, 3, 4]);
  });

  it('takes each one once, also where it was flushed before its moment', () => {
    const { due, taken, batch } = opened();
    batch.add(1);
    batch.flush();
    batch.flush();
    due[0]?.();
    expect(taken).toEqual([1]);
  });

  it('holds up nothing for longer than a hundred heartbeats take', () => {
    const { due, taken, batch } = opened();
    for (let each = 0; each < 250; each++) batch.add(each);
    expect(taken).toHaveLength(200);
    for (const run of due) run();
    expect(taken).toEqual(Array.from({ length: 250 }, (_, each) => each));
  });

  it('one that comes while others are taken waits for the next moment', () => {
    const due: (() => void)[] = [];
    const taken: number[] = [];
    const batch: HeartbeatBatch<number> = new HeartbeatBatch<number>({
      soon: (run) => void due.push(run),
      take: (heartbeat) => {
        taken.push(heartbeat);
        if (heartbeat === 1) batch.add(2);
      },
    });
    batch.add(1);
    due[0]?.();
    expect([due.length, taken]).toEqual([2, [1]]);
    due[1]?.();
    expect(taken).toEqual([1, 2]);
  });
});

describe('heartbeats that wait for others', () => {
  let stage: MonitoringStage;
  let host: Puppet;
  beforeEach(async () => {
    stage = await openMonitoringStage();
    host = await stage.addHost();
    await stage.birth(host);
    await stage.beating([host], 300);
  });
  afterEach(() => stage.close());

  const say = (leaf: 'up/hb' | 'up/state', body: object) =>
    stage.monitoring.message(topicOf(host.place, leaf), Buffer.from(JSON.stringify(body)));
  const uid = () => host.place.uid;

  it('they end the silence of their host before the verdict of a tick', async () => {
    await stage.pass(94);
    expect(stage.monitoring.connectivity(uid())).toBe('online');
    say('up/hb', heartbeatOf(host));
    await stage.pass(60);
    expect(stage.monitoring.connectivity(uid())).toBe('online');
    // It was not even suspect for a moment.
    expect(stage.sent.filter(({ body }) => body.op === 'ping')).toEqual([]);
    // Without one it is suspect by then.
    await stage.pass(40);
    expect(stage.monitoring.connectivity(uid())).toBe('suspect');
  });

  it('they stay in order with the last word of their host', async () => {
    say('up/hb', heartbeatOf(host));
    say('up/state', { v: 1, st: 'off', sid: host.sid });
    await stage.monitoring.idle();
    expect(stage.monitoring.connectivity(uid())).toBe('suspect');
  });

  it('those of a shard that another replica owns by then are its own matter', async () => {
    const seenMs = stage.monitoring.observed(uid())?.lastSeen;
    await stage.pass(20);
    say('up/hb', heartbeatOf(host));
    stage.left.add(host.place.sh);
    await stage.monitoring.idle();
    expect(stage.monitoring.observed(uid())?.lastSeen).toBe(seenMs);
    stage.left.clear();
    await stage.say(host, 'up/hb', heartbeatOf(host));
    expect(stage.monitoring.observed(uid())?.lastSeen).toBe((seenMs ?? 0) + 20_000);
  });
});
