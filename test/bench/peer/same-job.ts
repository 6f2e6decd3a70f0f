import { generateKeyPairSync } from 'node:crypto';
import pg from 'pg';
import { type Postgres, startPostgres } from '#test/peers/support/postgres.ts';
import { openFolderAuthority } from '#test/support/installation/folder-authority.ts';
import { type Child, startChild } from '../support/child-process.ts';
import { startKamailio } from '../support/kamailio.ts';
import type { Place } from '../support/place.ts';
import { alarmBridge, startAppliance } from '../support/start.ts';
import type { FloorSetting } from './floor.ts';
import type { PlainApplicationCount, PlainApplicationSetting } from './plain-application.ts';

/** Kamailio's processes that take requests: each waits for its database and its application, so there are many of them. */
export const WORKERS = 24;
/** Connections that ours may have open to one application (`appliance/io/http`). */
const MOST_CONNECTIONS = 256;

/** A program that does the job of an alarm, with everything that it needs for it. */
export interface Worker {
  readonly title: string;
  readonly port: number;
  /** The processes whose time counts, each with its children. */
  readonly pids: readonly number[];
  /** Requests and accepted connections at its application; absent: it calls none. */
  readonly count?: () => Promise<PlainApplicationCount>;
  /** More connections than these mean that it does not keep them. */
  readonly mostConnections: number;
  /** Its warnings and errors since the last question. */
  readonly logged?: () => Promise<readonly string[]>;
}

const ALARM_TABLE =
  'CREATE TABLE alarm (ref text PRIMARY KEY, controller text, type text, status text, body text, decision text)';
/** The table that Kamailio's `acc` writes. */
const CALL_TABLE =
  'CREATE TABLE acc (id serial PRIMARY KEY, method text, from_tag text, to_tag text, callid text, sip_code text, ' +
  'sip_reason text, time timestamp)';

/** PostgreSQL with its defaults: each commit is synced. */
export async function syncedDatabase(place: Place): Promise<Postgres> {
  const server = await place.keep(startPostgres('carillon', { synced: true }));
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  await client.query(ALARM_TABLE);
  await client.query(CALL_TABLE);
  await client.end();
  return server;
}

/** Applications with the certificates of one authority. */
export async function openApplications(place: Place) {
  const authority = await openFolderAuthority(place.folder(), Date.now());
  const { cert, key } = await authority.issueServer(['127.0.0.1'], Date.now());
  const file = new URL('./plain-application.ts', import.meta.url);
  return {
    trust: authority.ca,
    async open() {
      const setting: PlainApplicationSetting = { cert, key };
      const child: Child<{ port: number }, 'count', PlainApplicationCount> = await place.keep(
        startChild(file, setting),
      );
      return { url: `https://127.0.0.1:${child.ready.port}`, count: () => child.ask('count') };
    },
  };
}

type Applications = Awaited<ReturnType<typeof openApplications>>;

export async function ourWorker(place: Place, applications: Applications): Promise<Worker> {
  const { url, count } = await applications.open();
  const ours = await place.keep(
    startAppliance({
      folder: place.folder(),
      part: 'whole',
      bridges: [alarmBridge(url)],
      devices: [],
      fleet: { prefix: 'device-', count: 1_000, fields: {} },
      trust: applications.trust,
    }),
  );
  return {
    title: 'ours',
    port: ours.ready.udp,
    pids: [ours.pid],
    count,
    mostConnections: MOST_CONNECTIONS,
    logged: async () => (await ours.ask('report')).logged,
  };
}

export async function kamailioWorker(place: Place, applications: Applications): Promise<Worker> {
  const { url, count } = await applications.open();
  const database = await syncedDatabase(place);
  const words = {
    WORKERS: String(WORKERS),
    DATABASE: database.url,
    APPLICATION: url,
  };
  const peer = await place.keep(startKamailio({ configuration: '../peer/kamailio-alarm', words }));
  return {
    title: 'Kamailio + PostgreSQL',
    port: peer.port,
    pids: [peer.pid, database.pid],
    count,
    mostConnections: WORKERS,
  };
}

/** The steps alone, in this runtime. */
export async function floorWorker(place: Place, applications: Applications): Promise<Worker> {
  const { url, count } = await applications.open();
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
  const setting: FloorSetting = { folder: place.folder(), url, trust: applications.trust, key };
  const file = new URL('./floor.ts', import.meta.url);
  const floor: Child<{ port: number }, never, null> = await place.keep(startChild(file, setting));
  return {
    title: 'the steps alone',
    port: floor.ready.port,
    pids: [floor.pid],
    count,
    mostConnections: MOST_CONNECTIONS,
  };
}

/** Kamailio that answers a MESSAGE and does nothing else. */
export async function bareWorker(place: Place): Promise<Worker> {
  const peer = await place.keep(startKamailio());
  return {
    title: 'Kamailio, reply only',
    port: peer.port,
    pids: [peer.pid],
    mostConnections: 0,
  };
}
