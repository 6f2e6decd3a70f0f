import { readFileSync } from 'node:fs';
import { connectAsync } from 'mqtt';
import { ENGINE_FLAGS } from '#installer/io/engine-flag.ts';
import { HEARTBEAT_S, type Profile } from '#shared/contract/feed/index.ts';
import { type Replica, type Replicas, startReplicas } from '#test/peers/cloud/replicas.ts';
import { type Bench, type BenchContext, type BenchResult, type Figure, sleep } from '../support/bench.ts';
import { median, percentile, spreadOf } from '../support/figure.ts';
import { inPlace, type Place } from '../support/place.ts';
import { UNIT_ENVIRONMENT } from '../support/unit-environment.ts';
import {
  DOMAIN,
  isShared,
  pidOf,
  residentMb,
  SHARDS,
  type Spent,
  type Swarm,
  shares,
  spent,
  startFleet,
  startSwarm,
  together,
  until,
  watched,
} from './fleet.ts';

/** Row 15 with several replicas on PostgreSQL and Mosquitto: cost, memory, changes over owners, take-over of a killed one. */
export const hostsReplicas: Bench = { row: 15, name: 'hosts-replicas', run };

const REPLICAS = 3;
const SMALL = 'small.test';
/** Fewer than five, so that a change waits for no spread. */
const SMALL_HOSTS = 4;
/** Ten thousand enrol in a quarter of an hour on two slow cores, and connect in half an hour. */
const ENROLMENT_MS = 5_400_000;
const SETTLED_MS = 300_000;
/** A change that takes longer than wanted is a figure, and no failure. */
const APPLIED_MS = 180_000;
const CALM_MS = 1_800_000;
const CALM_LOOK_MS = 20_000;
/**
 * The program of a replica that begins, or takes hosts, costs more for minutes: its code is compiled where it runs often, its heap is
 * collected, and twins are compared. The windows, also those of a replica without hosts, begin when it is older, and go on until the last
 * ones cost no less than those before them, or so many are over.
 */
const STEADY_RATIO = 0.95;
const MOST_WINDOWS = 24;
const MINUTE_MS = 60_000;
/** Three replicas without hosts commit 20 transactions a second, with ten thousand 60. */
const CALM_COMMITS_PER_S = 100;
/** The figures of thousands of hosts are a page of megabytes. */
const LOOK_MS = 3_000;
/** Three heartbeats behind a new connection to the broker, three more and 5 s, two pings; one more heartbeat for a slow machine. */
const condemnedMs = (profile: Profile): number => 30_000 + 7 * HEARTBEAT_S[profile] * 1_000;

interface Size {
  readonly hosts: number;
  readonly windows: number;
  readonly windowMs: number;
  readonly idleMs: number;
  readonly changes: number;
  readonly profile: Profile;
  /**
   * Age of the newest replica before its windows, and time behind the enrolment of all hosts: two collections of the whole heap, five
   * minutes apart, are over then, and twins are compared.
   */
  readonly agedMs: number;
}
/** Hosts of the usual profile of a site: two slow cores serve their heartbeats, and time is left. */
const FULL: Size = {
  ...{ hosts: 10_000, profile: 'standard', changes: 100 },
  ...{ windows: 5, windowMs: 30_000, idleMs: 30_000, agedMs: 660_000 },
};
const QUICK: Size = {
  ...{ hosts: 120, profile: 'high', changes: 10 },
  ...{ windows: 3, windowMs: 10_000, idleMs: 10_000, agedMs: 15_000 },
};

/** Costs with so many replicas, each the median of its windows. */
interface Cost {
  readonly among: number;
  /** Processor time of all replicas for a heartbeat, µs: with their idle work, and without. */
  readonly grossUs: readonly number[];
  readonly netUs: readonly number[];
  readonly databaseUs: number;
  readonly brokerUs: number;
  readonly rowsPerS: number;
  readonly hostRowsPerS: number;
  readonly commitsPerS: number;
  readonly walPerS: number;
  readonly beatsPerS: number;
  /** Resident memory of the largest replica, in all looks, MB. */
  readonly memoryMb: number;
  /** Most shards of one owner, in all looks. */
  readonly mostShards: number;
}

