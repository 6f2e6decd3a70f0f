import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { replicaOf, shared, until } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { pause } from '#test/support/site.ts';
import { ALL, HALF, LASTING_MS, REPORTED_MS, SilentFleet } from './stage/silent-fleet.ts';

const place = new Place();
let fleet: SilentFleet;

/** Ends the owner that judges; gives its name, and what starts it again. */
async function killedJudge(): Promise<{ readonly name: string; readonly start: () => Promise<void> }> {
  const { replicas } = fleet.stage;
  const { name, process } = replicaOf(replicas, await fleet.judge());
  await process.kill();
  return {
    name,
    start: async () => {
      await process.start();
      expect(await shared(replicas, COUNT)).toBe(true);
    },
  };
}

/** Hosts that the tallies of all shards call silent. */
async function silent(): Promise<number> {
  const [row] = await fleet.stage.replicas.rows<{ n: string }>(
    "SELECT sum((body::jsonb->>'silent')::int) AS n FROM silence",
  );
  return Number(row?.n);
}

beforeAll(async () => {
  ({ fleet } = await SilentFleet.start(place));
}, 600_000);
afterAll(() => place.close());

describe('hosts of three owners that fall silent at once, while the owner that judges is killed', {
  timeout: 600_000,
}, () => {
  it('before it judges: its successor judges, and no host is blamed meanwhile', async () => {
    const since = await fleet.newestNote();
    for (const wire of fleet.stage.hosts) wire.cut();
    // They have missed heartbeats, and none of them is suspect yet.
    expect(await until(async () => (await silent()) >= HALF, REPORTED_MS)).toBe(true);
    expect(await fleet.isReported()).toBe(false);
    const killed = await killedJudge();
    expect(await fleet.reported()).toBe(true);
    expect(await until(async () => (await fleet.hostsThat('suspect')) === ALL, REPORTED_MS)).toBe(true);
    await pause(LASTING_MS);
    await fleet.expectIncidents(1, true);
    expect((await fleet.judgement(since)).judges).not.toContain(killed.name);
    for (const wire of fleet.stage.hosts) wire.join();
    await fleet.expectWell(1);
    await killed.start();
  });

  it('behind its judgement: its successor goes on with the same alarm, and ends it', async () => {
    const since = await fleet.newestNote();
    for (const wire of fleet.stage.hosts) wire.cut();
    expect(await fleet.reported()).toBe(true);
    const killed = await killedJudge();
    // The successor has judged by what it and others see of the hosts of the one that was killed.
    const isContinued = async () =>
      (await fleet.judgement(since)).judges.some((name) => name !== killed.name) &&
      (await fleet.hostsThat('suspect')) === ALL;
    expect(await until(isContinued, REPORTED_MS)).toBe(true);
    await pause(LASTING_MS);
    await fleet.expectIncidents(2, true);
    for (const wire of fleet.stage.hosts) wire.join();
    await fleet.expectWell(2);
    await killed.start();
    expect(await fleet.stage.replicas.figure('carillon_false_offline_total')).toBe(0);
  });
});
