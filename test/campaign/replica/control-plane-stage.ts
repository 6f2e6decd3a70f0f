import { existsSync } from 'node:fs';
import { type ArcRequest, startArc } from '#appliance/simulator/index.ts';
import { longestWaitMs } from '#shared/contract/feed/index.ts';
import type { SwarmSetting, SwarmState } from '#test/bench/process/swarm.ts';
import { type Child, startChild } from '#test/bench/support/child-process.ts';
import type { Place } from '#test/bench/support/place.ts';
import {
  OWNER_TOKEN,
  type Replica,
  type Replicas,
  type ReplicasOptions,
  STARTED_MS,
  startReplicas,
} from '#test/peers/cloud/replicas.ts';
import { pause } from '#test/support/site.ts';
import { freePorts } from '#test/support/site-port.ts';
import { NotPossible } from '../campaign.ts';
import type { ArrivedDelivery } from './control-plane-history.ts';
import { DOMAIN, received, replicaOf, shared, until, WHOLE_WITHIN_MS } from './control-plane-look.ts';
import { judgeLastChange, type LastChange } from './last-change.ts';
import { OBSERVATION_WATCH } from './observation-watch.ts';
import { Wire } from './wire.ts';

export const [COUNT, HOSTS] = [3, 9];
/** By hand. */
export const MANY_HOSTS = 300;
export const BROKERS = 2;
/** Raised or cleared per hour by all hosts together: one in about a second. */
const ALARMS = 3_240;
/** For each of many, on a machine that has other work. */
const ENROLLED_WITHIN_MS = 3_000;
const CHANGE_EVERY_MS = 500;
export const CHANGE_WITHIN_MS = 4_000;
/** The clocks of the machines, as libfaketime names them: the first is right. */
const CLOCKS = ['+0', '+600', '-600'];
const LIBRARIES = ['x86_64', 'aarch64'].map(
  (machine) => `/usr/lib/${machine}-linux-gnu/faketime/libfaketimeMT.so.1`,
);

/** Three control planes, two brokers, and the wires that can be cut. */
export interface Stage {
  readonly replicas: Replicas;
  /** From each replica to each broker. */
  readonly brokers: readonly (readonly Wire[])[];
  /** From all hosts to each broker. */
  readonly hosts: readonly Wire[];
  readonly databases: readonly Wire[];
}

/** As a machine of each replica: its clock is another one. */
export function started(place: Place): Promise<Stage> {
  const library = LIBRARIES.find((file) => existsSync(file));
  if (library === undefined) throw new NotPossible('libfaketime is not there; install the package faketime');
  return startStage(place, {
    environmentOf: (n) => ({
      ...{ LD_PRELOAD: library, FAKETIME: CLOCKS[n] ?? '+0', FAKETIME_DONT_FAKE_MONOTONIC: '1' },
      NO_FAKE_STAT: '1',
    }),
  });
}

export async function startStage(
  place: Place,
  options: Pick<ReplicasOptions, 'environmentOf' | 'server' | 'flags'> = {},
): Promise<Stage> {
  const wires = { broker: [] as Wire[], hosts: [] as Wire[], database: [] as Wire[] };
  const replicas = await startReplicas(place, COUNT, {
    ...options,
    brokers: BROKERS,
    between: async (what, port) => {
      const wire = await place.keep(Wire.open(port));
      wires[what].push(wire);
      return wire.port;
    },
  });
  await replicas.rows(OBSERVATION_WATCH);
  await shared(replicas, COUNT);
  const brokers = replicas.all.map((_, n) => wires.broker.slice(n * BROKERS, (n + 1) * BROKERS));
  return { replicas, brokers, hosts: wires.hosts, databases: wires.database };
}

/** The endpoint of the tenant for platform alarms. */
export async function startEndpoint(
  place: Place,
  { all, certificate, ask }: Replicas,
  onDelivery: (delivery: ArrivedDelivery) => void,
): Promise<void> {
  const [port = 0] = await freePorts('127.0.0.1', 1);
  const onRequest = ({ idempotencyKey, body }: ArcRequest): void => {
    const { traceId, errorDetails } = body as { traceId?: string; errorDetails?: { status?: string } };
    onDelivery({ id: idempotencyKey, about: `${traceId} ${errorDetails?.status}` });
  };
  const endpoint = await startArc({
    host: '127.0.0.1',
    port,
    certificate,
    publicKeyPem: undefined,
    onRequest,
  });
  await place.keep(Promise.resolve({ stop: () => endpoint.close() }));
  const first = all[0];
  if (first === undefined) throw new Error('there is no replica');
  await accepted(() => ask(first, 'POST', '/platform/tenant', { domain: DOMAIN }));
  await accepted(() =>
    ask(first, 'PUT', `/provisioning/notificationsettings/${DOMAIN}`, {
      alarmEventsRestEndpoint: `https://127.0.0.1:${port}/platform-alarm`,
    }),
  );
}