async function run({ quick, say, onPrepared }: BenchContext): Promise<BenchResult> {
  const size = quick ? QUICK : FULL;
  return await inPlace(async (place) => {
    const replicas = await startReplicas(place, REPLICAS, {
      ...{ started: 1, flags: ENGINE_FLAGS, synced: true, topics: 'carillon/1/+/+/+/+/none' },
      environmentOf: () => ({ ...UNIT_ENVIRONMENT, CARILLON_LOG: 'warn' }),
    });
    const [first] = replicas.all;
    if (first === undefined) throw new Error('no replica was started');
    const idle = await idleWork(replicas, size);
    say(`idle: replica ${idle.perMs.toFixed(2)} ms/s and ${idle.memoryMb.toFixed(0)} MB`);
    for (const domain of [DOMAIN, SMALL]) await replicas.ask(first, 'POST', '/platform/tenant', { domain });
    const emptyBytes = await databaseBytes(replicas);
    const swarms = await enrolled(place, first, replicas, size, say);
    onPrepared();
    const hostBytes = ((await databaseBytes(replicas)) - emptyBytes) / size.hosts;

    const costs: Cost[] = [];
    const texts: string[] = [];
    for (let among = 1; among <= REPLICAS; among++) {
      const running = replicas.all.slice(0, among);
      const joining = running.at(-1);
      if (among > 1) await joining?.process.start({}, SETTLED_MS);
      const joinedMs = performance.now();
      await settled(replicas, running, size.hosts);
      const youngMb = await aged(running, joinedMs, size);
      const cost = await measured(replicas, running, swarms, size, idle.perMs);
      costs.push(cost);
      const text = `${among} replicas: ${costText(cost)}, ${youngMb.toFixed(0)} MB in the minutes before`;
      texts.push(text);
      say(text);
    }
    // Their events, one a second each, would be counted to the heartbeats before.
    await startSmall(place, first);
    await settled(replicas, replicas.all, size.hosts + SMALL_HOSTS);
    const changes = await changesOver(place, replicas, size.changes);
    say(`change at another replica: p50 ${changes.p50.toFixed(0)} ms, p99 ${changes.p99.toFixed(0)} ms`);
    const takeOver = await killed(replicas, size);
    say(`taken over in ${takeOver.seconds.toFixed(1)} s, ${takeOver.alarms} false alarms`);
    const eventBytes = await bytesOfEvent(replicas);
    return {
      figures: figuresOf({ costs, changes, takeOver, hosts: size.hosts }),
      notes: [
        `${size.hosts} hosts with the client of the product, one heartbeat each ${HEARTBEAT_S[size.profile]} s, in ${swarms.length} processes; ${size.windows} windows of ${size.windowMs / 1_000} s with each number of replicas when their cost falls no more, median`,
        `windows begin ${size.agedMs / MINUTE_MS} min behind the start of the newest replica, or the enrolment of all hosts: a young one costs more for minutes`,
        'carillon cloud as processes of their own with the flags of the binary, PostgreSQL 15 that waits for the disk, Mosquitto with TLS and client certificates, all on loopback',
        `an idle replica takes ${idle.perMs.toFixed(2)} ms of processor time a second and ${idle.memoryMb.toFixed(0)} MB; its time is not counted to heartbeats`,
        ...texts,
        `for the model of docs/scale.md: ${JSON.stringify({ ...modelOf(costs, idle, size.hosts), hostBytes, eventBytes })}`,
        `${changes.count} applications of ${size.changes} changes at hosts of other owners than the replica that took them`,
        'a false alarm after the kill misses the gate; it was looked for until every host could have been called offline',
      ],
    };
  });
}

/**
 * As old as all that is compared, so that no young program is compared with an older one.
 *
 * @returns memory of the largest replica meanwhile, MB
 */
