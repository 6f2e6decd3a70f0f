import { afterEach, expect, it } from 'vitest';
import { longestWaitMs } from '#shared/contract/feed/index.ts';
import { Place } from '#test/bench/support/place.ts';
import { shared, until } from '#test/campaign/replica/control-plane-look.ts';
import { COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { forgetting } from '#test/campaign/replica/forgetting.ts';
import { pause } from '#test/support/site.ts';
import { ALL, JUDGES_FROM_MS, REPORTED_MS, SilentFleet } from './stage/silent-fleet.ts';

/*
 * Two troubles, and every owner was started again between them:
 *
 *     cut ── reported ── joined ── over ── each owner killed and started ── 90 s ── cut ── reported ── twelve end, joined ── over
 *      └─────────────────────────── more than 180 s: a host may wait for a minute ──────────────────────────────────────────┘
 *
 * The twelve stand for hosts whose next try is not due: from outside nothing tells one from the other. An owner that knows the second
 * trouble alone calls them silent 45 s behind its end.
 */

/** So few that the rest of the fleet ends the trouble without them. */
const DEAD = 12;
/** From then on hosts wait for a minute; the second trouble is shorter. */
const SHORT_MS = 180_000;
/** The wait of a minute and 3 T, but for the time that looking takes here. */
const SPARED_MS = 88_000;
/** However long both troubles took together. */
const CALLED_MS = longestWaitMs(Number.POSITIVE_INFINITY) + SPARED_MS;

let place = new Place();
afterEach(async () => {
  await place.close();
  place = new Place();
});

/** The fleet at the end of the second trouble: whether a host is called silent while it may still wait. */
async function livedTwice(flags: readonly string[]) {
  const { fleet } = await SilentFleet.start(place, flags);
  const { replicas, hosts: wires } = fleet.stage;
  const last = await fleet.startHosts('c', DEAD);
  const areThere = async () => (await fleet.hostsThat('online')) === ALL + DEAD;
  const isOver = async () => !(await fleet.isReported());
  const cut = async (): Promise<number> => {
    const cutMs = performance.now();
    for (const wire of wires) wire.cut();
    expect(await fleet.reported()).toBe(true);
    return cutMs;
  };
  const join = () => {
    for (const wire of wires) wire.join();
  };

  const firstMs = await cut();
  join();
  expect(await until(async () => (await isOver()) && (await areThere()), REPORTED_MS)).toBe(true);
  for (const owner of replicas.all) {
    await owner.process.kill();
    await owner.process.start();
    expect(await shared(replicas, COUNT)).toBe(true);
  }
  // An owner that has just started blames no host, and hosts must have a reason to wait for a minute.
  await pause(Math.max(JUDGES_FROM_MS, firstMs + SHORT_MS - performance.now()));
  expect(await until(areThere, REPORTED_MS)).toBe(true);

  const secondMs = await cut();
  process.kill(last.pid, 'SIGKILL');
  join();
  expect(await until(isOver, REPORTED_MS)).toBe(true);
  const overMs = performance.now();
  expect(overMs - secondMs).toBeLessThan(SHORT_MS);
  expect(overMs - firstMs).toBeGreaterThan(SHORT_MS);
  const isBlamed = await until(async () => (await fleet.blamed()).length > 0, SPARED_MS);
  process.stdout.write(
    `over ${seconds(overMs - secondMs)} behind the second cut, ${seconds(overMs - firstMs)} behind the first; ` +
      `${isBlamed ? 'a host' : 'no host'} is called silent ${seconds(performance.now() - overMs)} behind it\n`,
  );
  return { fleet, isBlamed };
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(0)} s`;

it('as they are: no host is called silent while it may still wait, and those that ended are behind that', {
  timeout: 1_500_000,
}, async () => {
  const { fleet, isBlamed } = await livedTwice([]);
  expect(isBlamed).toBe(false);
  // Their sites were silent as a whole, of which there is one alarm each.
  expect(await until(async () => (await fleet.hostsThat('offline')) === DEAD, CALLED_MS)).toBe(true);
  expect(await fleet.hostsThat('online')).toBe(ALL);
});

it('with judgements that do not keep begin and end of a trouble: hosts are called silent that may still wait', {
  timeout: 1_500_000,
}, async () => {
  const { isBlamed } = await livedTwice(forgetting);
  expect(isBlamed).toBe(true);
});
