import { inPlace, type Place } from '#test/bench/support/place.ts';
import type { Replica, Replicas } from '#test/peers/cloud/replicas.ts';
import { pause } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, type Run, seeded } from '../campaign.ts';
import { type ArrivedDelivery, judgeControlPlane } from './control-plane-history.ts';
import {
  replicaOf,
  rowsOf,
  settledAlarms,
  shared,
  twinNumbers,
  until,
  WHOLE_WITHIN_MS,
} from './control-plane-look.ts';
import {
  BROKERS,
  CHANGE_WITHIN_MS,
  COUNT,
  lastChange,
  MANY_HOSTS,
  type Stage,
  startChanges,
  startEndpoint,
  started,
  startHosts,
} from './control-plane-stage.ts';

/** Longer than a lease of 10 s. */
const [PARTED_MS, BROKER_MS] = [13_000, 6_000];
/** Until the hosts of a broker that no replica reaches use the other one. */
const MOVE_MS = 120_000;
/** In a long run each fault lasts longer, more than two keepalives of MQTT; a shorter one has each fault once, in less than ten minutes. */
const [LONG, LONG_MINUTES] = [3, 10];

/** Several control planes on one database, which lose each other, the database, the broker and their time. */
export const controlPlane: Campaign = {
  summary:
    'three control planes, two with a wrong clock: kill -9, hung, parted from database and brokers, brokers and database away',
  run: async (setting) => [await inPlace((place) => story(place, setting))],
};

type Fault = (stage: Stage, victim: number, scale: number) => Promise<void>;

/** It reaches its hosts, and thinks that it owns them until its lease has run out. */
export const partedFromDatabase = async (
  { databases }: Stage,
  victim: number,
  scale: number,
): Promise<void> => {
  databases[victim]?.cut();
  await pause(PARTED_MS * scale);
  databases[victim]?.join();
};

const FAULTS: Readonly<Record<string, Fault>> = {
  'killed (kill -9)': async ({ replicas }, victim) => {
    const { process } = replicaOf(replicas, victim);
    await process.kill();
    await shared(replicas, COUNT - 1);
    await process.start();
  },
  'hung longer than its lease': async ({ replicas }, victim, scale) => {
    const { process } = replicaOf(replicas, victim);
    process.freeze();
    await pause(PARTED_MS * scale);
    process.thaw();
  },
  'parted from the database': partedFromDatabase,
  'a broker is away': async ({ brokers, hosts }, victim, scale) => {
    const wires = [...brokers.flat(), ...hosts].filter((_, n) => n % hosts.length === victim % hosts.length);
    for (const wire of wires) wire.down();
    await pause(BROKER_MS * scale);
    for (const wire of wires) wire.join();
  },
  'all brokers are away': async ({ brokers, hosts }, _, scale) => {
    const wires = [...brokers.flat(), ...hosts];
    for (const wire of wires) wire.down();
    await pause(BROKER_MS * scale);
    for (const wire of wires) wire.join();
  },
  'parted from a broker': async ({ replicas, brokers }, victim) => {
    const wire = brokers[victim]?.[victim % BROKERS];
    wire?.cut();
    // Its hosts at that broker are reached by another path: through the replicas that are not parted.
    if (!(await shared(replicas, COUNT - 1)))
      throw new Error('a replica that misses a broker kept its shards');
    wire?.join();
  },
  'a broker is parted from every replica': async ({ brokers }, victim) => {
    const wires = brokers.flatMap((of) => of[victim % BROKERS] ?? []);
    for (const wire of wires) wire.cut();
    await pause(MOVE_MS);
    for (const wire of wires) wire.join();
  },
  'the database is started again': async ({ replicas }) => {
    await replicas.server.restart();
  },
};

/**
 * So many that each replica observes some: of nine, none was in the shards of one replica in every thirteenth run. Fewer than the twenty
 * whose silence at once is a mass loss.
 */
const FEW_HOSTS = 18;
/** In the size of a change: those that no other test of several replicas brings (`replicas` and `partition` in `test/peers`). */
const SHORT = ['parted from the database', 'all brokers are away', 'the database is started again'];

async function story(place: Place, setting: CampaignSetting): Promise<Run> {
  const { minutes, seed, say } = setting;
  const chance = seeded(seed);
  const hosts = minutes === undefined ? FEW_HOSTS : MANY_HOSTS;
  const stage = await started(place);
  const { replicas } = stage;
  const arrived: ArrivedDelivery[] = [];
  await startEndpoint(place, replicas, (delivery) => arrived.push(delivery));
  const beganMs = performance.now();
  const swarm = await startHosts(place, replicas, hosts);
  say(`${hosts} hosts are there after ${((performance.now() - beganMs) / 1_000).toFixed(0)} s`);
  const changes = startChanges(replicas, chance);
  let faults = 0;
  const names = minutes === undefined ? SHORT : Object.keys(FAULTS);
  const untilMs = performance.now() + (minutes ?? 0) * 60_000;
  const isOver = (): boolean => faults >= names.length && performance.now() >= untilMs;
  while (!isOver())
    for (const name of shuffled(names, chance)) {
      if (isOver()) break;
      const victim = Math.floor(chance() * COUNT);
      say(`${new Date().toISOString().slice(11, 19)} ${name} (replica ${victim})`);
      await FAULTS[name]?.(stage, victim, (minutes ?? 0) < LONG_MINUTES ? 1 : LONG);
      await whole(replicas, setting);
      faults += 1;
    }
  const accepted = await changes.end();
  const last = await lastChange(replicas, hosts);
  const settled = await settledAlarms(replicas, async () => (await swarm.ask(null))?.waiting ?? hosts);
  const { figures, violations } = judgeControlPlane({
    ...(await rowsOf(replicas)),
    ...settled,
    ...{ twins: twinNumbers(replicas), arrived, accepted, lastChange: last, faults },
  });
  return { name: 'three replicas', figures, violations };
}

/** Every shard has an owner among so many, and every replica says that it is ready. */
async function whole(replicas: Replicas, { say }: CampaignSetting): Promise<void> {
  const isReady = async ({ api }: Replica): Promise<boolean> =>
    (await fetch(`${api}/readyz`, { signal: AbortSignal.timeout(CHANGE_WITHIN_MS) })).status === 200;
  const areReady = async () =>
    (await Promise.all(replicas.all.map((each) => isReady(each).catch(() => false)))).every((is) => is);
  const beganMs = performance.now();
  const isWhole = (await shared(replicas, COUNT)) && (await until(areReady, WHOLE_WITHIN_MS));
  if (!isWhole) throw new Error(`the replicas were not whole again within ${WHOLE_WITHIN_MS / 1_000} s`);
  say(`  whole again ${((performance.now() - beganMs) / 1_000).toFixed(1)} s after its end`);
}

/** Fisher and Yates, with the chance of the seed. */
function shuffled(names: readonly string[], chance: () => number): string[] {
  const left = [...names];
  return names.map(() => left.splice(Math.floor(chance() * left.length), 1)[0] ?? '');
}