async function aged(
  running: readonly Replica[],
  sinceMs: number,
  { agedMs, windowMs }: Size,
): Promise<number> {
  let mostMb = 0;
  while (performance.now() < sinceMs + agedMs) {
    mostMb = Math.max(mostMb, largestMb(running));
    await sleep(Math.min(windowMs, Math.max(0, sinceMs + agedMs - performance.now())));
  }
  return mostMb;
}

const largestMb = (running: readonly Replica[]): number =>
  Math.max(...running.map((replica) => residentMb(pidOf(replica))));

/** Processor time of a replica without hosts, ms a second, and its memory. */
async function idleWork(replicas: Replicas, size: Size) {
  const { idleMs, windows } = size;
  const startedMs = performance.now();
  const running = replicas.all.slice(0, 1);
  await until(() => isShared(replicas, 1), SETTLED_MS, 'the only replica owns all shards');
  await aged(running, startedMs, size);
  const all: Span[] = [];
  const isOver = () =>
    isSteady(
      all.map((span) => perSecond(span, ({ replicasMs }) => replicasMs)),
      windows,
    );
  while (all.length < MOST_WINDOWS && !isOver()) {
    const from = await spent(replicas, running);
    await sleep(idleMs);
    all.push({ from, to: await spent(replicas, running) });
  }
  const perS = (of: (at: Spent) => number) => median(all.slice(-windows).map((span) => perSecond(span, of)));
  return {
    perMs: perS(({ replicasMs }) => replicasMs),
    databaseMs: perS(({ databaseMs }) => databaseMs),
    rows: perS(({ rows }) => rows),
    memoryMb: largestMb(running),
  };
}

async function enrolled(
  place: Place,
  { api }: Replica,
  replicas: Replicas,
  { hosts, profile }: Size,
  say: (text: string) => void,
): Promise<Swarm[]> {
  const beganMs = performance.now();
  const swarms = await startFleet(place, api, hosts, profile);
  const isThere = async () => (await together(swarms)).configured === hosts;
  await until(isThere, ENROLMENT_MS, 'all are configured');
  await until(
    async () => (await watched(replicas.all.slice(0, 1))).online === hosts,
    ENROLMENT_MS,
    'all are there',
    LOOK_MS,
  );
  say(`${hosts} hosts enrolled and there after ${((performance.now() - beganMs) / 1_000).toFixed(0)} s`);
  return swarms;
}

/** A tenant so small that a change waits for no spread; its hosts raise and clear alarms. */
async function startSmall(place: Place, { api }: Replica): Promise<void> {
  const size = { hosts: SMALL_HOSTS, sites: SMALL_HOSTS, alarms: 3_600 };
  const swarm = await startSwarm(place, {
    ...{ api, domain: SMALL, prefix: 'small', profile: 'high' },
    ...size,
  });
  await until(
    async () => (await together([swarm])).configured === SMALL_HOSTS,
    ENROLMENT_MS,
    'the hosts of the small tenant are configured',
  );
}

/** The shards are shared out, and every host is watched and there. */
async function settled(replicas: Replicas, running: readonly Replica[], hosts: number): Promise<void> {
  await until(() => isShared(replicas, running.length), SETTLED_MS, 'the shards are shared out');
  const isThere = async () => {
    const { all, online } = await watched(running);
    return all === hosts && online === hosts;
  };
  await until(isThere, SETTLED_MS, 'every host is watched by its owner', LOOK_MS);
  await until(() => isCalm(replicas), CALM_MS, 'the work behind enrolments and take-overs is over', 0);
}

/** Whether the database commits only what heartbeats, leases and rounds cost: a replica that takes shards compares the twin of each host. */
async function isCalm(replicas: Replicas): Promise<boolean> {
  const from = await spent(replicas, []);
  await sleep(CALM_LOOK_MS);
  const to = await spent(replicas, []);
  return perSecond({ from, to }, ({ commits }) => commits) < CALM_COMMITS_PER_S;
}

interface Span {
  readonly from: Spent;
  readonly to: Spent;
}

interface Window extends Span {
  readonly beats: number;
}

