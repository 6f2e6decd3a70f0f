import { describe, expect, it } from 'vitest';
import {
  auditAfter,
  listAlarms,
  listOperations,
  readHost,
  type Store,
  siteEvents,
} from '#cloud/store/index.ts';
import { twinLife } from '#shared/contract/feed/index.ts';
import { dialects, openTestDatabase } from '../store/database.ts';
import { World } from './simulation.ts';

/** More on demand: `SEEDS=500`. */
const SEEDS = { sqlite: Number(process.env.SEEDS ?? 30), pg: Number(process.env.SEEDS ?? 2) };
const ROUNDS = 25;

/** Moves of a host that no order and no accident may make different. */
const MOVES: ReadonlySet<string> = new Set([
  'commissioning active',
  'active draining',
  'draining drained',
  'draining active',
  'drained active',
  'draining decommissioning',
  'active decommissioning',
  'drained decommissioning',
  'decommissioning decommissioned',
  'commissioning decommissioned',
  'quarantined decommissioning',
  ...['commissioning', 'active', 'draining', 'drained', 'decommissioning'].map(
    (life) => `${life} quarantined`,
  ),
]);

/** Something that a person, or the world, does. */
async function happen(world: World): Promise<void> {
  const host = world.pick(world.hosts);
  const name = { siteId: 'north', hostId: host.hostId };
  const call = world.call();
  switch (world.pick(['drain', 'drain', 'commission', 'remove', 'lock', 'cut', 'crash', 'restart', 'wait'])) {
    case 'drain':
      await world.life.drain(call, name, {
        ...(world.chance(0.5) ? { deadline: 60 } : {}),
        ...(world.chance(0.3) ? { doNotReschedule: true, force: true } : {}),
      });
      return;
    case 'commission':
      await world.life.commission(call, name, {});
      return;
    case 'remove':
      if (world.chance(0.3))
        await world.life.remove(call, name, { force: world.chance(0.5), reason: 'test' });
      return;
    case 'lock':
      if (world.chance(0.2)) await world.life.quarantine(call, name);
      return;
    case 'cut':
      host.reached = !host.reached;
      return;
    case 'crash':
      world.crash(host);
      return;
    case 'restart':
      await world.restart();
      return;
    default:
      await world.pass(60);
  }
}

async function check(world: World, store: Store): Promise<void> {
  const operations = await listOperations(store, world.tenant, '', 1_000);
  for (const { place } of world.hosts) {
    const open = operations.filter(({ uid, endedAt }) => uid === place.uid && endedAt === null);
    expect(open.length, 'one operation of a host at a time').toBeLessThanOrEqual(1);
  }
  for (const { id, type, state } of operations)
    if (type === 'drain' && state === 'done')
      expect(world.drained.has(id), 'nothing counts as drained that the host has not said').toBe(true);
  const open = (await listAlarms(store, world.tenant, ['active', 'acknowledged'], '', 1_000)).map(
    ({ uid, error, service }) => `${uid} ${error} ${service}`,
  );
  expect(new Set(open).size, 'one alarm per host, error and service').toBe(open.length);
}

async function checkAtLast(world: World, store: Store): Promise<void> {
  await check(world, store);
  const moves = (await auditAfter(store, world.tenant, 0, 10_000)).flatMap(({ detail }) => {
    const { before, after } = detail as { before?: unknown; after?: unknown };
    return typeof before === 'string' && typeof after === 'string' ? [`${before} ${after}`] : [];
  });
  for (const move of moves) expect(MOVES.has(move), move).toBe(true);
  for (const host of world.hosts) {
    const row = await readHost(store, host.place.uid);
    if (row === undefined) throw new Error('a row is never removed');
    const stored = await siteEvents(store, host.place.uid, 'svc', 0, 10_000);
    const ids = new Set(stored.map(({ id }) => id));
    for (const { id } of host.journal)
      if (world.acknowledged.has(id)) expect(ids.has(id), 'what was acknowledged is there').toBe(true);
    expect(stored.length, 'and once').toBe(ids.size);
    if (row.lifecycle === 'decommissioned') continue;
    expect(['active', 'drained', 'quarantined'], 'nothing hangs in between').toContain(row.lifecycle);
    expect(host.twin?.life, 'a host follows the last word').toBe(twinLife(row.lifecycle as 'active'));
    const last = (await listOperations(store, world.tenant, '', 1_000)).find(
      ({ uid }) => uid === host.place.uid,
    );
    if (last !== undefined) expect(['done', 'failed'], `${last.type} has ended`).toContain(last.state);
  }
}

describe.each(dialects)('hosts and the control plane over a bad network, on %s', (dialect) => {
  it(`come to one mind, ${SEEDS[dialect]} seeds`, { timeout: 600_000 }, async () => {
    const { store, close } = await openTestDatabase(dialect);
    for (let seed = 1; seed <= SEEDS[dialect]; seed++) {
      const world = await World.open(store, seed);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          await happen(world);
          await world.pass(1 + Math.floor(world.pick([1, 5, 15])));
          await check(world, store);
        }
        world.calm();
        await world.pass(240);
        await checkAtLast(world, store);
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
    await close();
  });
});
