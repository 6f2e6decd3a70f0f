import { readFileSync } from 'node:fs';
import { OWNER_TOKEN, type Replica, type Replicas } from '#test/peers/cloud/replicas.ts';
import type { SwarmSetting, SwarmState } from '../process/swarm.ts';
import { sleep } from '../support/bench.ts';
import { type Child, startChild } from '../support/child-process.ts';
import type { Place } from '../support/place.ts';
import { processorMs } from '../support/processor-time.ts';
import { UNIT_ENVIRONMENT } from '../support/unit-environment.ts';

export const DOMAIN = 'swarm.test';
export const SHARDS = 64;
const PER_PROCESS = 2_000;
const STARTING = 16;

export type Swarm = Child<null, null, SwarmState | undefined>;

interface SwarmOptions {
  readonly api: string;
  readonly domain: string;
  readonly prefix: string;
  readonly hosts: number;
  readonly sites: number;
  /** Per host and hour. */
  readonly alarms: number;
  readonly profile: SwarmSetting['profile'];
  /** Connecting at the same time. */
  readonly starting?: number;
}

export async function startSwarm(place: Place, { api, ...options }: SwarmOptions): Promise<Swarm> {
  const setting: SwarmSetting = {
    ...{ ...options, cloud: api, token: OWNER_TOKEN },
    ...{ folder: place.folder(), faults: 0 },
  };
  const file = new URL('../process/swarm.ts', import.meta.url);
  return await place.keep(startChild(file, setting, { environment: UNIT_ENVIRONMENT }));
}

/**
 * So many hosts, two at a site, in as few processes as can hold them. All processes together connect as many at a time as one would: more
 * than two cores can serve wait longer than a host does, and begin again.
 */
export async function startFleet(
  place: Place,
  api: string,
  count: number,
  profile: SwarmSetting['profile'],
): Promise<Swarm[]> {
  const swarms: Swarm[] = [];
  const starting = Math.ceil(STARTING / Math.ceil(count / PER_PROCESS));
  for (let from = 0; from < count; from += PER_PROCESS) {
    const hosts = Math.min(PER_PROCESS, count - from);
    const prefix = `p${from / PER_PROCESS}`;
    swarms.push(
      await startSwarm(place, {
        ...{ api, domain: DOMAIN, prefix, hosts, sites: Math.ceil(hosts / 2), alarms: 0, starting, profile },
      }),
    );
  }
  return swarms;
}

export async function together(
  swarms: readonly Swarm[],
): Promise<{ readonly configured: number; readonly connected: number; readonly beats: number }> {
  const states = await Promise.all(swarms.map((swarm) => swarm.ask(null)));
  const sum = (of: (state: SwarmState) => number): number =>
    states.reduce((total, state) => total + (state === undefined ? 0 : of(state)), 0);
  return {
    configured: sum((state) => state.configured),
    connected: sum((state) => state.connected),
    beats: sum(({ said }) => said.hb ?? 0),
  };
}

/** Throws when it does not hold in time. */
export async function until(
  holds: () => Promise<boolean>,
  withinMs: number,
  what: string,
  everyMs = 250,
): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not before ${withinMs / 1_000} s: ${what}`);
    await sleep(everyMs);
  }
}

const LIVE = "owner <> '' AND until > extract(epoch from clock_timestamp()) * 1000";

/** Shards of each owner whose lease lasts. */
export async function shares({ rows }: Replicas): Promise<readonly number[]> {
  const owners = await rows<{ n: string }>(
    `SELECT count(*) AS n FROM shard_lease WHERE ${LIVE} GROUP BY owner`,
  );
  return owners.map(({ n }) => Number(n));
}

/** Every shard has an owner, and none of so many owners has more than its part. */
export async function isShared(replicas: Replicas, among: number): Promise<boolean> {
  const each = await shares(replicas);
  return (
    each.length === among &&
    each.reduce((a, b) => a + b, 0) === SHARDS &&
    Math.max(...each) <= Math.ceil(SHARDS / among)
  );
}

/** Hosts that these replicas watch, and those of them that are there. */
export async function watched(
  replicas: readonly Replica[],
): Promise<{ readonly all: number; readonly online: number }> {
  const pages = await Promise.all(
    replicas.map(async ({ api }) => {
      const answer = await fetch(`${api}/metrics`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
      return await answer.text();
    }),
  );
  const sum = (which: RegExp): number =>
    pages.flatMap((page) => [...page.matchAll(which)]).reduce((total, [, hosts]) => total + Number(hosts), 0);
  return {
    all: sum(/^carillon_hosts\{.*\} (\d+)$/gm),
    online: sum(/^carillon_hosts\{.*connectivity="(?:online|unstable)".*\} (\d+)$/gm),
  };
}

export const pidOf = ({ process }: Replica): number => process.processId ?? 0;

/** Resident memory of a process, MB (`VmRSS` of proc(5)). */
export function residentMb(pid: number): number {
  const [, kb = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kb) / 1_024;
}

/** Figures that grow, of everything that several replicas need. */
export interface Spent {
  readonly atMs: number;
  readonly replicasMs: number;
  readonly databaseMs: number;
  readonly brokerMs: number;
  /** Rows inserted, changed and removed, and those among them that say of a host that it lives. */
  readonly rows: number;
  readonly hostRows: number;
  readonly commits: number;
  readonly walBytes: number;
}

export async function spent(replicas: Replicas, running: readonly Replica[]): Promise<Spent> {
  const [row] = await replicas.rows<Record<'rows' | 'hosts' | 'commits' | 'wal', string>>(
    `SELECT (SELECT sum(n_tup_ins + n_tup_upd + n_tup_del) FROM pg_stat_user_tables) AS rows,
      (SELECT n_tup_upd FROM pg_stat_user_tables WHERE relname = 'host_status') AS hosts,
      (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()) AS commits,
      pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`,
  );
  return {
    atMs: performance.now(),
    replicasMs: processorMs(...running.map(pidOf)),
    databaseMs: processorMs(replicas.server.pid),
    brokerMs: processorMs(replicas.broker.pid),
    rows: Number(row?.rows),
    hostRows: Number(row?.hosts),
    commits: Number(row?.commits),
    walBytes: Number(row?.wal),
  };
}
