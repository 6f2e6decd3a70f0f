import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as pause, setTimeout as wait } from 'node:timers/promises';
import {
  brokerPassword,
  createEdgeClient,
  enrol,
  loadIdentity,
  openConfigKeys,
  signedReader,
} from '../../io/edge/index.ts';
import { openMqtt } from '../../io/mqtt/index.ts';
import type { HostIdentity } from '../../site/index.ts';
import { SwarmHost, type SwarmPorts } from '../endpoint/swarm-host.ts';

export interface SwarmRun {
  /** `{base_url}` of the control plane, and a token that may make sites there. */
  readonly cloud: string;
  readonly token: string;
  readonly domain: string;
  /** Begins the names of hosts and sites: several swarms may share a tenant. */
  readonly prefix?: string;
  readonly hosts: number;
  readonly sites: number;
  readonly profile: 'high' | 'standard' | 'economy';
  /** Identities are kept here, so that the same hosts come again. */
  readonly folder: string;
  /** How long to go on once all are connected and have their configuration, seconds. */
  readonly seconds: number;
  /** Alarms raised and cleared per host and hour. */
  readonly alarms: number;
  /** Connections that break without a word, per host and hour. */
  readonly faults: number;
  /** Hosts that connect and fetch their configuration at the same time, 16 by default; the next one begins when one is there, or takes 30 s. */
  readonly starting?: number;
  readonly onStep?: (state: SwarmState) => void;
}

export interface SwarmState {
  readonly hosts: number;
  readonly connected: number;
  readonly configured: number;
  /** Messages said so far, by the last word of their topic. */
  readonly said: Readonly<Record<string, number>>;
  readonly waiting: number;
}

/** Claims at the same time. */
const AT_ONCE = 8;
const ENROL_TRIES = 10;
const STARTING = 16;
const START_STEP_MS = 100;
const START_STEPS = 300;
const STEP_MS = 1_000;
const HOUR_S = 3_600;
const CLAIM_USES = 1_000;

/**
 * Many hosts in one process, with the client of the product: enrolled by the public API, they connect, fetch their
 * configuration, beat, raise alarms and break. Resolves with the state at the end, everything disconnected.
 */
export async function simulateSwarm(run: SwarmRun): Promise<SwarmState> {
  mkdirSync(run.folder, { recursive: true, mode: 0o700 });
  const identities = await enrolled(run);
  const said: Record<string, number> = {};
  /** Breaks the connection of a host, which hears of it as of any other loss. */
  const breaks = new Map<string, () => Promise<void>>();
  const clients = new Set<{ close: () => Promise<void> }>();
  const ports: SwarmPorts = {
    clock: { wallMs: () => Date.now(), monoMs: () => performance.now() },
    random: (length) => randomBytes(length),
    log: () => undefined,
    run: (work) => void work.catch(() => undefined),
    startTimer: (delayMs, fire) => {
      const timer = setTimeout(fire, delayMs);
      return () => clearTimeout(timer);
    },
    pause: () => pause(),
    sha256Hex: (text) => createHash('sha256').update(text).digest('hex'),
    feed: (identity) => {
      const client = createEdgeClient(identity);
      clients.add(client);
      return client;
    },
    verify: ({ verifyKeys }) => signedReader(() => verifyKeys),
    openBroker: (address, listener) => {
      const line = openMqtt(address, listener);
      breaks.set(address.uid, async () => {
        await line.end();
        listener.lost('simulated');
      });
      return {
        ...line,
        publish: (topic, payload, options) => {
          const leaf = topic.slice(topic.lastIndexOf('/') + 1);
          said[leaf] = (said[leaf] ?? 0) + 1;
          return line.publish(topic, payload, options);
        },
      };
    },
    brokerPassword,
    keys: ({ hostId }) => openConfigKeys(join(run.folder, hostId)),
  };
  const hosts = identities.map((identity) => new SwarmHost(ports, identity));
  const state = (): SwarmState => ({
    hosts: hosts.length,
    connected: hosts.filter(({ connected }) => connected).length,
    configured: hosts.filter(({ configured }) => configured).length,
    said: { ...said },
    waiting: hosts.reduce((sum, { waiting }) => sum + waiting, 0),
  });
  const starting = hosts[Symbol.iterator]();
  const start = async (): Promise<void> => {
    for (const host of starting) {
      host.start();
      for (let steps = 0; steps < START_STEPS && !(host.connected && host.configured); steps++)
        await wait(START_STEP_MS);
    }
  };
  await Promise.all(Array.from({ length: run.starting ?? STARTING }, start));
  const raised = new Set<SwarmHost>();
  for (let second = 0; second < run.seconds; ) {
    await wait(STEP_MS);
    const now = state();
    run.onStep?.(now);
    if (second > 0 || (now.connected === hosts.length && now.configured === hosts.length)) second += 1;
    for (const host of hosts) {
      if (Math.random() < run.alarms / HOUR_S) turn(raised, host);
      if (Math.random() < run.faults / HOUR_S) await breaks.get(host.identity.uid)?.();
    }
  }
  const end = state();
  await Promise.all(hosts.map((host) => host.stop()));
  await Promise.all([...clients].map((client) => client.close()));
  return end;
}

