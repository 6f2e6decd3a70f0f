import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from '#test/support/site-port.ts';
import type { HeartbeatSetting } from './process/heartbeats.ts';
import type { SwarmSetting, SwarmState } from './process/swarm.ts';
import { type Bench, type BenchContext, type BenchResult, sleep } from './support/bench.ts';
import { type Child, startChild } from './support/child-process.ts';
import { median } from './support/figure.ts';
import { inPlace, type Place } from './support/place.ts';
import { processorMs } from './support/processor-time.ts';

const OWNER = 'owner-of-the-bench';
const DOMAIN = 'swarm.test';
const ENTRY = resolve(import.meta.dirname, '../../installer/carillon.ts');
const PER_PROCESS = 2_000;
/** Enrolment of ten thousand machines: keys and certificates. */
const ENROLMENT_MS = 1_200_000;
const GREEN_MS = 180_000;
/** The figures of thousands of hosts are a page of megabytes: who asks for it all the time measures that. */
const LOOK_MS = 3_000;

/** Row 15: many hosts at one control plane: its share of a core, its way back from a restart, its cost for a heartbeat. */
export const hosts: Bench = { row: 15, name: 'hosts', run };

type Swarm = Child<null, null, SwarmState | undefined>;
type Beats = Child<null, null, number>;

async function run({ quick, say, onPrepared }: BenchContext): Promise<BenchResult> {
  const count = quick ? 1_000 : 10_000;
  // The whole run must end within five minutes: heartbeats are even, and three windows show that.
  const [windows, windowMs] = quick ? [3, 5_000] : [3, 15_000];
  return await inPlace(async (place) => {
    const cloud = await startCloud(place);
    await cloud.ask('POST', '/platform/tenant', { domain: DOMAIN });
    const enrolledFromMs = performance.now();
    const swarms = await startSwarms(place, cloud.api, count, quick);
    await until(
      async () => (await together(swarms)).configured === count,
      ENROLMENT_MS,
      'all are configured',
    );
    const enrolledS = (performance.now() - enrolledFromMs) / 1_000;
    say(`${count} hosts enrolled, connected and configured in ${enrolledS.toFixed(0)} s`);
    // A host that is configured is put into service next, which is work that no heartbeat makes.
    await until(async () => (await cloud.inService()) === count, ENROLMENT_MS, 'all are in service', LOOK_MS);
    say(`all in service after ${((performance.now() - enrolledFromMs) / 1_000).toFixed(0)} s`);
    onPrepared();
    await sleep(windowMs);

    const shares: number[] = [];
    const costs: number[] = [];
    for (let n = 0; n < windows; n++) {
      const before = {
        cpu: processorMs(cloud.pid()),
        beats: (await together(swarms)).beats,
        at: performance.now(),
      };
      await sleep(windowMs);
      const spentMs = processorMs(cloud.pid()) - before.cpu;
      const beats = (await together(swarms)).beats - before.beats;
      shares.push((100 * spentMs) / (performance.now() - before.at));
      costs.push((1_000 * spentMs) / Math.max(1, beats));
    }
    const perSecond = count / (quick ? 10 : 30);
    const peer = await bareCost(place, perSecond, count, windows, windowMs);
    say(
      `${median(costs).toFixed(0)} µs for a heartbeat; Mosquitto and a bare subscriber ${peer.toFixed(0)} µs`,
    );

    await cloud.stop();
    await sleep(quick ? 3_000 : 10_000);
    await cloud.start();
    const beganMs = performance.now();
    // Green in the rows is not enough: each is back with a connection of its own.
    const isGreen = async () =>
      (await together(swarms)).connected === count && (await cloud.online()) === count;
    await until(isGreen, 10 * GREEN_MS, 'all are green again', LOOK_MS);
    const greenS = (performance.now() - beganMs) / 1_000;
    const { alarms } = await cloud.ask('GET', `/site/${DOMAIN}/alarm?status=active`);
    const raised = (alarms as unknown[]).length;
    say(`all green ${greenS.toFixed(0)} s after the restart, ${raised} alarms`);
    for (const alarm of (alarms as unknown[]).slice(0, 3)) say(JSON.stringify(alarm));

    const ours = median(costs);
    return {
      figures: [
        {
          row: 15,
          what: 'heartbeats/s on the same processor time, against Mosquitto with a bare subscriber',
          unit: '/s of a core',
          ours: 1e6 / ours,
          peer: 1e6 / peer,
          judged: peer / ours,
          gate: 0.25,
          ambition: 0.5,
          wanted: 'least',
        },
        {
          row: 15,
          what: `share of one core, ${count} hosts`,
          unit: '%',
          ours: median(shares),
          judged: median(shares),
          gate: 40,
          ambition: 20,
          wanted: 'most',
        },
        {
          row: 15,
          what: `restart of the control plane: all of ${count} hosts green`,
          unit: 's',
          ours: greenS,
          judged: raised > 0 ? Number.POSITIVE_INFINITY : greenS,
          gate: 180,
          ambition: 90,
          wanted: 'most',
        },
      ],
      notes: [
        `${count} hosts with the client of the product, ${PER_PROCESS} in a process, one heartbeat each ${quick ? 10 : 30} s; ${windows} windows of ${windowMs / 1_000} s, median`,
        'carillon cloud as a process, embedded broker without TLS on loopback, SQLite; processor time of all its threads',
        'a false alarm after the restart misses the gate',
      ],
    };
  });
}

