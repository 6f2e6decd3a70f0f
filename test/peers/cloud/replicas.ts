import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import type { Place } from '#test/bench/support/place.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { freePorts } from '#test/support/site-port.ts';
import { type ProcessPlan, SiteProcess } from '#test/support/site-process.ts';
import { entryWith } from '../../support/program/program.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

export const OWNER_TOKEN = 'owner-of-the-replicas';
const HOST = '127.0.0.1';
/** On a machine that has other work: a start is processor time, which others may need too. */
export const STARTED_MS = 300_000;
/** It opens the keys in the database for each of them. */
const VAULT_KEY = Buffer.alloc(32, 9).toString('base64url');

export interface Replica {
  readonly name: string;
  readonly api: string;
  readonly process: SiteProcess;
  readonly plan: ProcessPlan;
  readonly logFile: string;
}

export interface Replicas {
  readonly all: readonly Replica[];
  /** The first broker. */
  readonly broker: Mosquitto;
  readonly brokers: readonly Mosquitto[];
  readonly server: Postgres;
  /** Certificate for this address, of an authority that each of them trusts. */
  readonly certificate: { readonly cert: string; readonly key: string; readonly ca: string };
  /** File with that authority. */
  readonly trustFile: string;
  /** Rows of the database. */
  readonly rows: <Row>(text: string) => Promise<Row[]>;
  /** The sum over its series, or over all replicas that answer. */
  readonly figure: (name: string, of?: Replica) => Promise<number>;
  readonly ask: (
    replica: Replica,
    method: string,
    path: string,
    body?: unknown,
  ) => Promise<Record<string, unknown> & { readonly status: number }>;
}

export interface ReplicasOptions {
  /** More for the environment of the replica of this number. */
  readonly environmentOf?: (n: number) => Readonly<Record<string, string>>;
  /** Their database; by default a new server. */
  readonly server?: Postgres;
  /** How many brokers there are, one by default. */
  readonly brokers?: number;
  /**
   * Something between a replica and the database or each broker, in the order of the replicas, or between all hosts and each broker:
   * gives the port to be called instead.
   */
  readonly between?: (what: 'broker' | 'database' | 'hosts', port: number) => Promise<number>;
  /** How many are started at once; default all. */
  readonly started?: number;
  /** Flags of the engine. */
  readonly flags?: readonly string[];
  /** PostgreSQL waits for the disk at each commit. */
  readonly synced?: boolean;
  /** Topics that the ear of each broker hears; default all. */
  readonly topics?: string;
}

/**
 * Control planes as processes of their own on one PostgreSQL and one Mosquitto, behind a forwarder that hosts
 * call: it gives each connection to the first replica that takes it.
 */