const perSecond = ({ from, to }: Span, of: (at: Spent) => number): number =>
  (1_000 * (of(to) - of(from))) / (to.atMs - from.atMs);

/** The last windows cost no less than as many before them. */
function isSteady(costs: readonly number[], windows: number): boolean {
  if (costs.length < 2 * windows) return false;
  return median(costs.slice(-windows)) >= STEADY_RATIO * median(costs.slice(-2 * windows, -windows));
}

async function measured(
  replicas: Replicas,
  running: readonly Replica[],
  swarms: readonly Swarm[],
  { windows, windowMs }: Size,
  idlePerMs: number,
): Promise<Cost> {
  await sleep(windowMs);
  const all: Window[] = [];
  let mostShards = 0;
  let memoryMb = 0;
  const cost = ({ from, to, beats }: Window) => (to.replicasMs - from.replicasMs) / beats;
  while (all.length < MOST_WINDOWS && !isSteady(all.map(cost), windows)) {
    const from = await spent(replicas, running);
    const beats = (await together(swarms)).beats;
    await sleep(windowMs);
    const to = await spent(replicas, running);
    all.push({ from, to, beats: Math.max(1, (await together(swarms)).beats - beats) });
    const owned = await shares(replicas);
    mostShards = Math.max(mostShards, ...owned);
    // Between two collections of the whole heap, five minutes apart, it grows by a seventh.
    memoryMb = Math.max(memoryMb, largestMb(running));
    if (mostShards > Math.ceil(SHARDS / running.length))
      throw new Error(`a replica of ${running.length} owns ${mostShards} shards`);
  }
  const each = all.slice(-windows);
  const perBeat = (of: (spent: Spent) => number) =>
    each.map(({ from, to, beats }) => (1_000 * (of(to) - of(from))) / beats);
  const perS = (of: (spent: Spent) => number) => median(each.map((window) => perSecond(window, of)));
  const idleMs = (at: Spent) => (at.atMs / 1_000) * idlePerMs * running.length;
  return {
    among: running.length,
    grossUs: perBeat(({ replicasMs }) => replicasMs),
    netUs: perBeat((at) => at.replicasMs - idleMs(at)),
    databaseUs: median(perBeat(({ databaseMs }) => databaseMs)),
    brokerUs: median(perBeat(({ brokerMs }) => brokerMs)),
    rowsPerS: perS(({ rows }) => rows),
    hostRowsPerS: perS(({ hostRows }) => hostRows),
    commitsPerS: perS(({ commits }) => commits),
    walPerS: perS(({ walBytes }) => walBytes),
    beatsPerS: median(each.map(({ from, to, beats }) => (1_000 * beats) / (to.atMs - from.atMs))),
    memoryMb,
    mostShards,
  };
}

const costText = (cost: Cost): string =>
  [
    `${median(cost.netUs).toFixed(0)} µs for a heartbeat, ${median(cost.grossUs).toFixed(0)} µs with idle work`,
    `PostgreSQL ${cost.databaseUs.toFixed(0)} µs, Mosquitto ${cost.brokerUs.toFixed(0)} µs`,
    `${cost.beatsPerS.toFixed(0)} heartbeats/s, ${cost.rowsPerS.toFixed(1)} rows/s, ${cost.hostRowsPerS.toFixed(1)} of them of hosts, ${cost.commitsPerS.toFixed(1)} commits/s, ${(cost.walPerS / 1_000).toFixed(1)} kB/s of log`,
    `most shards ${cost.mostShards}; largest replica ${cost.memoryMb.toFixed(0)} MB`,
  ].join('; ');