function turn(raised: Set<SwarmHost>, host: SwarmHost): void {
  host.raise(raised.has(host) ? 'cleared' : 'raised');
  if (!raised.delete(host)) raised.add(host);
}

/** The identities in the folder, and new ones where there are not enough. */
async function enrolled(run: SwarmRun): Promise<HostIdentity[]> {
  const { prefix = 'swarm' } = run;
  const names = Array.from({ length: run.hosts }, (_, n) => `${prefix}-${String(n).padStart(5, '0')}`);
  const siteOf = (n: number): string => `${prefix}-${String(n % run.sites).padStart(4, '0')}`;
  const found = new Map<string, HostIdentity>();
  for (const name of names) {
    const identity = loadIdentity(join(run.folder, name));
    if (identity !== undefined) found.set(name, identity);
  }
  const missing = names
    .map((name, n) => ({ name, siteId: siteOf(n) }))
    .filter(({ name }) => !found.has(name));
  const codes = new Map<string, string>();
  for (const siteId of new Set(missing.map((each) => each.siteId)))
    codes.set(siteId, await claimOf(run, siteId));
  const work = missing[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const { name, siteId } of work) {
      const ask = () =>
        enrol({
          folder: join(run.folder, name),
          cloud: run.cloud,
          claimCode: codes.get(siteId) ?? '',
          hostId: name,
          names: ['127.0.0.1'],
          version: 'swarm',
          siteBaseUrl: 'https://swarm.invalid:8443',
        });
      let outcome = await ask();
      // As a host would, only sooner: thousands at the same listener are not all answered in time.
      for (let tries = 1; outcome.kind === 'unreachable' && tries < ENROL_TRIES; tries++) {
        await wait(tries * STEP_MS);
        outcome = await ask();
      }
      if (outcome.kind !== 'enrolled')
        throw new Error(`${name} was not enrolled: ${'reason' in outcome ? outcome.reason : outcome.kind}`);
      found.set(name, outcome.identity);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return names.flatMap((name) => found.get(name) ?? []);
}

/** A claim code of this site, which is made where it is not there. */
async function claimOf({ cloud, token, domain, profile }: SwarmRun, siteId: string): Promise<string> {
  const post = async (path: string, body: object): Promise<Record<string, unknown>> => {
    const answer = await fetch(`${cloud}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const said = (await answer.json()) as Record<string, unknown>;
    if (answer.status !== 200 && answer.status !== 409) throw new Error(`${path}: ${String(said.reason)}`);
    return said;
  };
  await post(`/site/${domain}`, { siteId, profile });
  const { claimCode } = await post(`/site/${domain}/${siteId}/claim`, { uses: CLAIM_USES });
  return String(claimCode);
}