/** Hosts in a process of their own, all of them connected and configured. */
export async function startHosts(
  place: Place,
  replicas: Replicas,
  hosts = HOSTS,
): Promise<Child<null, null, SwarmState | undefined>> {
  const setting: SwarmSetting = {
    ...{ cloud: replicaOf(replicas, 0).api, token: OWNER_TOKEN, domain: DOMAIN, profile: 'high' },
    ...{ hosts, sites: hosts / 3, folder: place.folder(), alarms: ALARMS / hosts, faults: 0 },
  };
  const swarm: Child<null, null, SwarmState | undefined> = await place.keep(
    startChild(new URL('../../bench/process/swarm.ts', import.meta.url), setting, {
      startMs: STARTED_MS,
    }),
  );
  const isThere = async () => (await swarm.ask(null))?.configured === hosts;
  // Each enrols with a key and a certificate of its own.
  if (!(await until(isThere, WHOLE_WITHIN_MS + hosts * ENROLLED_WITHIN_MS)))
    throw new Error('not every host was there in time');
  return swarm;
}

/** A person changes devices at one replica after the other, whichever is there. */
export function startChanges(replicas: Replicas, chance: () => number) {
  const made: string[] = [];
  let isOver = false;
  const run = async (): Promise<void> => {
    for (let n = 0; !isOver; n++) {
      const deviceId = `device-${n}`;
      const at = replicaOf(replicas, Math.floor(chance() * COUNT));
      const answer = await putDevice(at, deviceId).catch(() => undefined);
      // One whose answer was lost may be there or not.
      if (answer === 200) made.push(deviceId);
      await pause(CHANGE_EVERY_MS);
    }
  };
  const running = run();
  return {
    end: async (): Promise<readonly string[]> => {
      isOver = true;
      await running;
      return made;
    },
  };
}

/** Makes one more change, and waits until every host has applied it, or the time is over. */
export async function lastChange(replicas: Replicas, hosts = HOSTS): Promise<LastChange> {
  const made = async () => (await putDevice(replicaOf(replicas, 1), 'the-last').catch(() => 0)) === 200;
  if (!(await until(made, WHOLE_WITHIN_MS))) throw new Error('no replica took the last change');
  const madeMs = performance.now();
  const [head] = await replicas.rows<{ rev: string }>(
    `SELECT rev FROM scope_revision JOIN tenant ON tenant.id = owner AND domain = '${DOMAIN}' WHERE scope = 'tenant'`,
  );
  const judged = (): LastChange =>
    judgeLastChange({
      ...{ hosts, madeMs, rev: Number(head?.rev), nowMs: performance.now() },
      ...{ states: received(replicas, 'up/state'), reports: received(replicas, 'up/cfg') },
    });
  // A host that has lost its brokers again and again, each time within a minute, may wait that long for its next try.
  await until(async () => judged().waiting === 0, WHOLE_WITHIN_MS + longestWaitMs(Number.POSITIVE_INFINITY));
  return judged();
}

async function putDevice({ api }: Replica, deviceId: string): Promise<number> {
  const answer = await fetch(`${api}/provisioning/device/${DOMAIN}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${OWNER_TOKEN}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId, authType: 'deviceid', srtp: 'never' }),
    signal: AbortSignal.timeout(CHANGE_WITHIN_MS),
  });
  await answer.text();
  return answer.status;
}

/** Asks until the answer is another one than that the database is away: so the answer says, and nothing was executed. */
export async function accepted(asking: () => Promise<{ readonly status: number }>): Promise<void> {
  let answer = await asking();
  const isTaken = async () => {
    if (answer.status === 503) answer = await asking();
    return answer.status !== 503;
  };
  await until(isTaken, WHOLE_WITHIN_MS);
  if (answer.status !== 200) throw new Error(`the control plane refused: ${JSON.stringify(answer)}`);
}