/** A device changed at a replica that does not own the host: until the host says that it has applied the revision. */
async function changesOver(place: Place, replicas: Replicas, changes: number) {
  const [row] = await replicas.rows<{ id: string }>(`SELECT id FROM tenant WHERE domain = '${SMALL}'`);
  const applied = await hearApplied(place, replicas, row?.id ?? '');
  const names = await replicaNames(replicas);
  const hosts = await replicas.rows<{ uid: string; owner: string }>(
    `SELECT uid, owner FROM host JOIN shard_lease USING (sh) WHERE tenant = '${row?.id}'`,
  );
  const tookMs: number[] = [];
  for (let n = 0; n < changes; n++) {
    const at = replicas.all[n % REPLICAS];
    const others = hosts.filter(({ owner }) => owner !== names.get(at?.name ?? ''));
    if (at === undefined || others.length === 0) continue;
    const fromMs = performance.now();
    const device = { deviceId: `change-${n}`, authType: 'deviceid', srtp: 'never' };
    const { status } = await replicas.ask(at, 'PUT', `/provisioning/device/${SMALL}`, device);
    if (status !== 200) throw new Error(`the change was answered with ${status}`);
    const [head] = await replicas.rows<{ rev: string }>(
      `SELECT rev FROM scope_revision WHERE scope = 'tenant' AND owner = '${row?.id}'`,
    );
    const rev = Number(head?.rev);
    const appliedAt = ({ uid }: { readonly uid: string }) =>
      applied.get(uid)?.find((each) => each.rev >= rev)?.atMs;
    await until(
      async () => hosts.every((host) => appliedAt(host) !== undefined),
      APPLIED_MS,
      'the change is applied',
      20,
    );
    for (const host of others) tookMs.push((appliedAt(host) ?? Number.NaN) - fromMs);
  }
  if (tookMs.length === 0) throw new Error('no host has another owner than the replica that took the change');
  return { count: tookMs.length, p50: percentile(tookMs, 0.5), p99: percentile(tookMs, 0.99) };
}

interface Applied {
  readonly rev: number;
  readonly atMs: number;
}

/** When each host has said that it has applied a revision of the tenant. */
async function hearApplied(place: Place, { broker, certificate }: Replicas, tenant: string) {
  const line = await connectAsync(broker.url, {
    protocolVersion: 4,
    reconnectPeriod: 0,
    ca: certificate.ca,
    cert: readFileSync(broker.owner.cert),
    key: readFileSync(broker.owner.key),
  });
  await place.keep(Promise.resolve({ stop: () => line.endAsync(true) }));
  const received = new Map<string, Applied[]>();
  line.on('message', (topic, payload) => {
    const atMs = performance.now();
    const text = payload.toString();
    if (!text.startsWith('{')) return;
    const { scope, res, rev } = JSON.parse(text) as { scope: string; res: string; rev: number };
    if (scope !== 'tenant' || res !== 'applied') return;
    const uid = topic.split('/')[5] ?? '';
    received.set(uid, [...(received.get(uid) ?? []), { rev, atMs }]);
  });
  await line.subscribeAsync(`carillon/1/+/${tenant}/+/+/up/cfg`, { qos: 1 });
  return received;
}

/** Ids of replicas as rows know them, by the names of their processes. */
async function replicaNames(replicas: Replicas): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const each of replicas.all) {
    const answer = (await replicas.ask(each, 'GET', '/platform/replica')) as unknown as {
      readonly replicas: readonly { readonly id: string; readonly answering: boolean }[];
    };
    names.set(each.name, answer.replicas.find(({ answering }) => answering)?.id ?? '');
  }
  return names;
}

/** kill -9 of the last replica: until every host is watched by another one, and false alarms behind it. */
async function killed(replicas: Replicas, { hosts, profile }: Size) {
  const left = replicas.all.slice(0, -1);
  const fromMs = performance.now();
  await replicas.all.at(-1)?.process.kill();
  await until(() => isShared(replicas, left.length), SETTLED_MS, 'the others own all shards', 100);
  await until(
    async () => (await watched(left)).all === hosts + SMALL_HOSTS,
    SETTLED_MS,
    'all hosts are watched',
    500,
  );
  const seconds = (performance.now() - fromMs) / 1_000;
  await sleep(condemnedMs(profile));
  const alarms = await replicas.rows("SELECT id FROM site_alarm WHERE error = 'noHeartbeatReply'");
  return { seconds, alarms: alarms.length };
}

async function databaseBytes({ rows }: Replicas): Promise<number> {
  const [row] = await rows<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(row?.bytes);
}

