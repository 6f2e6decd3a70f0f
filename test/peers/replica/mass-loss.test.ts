import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SilenceTally } from '#cloud/store/index.ts';
import { Place } from '#test/bench/support/place.ts';
import { replicaOf, until } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { pause } from '#test/support/site.ts';
import { ALL, HALF, type Half, LASTING_MS, REPORTED_MS, SilentFleet } from './stage/silent-fleet.ts';

/** The judgement looks at rows once a second; so late may it be at most. */
const JUDGED_MS = 5_000;

const place = new Place();
let fleet: SilentFleet;
let first: Half;

beforeAll(async () => {
  ({ fleet, first } = await SilentFleet.start(place));
}, 600_000);
afterAll(() => place.close());

describe('hosts of three owners that fall silent at once', { timeout: 600_000 }, () => {
  it('half of them vanish: one owner judges once, from rows and within 5 s, and one alarm reports it', async () => {
    const { replicas } = fleet.stage;
    const since = await fleet.newestNote();
    const at = await fleet.judge();
    process.kill(first.pid, 'SIGKILL');
    expect(await fleet.reported()).toBe(true);
    expect(await until(async () => (await fleet.hostsThat('suspect')) === HALF, REPORTED_MS)).toBe(true);
    await pause(LASTING_MS);
    await fleet.expectIncidents(1, true);
    const { lateMs, judges } = await fleet.judgement(since);
    expect(judges).toEqual([replicaOf(replicas, at).name]);
    expect(lateMs).toBeLessThan(JUDGED_MS);
    // All owners had hosts of it.
    const writers = new Set(
      (await fleet.notedSince(since)).flatMap(({ sh, writer, body }) =>
        sh !== null && (JSON.parse(body) as SilenceTally).silent > 0 ? [writer] : [],
      ),
    );
    expect(writers.size).toBe(COUNT);

    await fleet.startHalf('a');
    await fleet.expectWell(1);
  });

  it('the brokers are parted from all of them: the fault is reported as ours, at every replica, and no host is blamed', async () => {
    const { replicas, hosts } = fleet.stage;
    for (const wire of hosts) wire.cut();
    expect(await fleet.reported()).toBe(true);
    expect(await until(async () => (await fleet.hostsThat('suspect')) === ALL, REPORTED_MS)).toBe(true);
    const degraded = async (n: number): Promise<boolean> => {
      const { alarms } = (await replicas.ask(
        replicaOf(replicas, n),
        'GET',
        '/platform/alarm',
      )) as unknown as { alarms: { error: string; status: string }[] };
      return alarms.some(({ error, status }) => error === 'controlPlaneDegraded' && status === 'active');
    };
    for (const n of [0, 1, 2]) expect(await until(() => degraded(n), REPORTED_MS)).toBe(true);
    await pause(LASTING_MS);
    await fleet.expectIncidents(2, true);
    for (const wire of hosts) wire.join();
    await fleet.expectWell(2);
    for (const n of [0, 1, 2]) expect(await until(async () => !(await degraded(n)), REPORTED_MS)).toBe(true);
  });
});