async function startSwarms(place: Place, api: string, count: number, quick: boolean): Promise<Swarm[]> {
  const swarms: Swarm[] = [];
  for (let from = 0; from < count; from += PER_PROCESS) {
    const number = Math.min(PER_PROCESS, count - from);
    const setting: SwarmSetting = {
      cloud: api,
      token: OWNER,
      domain: DOMAIN,
      hosts: number,
      sites: Math.ceil(number / 2),
      profile: quick ? 'high' : 'standard',
      folder: place.folder(),
      alarms: 0,
      faults: 0,
      prefix: `p${from / PER_PROCESS}`,
    };
    swarms.push(await place.keep(startChild(new URL('./process/swarm.ts', import.meta.url), setting)));
  }
  return swarms;
}

async function together(
  swarms: readonly Swarm[],
): Promise<{ configured: number; connected: number; beats: number }> {
  const states = await Promise.all(swarms.map((swarm) => swarm.ask(null)));
  const sum = (of: (state: SwarmState) => number): number =>
    states.reduce((total, state) => total + (state === undefined ? 0 : of(state)), 0);
  return {
    configured: sum((state) => state.configured),
    connected: sum((state) => state.connected),
    beats: sum(({ said }) => said.hb ?? 0),
  };
}

/** Processor time of Mosquitto and a subscriber that does nothing, for one heartbeat, µs. */
async function bareCost(place: Place, perSecond: number, count: number, windows: number, windowMs: number) {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const file = join(place.folder(), 'mosquitto.conf');
  writeFileSync(file, `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser root\n`);
  const mosquitto = spawn('mosquitto', ['-c', file], { stdio: 'ignore' });
  await place.keep(Promise.resolve({ stop: () => ended(mosquitto) }));
  await sleep(1_000);
  const url = `mqtt://127.0.0.1:${port}`;
  const child = (setting: HeartbeatSetting): Promise<Beats> =>
    startChild(new URL('./process/heartbeats.ts', import.meta.url), setting, { startMs: 120_000 });
  const ear = await place.keep(child({ kind: 'hear', url }));
  // Connections cost memory, not time: so many as one process can hold.
  const connections = Math.min(count, PER_PROCESS);
  await place.keep(child({ kind: 'publish', url, connections, perSecond }));
  await sleep(windowMs);
  const costs: number[] = [];
  const spent = () => processorMs(mosquitto.pid ?? 0) + processorMs(ear.pid);
  for (let n = 0; n < windows; n++) {
    const before = { cpu: spent(), heard: await ear.ask(null) };
    await sleep(windowMs);
    costs.push((1_000 * (spent() - before.cpu)) / Math.max(1, (await ear.ask(null)) - before.heard));
  }
  return median(costs);
}

/** The control plane as a process that can be stopped and started again on its data. */
async function startCloud(place: Place) {
  const [http = 0, edge = 0, mqtt = 0] = await freePorts('127.0.0.1', 3);
  const api = `http://127.0.0.1:${http}`;
  const environment = {
    ...process.env,
    CARILLON_DATA: place.folder(),
    CARILLON_HTTP: `127.0.0.1:${http}`,
    CARILLON_EDGE: `127.0.0.1:${edge}`,
    CARILLON_MQTT_LISTEN: `127.0.0.1:${mqtt}`,
    CARILLON_BOOTSTRAP_TOKEN: OWNER,
    CARILLON_RATE_LIMITS: 'off',
    CARILLON_LOG: 'error',
  };
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [ENTRY, 'cloud'], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child = started;
    for await (const line of createInterface({ input: started.stdout })) if (line.startsWith('ready ')) break;
    started.stdout.resume();
  };
  const stop = async (): Promise<void> => {
    if (child !== undefined) await ended(child);
  };
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${api}${path}`, {
      method,
      headers: { authorization: `Bearer ${OWNER}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Record<string, unknown>;
  };
  const counted = async (which: RegExp): Promise<number> => {
    const text = await (await fetch(`${api}/metrics`)).text();
    return [...text.matchAll(which)].reduce((sum, [, hosts]) => sum + Number(hosts), 0);
  };
  // A host that lost its connection again and again while all were set up at once is there; its losses stay reported for half an hour.
  const online = () => counted(/^carillon_hosts\{.*connectivity="(?:online|unstable)".*\} (\d+)$/gm);
  const inService = () =>
    counted(/^carillon_hosts\{lifecycle="active",connectivity="(?:online|unstable)"\} (\d+)$/gm);
  await start();
  await place.keep(Promise.resolve({ stop }));
  return { api, ask, online, inService, start, stop, pid: () => child?.pid ?? 0 };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}

async function until(
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
