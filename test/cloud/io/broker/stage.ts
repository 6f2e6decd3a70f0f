import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { connect, type IClientOptions, type MqttClient } from 'mqtt';
import type { Authority } from '#cloud/io/authority/index.ts';
import { type Broker, openBroker, openEmbeddedBroker, type Refused } from '#cloud/io/broker/index.ts';
import { type HostPlace, SHARDS, shardOf, topicOf } from '#shared/contract/feed/index.ts';
import { ulid } from '#shared/id.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { createMachine } from '../machine.ts';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
export const random = (length: number): Uint8Array => randomBytes(length);

/** A host that could connect, with what it would show. */
export interface StageHost {
  readonly place: HostPlace;
  readonly publicKey: string;
  readonly key: string;
  readonly certificate: string;
  readonly serial: string;
}

export interface Stage {
  readonly authority: Authority;
  readonly broker: Broker;
  readonly port: number;
  readonly refused: Refused[];
  /** Uids that `admit` knows. */
  readonly admitted: Set<string>;
  readonly createHost: (siteId?: string) => Promise<StageHost>;
  readonly close: () => Promise<void>;
}

/** The embedded broker with its owner, plain or with TLS, on a free port of loopback. */
export async function openStage(kind: 'plain' | 'tls', rateLimits = true): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-broker-'));
  const authority = await openFolderAuthority(folder, Date.now());
  const known = new Map<string, StageHost>();
  const admitted = new Set<string>();
  const refused: Refused[] = [];
  const embedded = await openEmbeddedBroker({
    listen: { host: '127.0.0.1', port: 0 },
    tls: kind === 'tls' ? await authority.issueServer(['127.0.0.1', 'localhost'], Date.now()) : undefined,
    admit: async (uid, serial) => {
      const host = known.get(uid);
      if (host === undefined || !admitted.has(uid)) return undefined;
      return serial === undefined || serial === host.serial ? host : undefined;
    },
    rateLimits,
    onRefused: (event) => refused.push(event),
  });
  const broker = openBroker({
    dials: [{ kind: 'stream', open: embedded.dial }],
    onHeartbeat: embedded.onHeartbeat,
    kick: embedded.kick,
    closeBroker: embedded.close,
    owned: new Map(SHARDS.map((sh) => [sh, 1])),
    isOwned: () => true,
    cap: [],
    random,
    onDown: (sh, reason) => refused.push({ uid: `cp-${sh}`, address: '', reason }),
  });
  await broker.ready;
  return {
    authority,
    broker,
    port: embedded.port,
    refused,
    admitted,
    createHost: async (siteId = 'north') => {
      const uid = ulid(Date.now(), random(10));
      const place = { sh: shardOf(uid, sha256), tenant: ulid(1, random(10)), siteId, uid };
      const machine = await createMachine({});
      const issued = await authority.issueHost(machine.csr, { ...place }, Date.now());
      const publicKey = await authority.requestKey(machine.csr);
      if (!issued.ok || !publicKey.ok) throw new Error('no certificate');
      const { certificate, serial } = issued.value;
      const host = { place, publicKey: publicKey.value, key: machine.key, certificate, serial };
      known.set(uid, host);
      admitted.add(uid);
      return host;
    },
    close: async () => {
      await broker.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A host's password for the plain listener. */
export async function tokenOf(
  host: StageHost,
  claims: { sub?: string; lifeS?: number } = {},
): Promise<string> {
  const { createPrivateKey } = await import('node:crypto');
  const now = Math.floor(Date.now() / 1000);
  return await new SignJWT({})
    .setProtectedHeader({ alg: 'ES256' })
    .setSubject(claims.sub ?? host.place.uid)
    .setIssuedAt(now)
    .setExpirationTime(now + (claims.lifeS ?? 60))
    .sign(createPrivateKey(host.key));
}

/** The CONNECT of a well-behaved host. */
export const goodConnect = (host: StageHost): IClientOptions => ({
  clientId: host.place.uid,
  username: host.place.uid,
  protocolVersion: 4,
  clean: true,
  keepalive: 30,
  reconnectPeriod: 0,
  connectTimeout: 5_000,
  will: {
    topic: topicOf(host.place, 'up/state'),
    payload: Buffer.from('{"st":"off"}'),
    qos: 1,
    retain: true,
  },
});

/** Connects; resolves with the client, or with the reason when the connection came to nothing. */
export function attempt(url: string, options: IClientOptions): Promise<MqttClient | string> {
  return new Promise((resolve) => {
    const client = connect(url, options);
    let reason = 'closed';
    client.once('connect', () => resolve(client));
    client.on('error', (error) => {
      reason = error.message;
      client.end(true);
    });
    client.once('close', () => resolve(reason));
  });
}

export async function connected(url: string, options: IClientOptions): Promise<MqttClient> {
  const client = await attempt(url, options);
  if (typeof client === 'string') throw new Error(`not connected: ${client}`);
  return client;
}

/** Resolves when the connection has ended. */
export const ended = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    if (client.disconnected || !client.connected) resolve();
    else client.once('close', () => resolve());
  });

/** Asks until the answer is there; what is waited for is an event of another program part. */
export async function eventually<T>(
  look: () => T | undefined | false | Promise<T | undefined | false>,
  what: string,
): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    const seen = await look();
    if (seen !== undefined && seen !== false) return seen;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
