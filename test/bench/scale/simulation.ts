import { hash } from 'node:crypto';
import { mostShards, shardOwners } from '#cloud/shard/index.ts';
import { SHARDS, shardOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { seeded } from '#test/campaign/campaign.ts';
import type { Assumptions } from './assumptions.ts';
import type { Costs } from './costs.ts';

const DAY_S = 86_400;
/** A host looks for its configuration, and its row is written, so often. */
const PULL_S = 300;
/** Bytes on the wire (control plane, section 10). */
const [HEARTBEAT_BYTES, PULL_BYTES, EVENT_BYTES] = [570, 4_000, 1_200];
/** Rows of a loss: two transitions of the host, and a row for each in its history. */
const LOSS_ROWS = 4;
/** Rows of an event: itself, the cursor of its lane, the announcement to other replicas. */
const EVENT_ROWS = 3;
/** Each replica renews its row and the leases of its shards each 2 s. */
const BEAT_S = 2;
/** Two copies at least: one is being upgraded, the other one works. */
const LEAST_REPLICAS = 2;
const GB = 1e9;

/** A fleet over one day. */
export interface Simulated {
  readonly hosts: number;
  /** Replicas: as many as are needed when one of them is lost. */
  readonly replicas: number;
  readonly shardHosts: { readonly least: number; readonly most: number };
  /** The largest replica when one is lost, in the busiest second. */
  readonly largest: { readonly hosts: number; readonly corePercent: number; readonly memoryMb: number };
  readonly heartbeatsPerS: { readonly mean: number; readonly peak: number };
  readonly brokerMessagesPerS: number;
  readonly brokers: number;
  readonly requestsPerS: number;
  readonly mbitPerS: number;
  readonly rowsPerS: { readonly mean: number; readonly peak: number };
  readonly logMbPerS: number;
  readonly storedGbPerDay: number;
  readonly keptGb: number;
  readonly cores: { readonly replicas: number; readonly brokers: number; readonly database: number };
  readonly memoryGb: { readonly replicas: number; readonly brokers: number; readonly database: number };
  readonly money: Readonly<Record<'cores' | 'memory' | 'disk' | 'traffic' | 'requests' | 'all', number>>;
}

/** Hosts of each shard by the second of the interval in which they speak. */
interface Fleet {
  readonly shards: ReadonlyMap<string, { readonly hosts: number; readonly beats: Uint32Array }>;
}

const sha256 = (text: string): string => hash('sha256', text, 'hex');

/** The identities of a fleet, as the platform makes them, in their shards and phases. */
function fleetOf(hosts: number, heartbeatS: number): Fleet {
  const chance = seeded(1);
  const bytes = new Uint8Array(12);
  const random = new DataView(bytes.buffer);
  const shards = new Map(SHARDS.map((sh) => [sh, { hosts: 0, beats: new Uint32Array(heartbeatS) }]));
  for (let n = 0; n < hosts; n++) {
    for (let word = 0; word < 3; word++) random.setUint32(4 * word, Math.floor(2 ** 32 * chance()));
    const uid = ulid(n, bytes);
    const digest = sha256(uid);
    const shard = shards.get(shardOf(uid, () => digest));
    if (shard === undefined) throw new Error('every host has a shard');
    shard.hosts += 1;
    const second = Number.parseInt(digest.slice(-8), 16) % heartbeatS;
    shard.beats[second] = (shard.beats[second] ?? 0) + 1;
  }
  return { shards };
}

/** The largest of so many replicas: its hosts, and what it needs in its busiest second. */
function largestOf(fleet: Fleet, replicas: number, costs: Costs, assumed: Assumptions) {
  const names = Array.from({ length: replicas }, (_, n) => `replica-${n}`);
  const owners = shardOwners(SHARDS, names, sha256);
  return names
    .map((name) => {
      const own = [...fleet.shards].filter(([sh]) => owners.get(sh) === name).map(([, shard]) => shard);
      if (own.length > mostShards(SHARDS.length, replicas)) throw new Error(`${name} has too many shards`);
      const hosts = own.reduce((sum, shard) => sum + shard.hosts, 0);
      const peak = peakOf(own, assumed.heartbeatS);
      return {
        hosts,
        corePercent: loadMs(hosts, peak, costs, assumed) / 10,
        memoryMb: costs.idleMb + (hosts * costs.hostKb) / 1_024,
      };
    })
    .reduce((a, b) => (b.corePercent > a.corePercent ? b : a));
}

/** Heartbeats in the busiest second. */
const peakOf = (shards: readonly { readonly beats: Uint32Array }[], heartbeatS: number): number =>
  Math.max(
    ...Array.from({ length: heartbeatS }, (_, second) =>
      shards.reduce((sum, { beats }) => sum + (beats[second] ?? 0), 0),
    ),
  );

/** Processor time of a replica in a second, ms, at the busiest hour of events. */
function loadMs(hosts: number, beats: number, costs: Costs, assumed: Assumptions): number {
  const pulls = Math.max(0, hosts / PULL_S - beats / 30);
  const events = (hosts * assumed.eventsPerDay * assumed.eventPeak) / DAY_S;
  return (
    costs.idleMsPerS + (beats * costs.heartbeatUs + pulls * assumed.pullUs + events * assumed.eventUs) / 1_000
  );
}

/** Rows written in each second of a day: of hosts shard by shard, losses and events with their busiest hour, leases. */
function writes(fleet: Fleet, replicas: number, assumed: Assumptions) {
  const shards = [...fleet.shards.values()];
  const hosts = shards.reduce((sum, shard) => sum + shard.hosts, 0);
  const lossRows = (hosts * assumed.lossesPerDay * LOSS_ROWS) / DAY_S;
  const eventRows = (hosts * assumed.eventsPerDay * EVENT_ROWS) / DAY_S;
  const leaseRows = (SHARDS.length + replicas) / BEAT_S;
  const slotOf = (second: number): number => Math.floor(((second % PULL_S) * SHARDS.length) / PULL_S);
  const seconds = new Uint32Array(SHARDS.length);
  for (let second = 0; second < PULL_S; second++)
    seconds[slotOf(second)] = (seconds[slotOf(second)] ?? 0) + 1;
  let [sum, peak] = [0, 0];
  for (let second = 0; second < DAY_S; second++) {
    // The write of a shard begins when its slot does, and takes no longer than that.
    const slot = slotOf(second);
    const hostRows = (shards[slot]?.hosts ?? 0) / (seconds[slot] ?? 1);
    const isBusiest = Math.floor(second / 3_600) === 0;
    // The day has as many events as it has: the other hours share the rest.
    const others = (24 - assumed.eventPeak) / 23;
    const rows = hostRows + lossRows + leaseRows + eventRows * (isBusiest ? assumed.eventPeak : others);
    sum += rows;
    peak = Math.max(peak, rows);
  }
  return { mean: sum / DAY_S, peak };
}

/** The fleet of so many hosts, from the costs and assumptions given. */
export function simulated(hosts: number, costs: Costs, assumed: Assumptions): Simulated {
  const fleet = fleetOf(hosts, assumed.heartbeatS);
  const shards = [...fleet.shards.values()];
  let left = LEAST_REPLICAS - 1;
  while (left < SHARDS.length && largestOf(fleet, left, costs, assumed).corePercent > assumed.coreShare)
    left++;
  const replicas = left + 1;
  const largest = largestOf(fleet, left, costs, assumed);
  const beats = hosts / assumed.heartbeatS;
  const pulls = hosts / PULL_S;
  const events = (hosts * assumed.eventsPerDay) / DAY_S;
  const rows = writes(fleet, replicas, assumed);
  const brokers = Math.max(2, Math.ceil(hosts / assumed.connectionsPerBroker) + 1);
  const messages = 2 * (beats + 2 * events);
  const databaseMs = replicas * costs.idleDatabaseMsPerS + (rows.peak * costs.rowUs) / 1_000;
  const cores = {
    replicas,
    brokers: Math.max(brokers, Math.ceil((beats * costs.brokerUs) / 1e6 / 0.5)),
    database: Math.max(2, Math.ceil(databaseMs / 1_000 / 0.5)),
  };
  const storedGbPerDay = (events * DAY_S * costs.eventBytes) / GB;
  const keptGb = storedGbPerDay * assumed.keptDays + (hosts * costs.hostBytes) / GB;
  const memoryGb = {
    replicas: (replicas * largest.memoryMb) / 1_000,
    brokers: (hosts * assumed.brokerKb) / 1e6,
    database: Math.max(2, (4 * hosts * costs.hostBytes) / GB),
  };
  const bytesPerS = beats * HEARTBEAT_BYTES + pulls * PULL_BYTES + events * EVENT_BYTES;
  const monthS = 30 * DAY_S;
  const sum = (each: Readonly<Record<string, number>>) => Object.values(each).reduce((a, b) => a + b, 0);
  const money = {
    cores: sum(cores) * assumed.corePrice,
    memory: sum(memoryGb) * assumed.memoryPrice,
    // Twice: the database and its standby.
    disk: 2 * keptGb * assumed.diskPrice,
    traffic: ((bytesPerS * monthS) / GB) * assumed.trafficPrice,
    requests: ((pulls * monthS) / 1e6) * assumed.requestPrice,
  };
  return {
    ...{ hosts, replicas, largest, brokers, storedGbPerDay, keptGb, cores, memoryGb },
    shardHosts: {
      least: Math.min(...shards.map((shard) => shard.hosts)),
      most: Math.max(...shards.map((shard) => shard.hosts)),
    },
    heartbeatsPerS: { mean: beats, peak: peakOf(shards, assumed.heartbeatS) },
    brokerMessagesPerS: messages,
    requestsPerS: pulls,
    mbitPerS: (8 * bytesPerS) / 1e6,
    rowsPerS: rows,
    logMbPerS: (rows.mean * costs.rowLogBytes) / 1e6,
    money: { ...money, all: sum(money) },
  };
}