/** Space of an event with its alarm and indexes, bytes. */
async function bytesOfEvent({ rows }: Replicas): Promise<number> {
  const [row] = await rows<{ bytes: string; n: string }>(
    `SELECT pg_total_relation_size('site_event') AS bytes, (SELECT count(*) FROM site_event) AS n`,
  );
  return Number(row?.bytes) / Math.max(1, Number(row?.n));
}

/** The costs that the model of docs/scale.md takes from here (`test/bench/scale/costs.ts`). */
function modelOf(costs: readonly Cost[], idle: Awaited<ReturnType<typeof idleWork>>, hosts: number) {
  const [one] = costs;
  if (one === undefined) throw new Error('nothing was measured');
  const databaseMs = (one.databaseUs * one.beatsPerS) / 1_000;
  return {
    heartbeatUs: median(one.netUs),
    idleMsPerS: idle.perMs,
    idleMb: idle.memoryMb,
    hostKb: (1_024 * (one.memoryMb - idle.memoryMb)) / hosts,
    brokerUs: one.brokerUs,
    idleDatabaseMsPerS: idle.databaseMs,
    rowUs: (1_000 * (databaseMs - idle.databaseMs)) / Math.max(0.1, one.rowsPerS - idle.rows),
    rowLogBytes: one.walPerS / Math.max(0.1, one.rowsPerS),
  };
}

interface Found {
  readonly costs: readonly Cost[];
  readonly changes: { readonly p99: number };
  readonly takeOver: { readonly seconds: number; readonly alarms: number };
  readonly hosts: number;
}

function figuresOf({ costs, changes, takeOver, hosts }: Found): Figure[] {
  const [one, ...several] = costs;
  const alone = median(one?.netUs ?? []);
  const ratios = several.map((cost): Figure => {
    const each = cost.netUs.map((us) => us / alone);
    const judged = median(cost.netUs) / alone;
    return {
      ...{
        row: 15,
        what: `processor time for a heartbeat, ${cost.among} replicas; peer one replica`,
        unit: 'µs',
      },
      ...{ ours: median(cost.netUs), peer: alone, judged, spread: spreadOf(each) },
      ...{ gate: 1.1, ambition: 1.05, wanted: 'most' },
    };
  });
  const shards = costs.map((cost): Figure => {
    const most = Math.ceil(SHARDS / cost.among);
    return {
      ...{ row: 15, what: `most shards of one of ${cost.among} replicas`, unit: '' },
      ...{ ours: cost.mostShards, judged: cost.mostShards, gate: most, ambition: most, wanted: 'most' },
    };
  });
  const memoryMb = Math.max(...costs.map((cost) => cost.memoryMb));
  const rowsOfHost = (300 * Math.max(...costs.map(({ hostRowsPerS }) => hostRowsPerS))) / hosts;
  const falsely = takeOver.alarms > 0 ? Number.POSITIVE_INFINITY : takeOver.seconds;
  return [
    ...ratios,
    ...shards,
    {
      // One row, however often it speaks.
      ...{ row: 15, what: 'rows of a host written in five minutes', unit: '' },
      ...{ ours: rowsOfHost, judged: rowsOfHost, gate: 1.5, ambition: 1.05, wanted: 'most' },
    },
    {
      ...{ row: 15, what: `memory of a replica, ${hosts} hosts in all`, unit: 'MB' },
      ...{ ours: memoryMb, judged: memoryMb, gate: 250, ambition: 180, wanted: 'most' },
    },
    {
      ...{ row: 15, what: 'change at a replica applied by a host of another owner, p99', unit: 'ms' },
      ...{ ours: changes.p99, judged: changes.p99, gate: 2_000, ambition: 1_000, wanted: 'most' },
    },
    {
      ...{ row: 15, what: 'kill -9 of one of three: all hosts watched again, no false alarm', unit: 's' },
      ...{ ours: takeOver.seconds, judged: falsely, gate: 20, ambition: 14, wanted: 'most' },
    },
  ];
}
