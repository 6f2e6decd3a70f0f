import { inPlace, type Place } from '#test/bench/support/place.ts';
import type { Replica, Replicas } from '#test/peers/cloud/replicas.ts';
import { pause } from '#test/support/site.ts';
import { type Campaign, type CampaignSetting, type Run, seeded } from '../campaign.ts';
import { type ArrivedDelivery, judgeControlPlane } from './control-plane-history.ts';
import {
  replicaOf,
  rowsOf,
  shared,
  toldAlarms,
  twinNumbers,
  until,
  WHOLE_WITHIN_MS,
  waiting,
} from './control-plane-look.ts';
import {
  CHANGE_WITHIN_MS,
  COUNT,
  HOSTS,
  lastChange,
  type Stage,
  startChanges,
  startEndpoint,
  started,
  startHosts,
} from './control-plane-stage.ts';

/** Longer than a lease of 10 s. */
const [PARTED_MS, BROKER_MS] = [13_000, 6_000];
/** By hand each fault lasts longer: more than two keepalives of MQTT. */
const LONG = 3;

/** Several control planes on one database, which lose each other, the database, the broker and their time. */
export const controlPlane: Campaign = {
  summary:
    'three control planes, two with a wrong clock: kill -9, hung, parted from the database, broker and database away',
  run: async (setting) => [await inPlace((place) => story(place, setting))],
};

type Fault = (stage: Stage, victim: number, scale: number) => Promise<void>;

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
  'parted from the database': async ({ databases }, victim, scale) => {
    databases[victim]?.cut();
    await pause(PARTED_MS * scale);
    databases[victim]?.join();
  },
  'the broker is away': async ({ broker }, _, scale) => {
    broker.down();
    await pause(BROKER_MS * scale);
    broker.join();
  },
  'the database is started again': async ({ replicas }) => {
    await replicas.server.restart();
  },
};

/** In the size of a change: those that no other test of several replicas brings (`test/peers/cloud/replicas.test.ts`). */
const SHORT = ['parted from the database', 'the broker is away', 'the database is started again'];

async function story(place: Place, setting: CampaignSetting): Promise<Run> {
  const { minutes, seed, say } = setting;
  const chance = seeded(seed);
  const stage = await started(place);
  const { replicas } = stage;
  const arrived: ArrivedDelivery[] = [];
  await startEndpoint(place, replicas, (delivery) => arrived.push(delivery));
  const swarm = await startHosts(place, replicas);
  const changes = startChanges(replicas, chance);
  let faults = 0;
  const untilMs = performance.now() + (minutes ?? 0) * 60_000;
  do {
    for (const name of shuffled(minutes === undefined ? SHORT : Object.keys(FAULTS), chance)) {
      const victim = Math.floor(chance() * COUNT);
      say(`${name} (replica ${victim})`);
      await FAULTS[name]?.(stage, victim, minutes === undefined ? 1 : LONG);
      await whole(replicas, setting);
      faults += 1;
    }
  } while (performance.now() < untilMs);
  const accepted = await changes.end();
  const behind = await lastChange(replicas);
  const quiet = async () => (await swarm.ask(null))?.waiting === 0 && (await waiting(replicas)) === 0;
  await until(quiet, WHOLE_WITHIN_MS);
  const kept = (await swarm.ask(null))?.waiting ?? HOSTS;
  const { figures, violations } = judgeControlPlane({
    ...(await rowsOf(replicas)),
    ...{ told: toldAlarms(replicas), twins: twinNumbers(replicas), undelivered: await waiting(replicas) },
    ...{ arrived, accepted, behind, kept, faults },
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