export async function startReplicas(
  place: Place,
  count: number,
  {
    environmentOf = () => ({}),
    brokers: brokerCount = 1,
    between = async (_, port) => port,
    started = count,
    flags = [],
    synced = false,
    topics,
    ...given
  }: ReplicasOptions = {},
): Promise<Replicas> {
  const server: Postgres = given.server ?? (await place.keep(startPostgres(undefined, { synced })));
  const ports = [...(await freePorts(HOST, brokerCount + 1 + 2 * count))];
  const mqtt = ports.splice(0, brokerCount);
  const [balanced = 0, ...own] = ports;
  const folder = place.folder();
  const first = join(folder, 'data-0');
  const authority = await openFolderAuthority(join(first, 'authority'), Date.now());
  const certificate = await authority.issueServer([HOST], Date.now());
  const brokers: Mosquitto[] = [];
  for (const port of mqtt) {
    brokers.push(
      await place.keep(
        startMosquitto({
          folder: place.folder(),
          port,
          server: certificate,
          owner: brokers[0]?.owner,
          topics,
        }),
      ),
    );
  }
  const [broker] = brokers;
  if (broker === undefined) throw new Error('there is no broker');
  const edges = own.slice(count);
  await place.keep(startForwarder(balanced, edges));
  const trust = join(folder, 'trust.pem');
  writeFileSync(trust, authority.ca);
  const through = async (what: 'broker' | 'hosts'): Promise<string> => {
    const urls: string[] = [];
    for (const port of mqtt) urls.push(`mqtts://${HOST}:${await between(what, port)}`);
    return urls.join(',');
  };
  const brokerUrls: string[] = [];
  const databases: URL[] = [];
  const hostUrls = await through('hosts');
  for (let n = 0; n < count; n++) {
    brokerUrls.push(await through('broker'));
    const database = new URL(server.url);
    database.port = String(await between('database', Number(database.port)));
    databases.push(database);
  }
  const all = databases.map((database, n): Replica => {
    const name = `replica-${n}`;
    const logFile = join(folder, `${name}.log`);
    database.searchParams.set('application_name', name);
    const plan: ProcessPlan = {
      name,
      command: [process.execPath, ...flags, entryWith(flags), 'cloud'],
      environment: {
        CARILLON_DATA: join(folder, `data-${n}`),
        CARILLON_DATABASE: database.href,
        CARILLON_VAULT_KEY: VAULT_KEY,
        CARILLON_HTTP: `${HOST}:${own[n]}`,
        CARILLON_EDGE: `${HOST}:${edges[n]}`,
        CARILLON_EDGE_URL: `https://${HOST}:${balanced}`,
        CARILLON_PUBLIC_URL: `http://${HOST}:${own[0]}`,
        CARILLON_MQTT: brokerUrls[n] ?? '',
        // A single broker that hosts reach by the same address is named once.
        ...(hostUrls !== brokerUrls[n] && { CARILLON_MQTT_URL: hostUrls }),
        CARILLON_MQTT_CERT: broker.owner.cert,
        CARILLON_MQTT_KEY: broker.owner.key,
        CARILLON_TRUST: trust,
        CARILLON_ALLOW_PRIVATE: '127.0.0.0/8',
        CARILLON_RATE_LIMITS: 'off',
        CARILLON_BOOTSTRAP_TOKEN: OWNER_TOKEN,
        CARILLON_LOG: 'info',
        ...environmentOf(n),
      },
      logFile,
    };
    return { name, logFile, plan, api: `http://${HOST}:${own[n]}`, process: new SiteProcess(plan) };
  });
  for (const [n, { process }] of all.entries()) {
    // Also one that does not get ready is ended.
    await place.keep(Promise.resolve(process));
    if (n < started) await process.start({}, STARTED_MS);
  }
  const pool = new pg.Pool({ connectionString: server.url, max: 1 });
  // The server may be started again meanwhile; the next query opens a connection.
  pool.on('error', () => undefined);
  await place.keep(Promise.resolve({ stop: () => pool.end() }));

  const figureOf = async (name: string, { api }: Replica): Promise<number> => {
    const answer = await fetch(`${api}/metrics`, { headers: { authorization: `Bearer ${OWNER_TOKEN}` } });
    return (await answer.text())
      .split('\n')
      .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  };
  return {
    all,
    broker,
    brokers,
    server,
    certificate,
    trustFile: trust,
    rows: async <Row>(text: string) => (await pool.query(text)).rows as Row[],
    figure: async (name, of) => {
      if (of !== undefined) return await figureOf(name, of);
      const each = await Promise.all(all.map((replica) => figureOf(name, replica).catch(() => 0)));
      return each.reduce((a, b) => a + b);
    },
    ask: async ({ api }, method, path, body) => {
      const answer = await fetch(`${api}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${OWNER_TOKEN}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { ...((await answer.json()) as object), status: answer.status };
    },
  };
}

/** Gives each connection to the first of these ports that takes it. */
async function startForwarder(
  port: number,
  targets: readonly number[],
): Promise<{ readonly stop: () => Promise<void> }> {
  const server: Server = createServer((outer) => {
    outer.on('error', () => undefined);
    const attempt = ([target, ...rest]: readonly number[]): void => {
      if (target === undefined) {
        outer.destroy();
        return;
      }
      const inner = connect(target, HOST);
      inner.once('error', () => attempt(rest));
      inner.once('connect', () => {
        inner.on('error', () => outer.destroy());
        inner.on('close', () => outer.destroy());
        outer.on('close', () => inner.destroy());
        outer.pipe(inner).pipe(outer);
      });
    };
    attempt(targets);
  });
  await new Promise<void>((resolveListening) => server.listen(port, HOST, resolveListening));
  return {
    stop: async () => {
      server.close();
    },
  };
}
