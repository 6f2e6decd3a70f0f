import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { backupCommands } from '#cloud/cli/index.ts';
import { openDatabase, readMigrations } from '#cloud/io/database/index.ts';
import { type RunningCloud, start } from '#cloud/main.ts';
import { awaitEarlierVersions, migrate } from '#cloud/store/index.ts';
import { vault } from '#test/cloud/store/database.ts';
import { type Postgres, startPostgres } from '../support/postgres.ts';

let server: Postgres;
let place: string;
const running: RunningCloud[] = [];
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'carillon-installation-'));
  server = await startPostgres();
});
afterEach(async () => {
  for (const cloud of running.splice(0)) await cloud.close();
});
afterAll(async () => {
  await server?.stop();
  rmSync(place, { recursive: true, force: true });
});

const KEY = { CARILLON_VAULT_KEY: Buffer.alloc(32, 3).toString('base64url') };

/** The address of a new, empty database on the server. */
async function database(name: string): Promise<string> {
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

const sources = (folder: string, url: string) => ({
  flags: {},
  file: {},
  environment: {
    CARILLON_DATA: join(place, folder),
    CARILLON_DATABASE: url,
    CARILLON_HTTP: '127.0.0.1:0',
    CARILLON_EDGE: '127.0.0.1:0',
    CARILLON_MQTT_LISTEN: '127.0.0.1:0',
    CARILLON_LOG: 'error',
    ...KEY,
  },
});

/** Starts a control plane; gives what hosts and operators know it by. */
async function identityIn(folder: string, url: string) {
  const started = await start(sources(folder, url));
  if (!started.ok) throw new Error(started.error.reason);
  running.push(started.value);
  const api = String(started.value.ready.api);
  const text = (...path: string[]) => readFileSync(join(place, folder, ...path), 'utf8');
  const token = text('bootstrap-token').trim();
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${api}/platform/tenant`, { headers })).status).toBe(200);
  const { keys } = (await (await fetch(`${api}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  return { token, ca: text('authority', 'root.pem'), kid: keys[0]?.kid };
}

async function stop(): Promise<void> {
  await running.pop()?.close();
}

it('a process with nothing but database and vault key is the same platform as the one before it', async () => {
  const url = await database('shared');
  const first = await identityIn('one', url);
  await stop();
  expect(await identityIn('two', url)).toEqual(first);
  await stop();
  const other = { ...KEY, CARILLON_VAULT_KEY: Buffer.alloc(32, 4).toString('base64url') };
  const { environment, ...rest } = sources('three', url);
  const refused = await start({ ...rest, environment: { ...environment, ...other } });
  expect(refused).toMatchObject({
    ok: false,
    error: { reason: expect.stringMatching(/sealed with the vault key/) },
  });
});

it('a second process of an installation with the embedded broker is refused with the sentence, and starts once the first one has ended', async () => {
  const url = await database('alone');
  const first = await identityIn('first', url);
  expect(await start(sources('second', url))).toMatchObject({
    ok: false,
    error: { reason: expect.stringMatching(/the embedded broker serves one process: stop the other one/) },
  });
  await stop();
  expect(await identityIn('second', url)).toEqual(first);
});

it('a restored copy does not start until the live one has ended, and is the same platform to its hosts', async () => {
  const [url, copy] = [await database('live'), await database('copied')];
  const live = await identityIn('live', url);
  const identity = await generateIdentity();
  const file = join(place, 'live.age');
  const written = await backupCommands.write(sources('live', url), {
    file,
    to: { recipients: [await identityToRecipient(identity)] },
    owner: 'the test',
    keepDays: 1,
    onProgress: () => undefined,
  });
  if (!written.ok) throw new Error(written.error.reason);
  const request = { file, by: { identities: [identity] }, expired: false, onProgress: () => undefined };
  const restored = await backupCommands.restore(sources('copied', copy), request);
  if (!restored.ok) throw new Error(restored.error.reason);
  expect(restored.value.rows).toBe(written.value.rows);

  expect(await start(sources('copied', copy))).toMatchObject({
    ok: false,
    error: {
      reason: expect.stringMatching(
        /restored from a backup of the installation [0-9a-f]{24}, which still works/,
      ),
    },
  });
  await stop();
  expect(await identityIn('copied', copy)).toEqual(live);
});

it('a site that began on SQLite comes back on PostgreSQL', async () => {
  const small = `sqlite:${join(place, 'small.db')}`;
  const before = await identityIn('small', small);
  const identity = await generateIdentity();
  const file = join(place, 'small.age');
  const to = { recipients: [await identityToRecipient(identity)] };
  const order = { file, to, owner: 'the test', keepDays: 1, onProgress: () => undefined };
  expect((await backupCommands.write(sources('small', small), order)).ok).toBe(true);
  await stop();
  const url = await database('grown');
  const request = { file, by: { identities: [identity] }, expired: false, onProgress: () => undefined };
  const restored = await backupCommands.restore(sources('grown', url), request);
  if (!restored.ok) throw new Error(restored.error.reason);
  expect(await identityIn('grown', url)).toEqual(before);
});

describe('a rolling upgrade', () => {
  const expanding = {
    name: '9000-expand-later',
    sql: `CREATE TABLE later (id TEXT NOT NULL PRIMARY KEY);
      ALTER TABLE tenant ADD COLUMN later TEXT;
      ALTER TABLE device ADD COLUMN later BIGINT NOT NULL DEFAULT 0;
      CREATE INDEX device_later ON device (later);`,
  };
  const changing = { name: '9010-later', sql: 'ALTER TABLE device DROP COLUMN later' };
  const files = readMigrations('pg');

  /** A tenant and a device are made and read again by the process that runs. */
  async function works(token: string, domain: string): Promise<void> {
    const api = String(running.at(-1)?.ready.api);
    const ask = (method: string, path: string, body?: unknown) =>
      fetch(`${api}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    expect((await ask('POST', '/platform/tenant', { domain })).status).toBe(200);
    const device = { deviceId: 'one', authType: 'deviceid', srtp: 'never' };
    expect((await ask('PUT', `/provisioning/device/${domain}`, device)).status).toBe(200);
    expect((await ask('GET', `/provisioning/device/${domain}/one`)).status).toBe(200);
  }

  it('a process of this version works on with a later one that extends the database, and starts on it, too', async () => {
    const url = await database('rolling');
    const { token } = await identityIn('rolling', url);
    const later = openDatabase(url, vault, () => undefined);
    try {
      expect(await migrate(later, [...files, expanding], 1)).toEqual([expanding.name]);
      await works(token, 'beside.example');
      await stop();
      await identityIn('rolling', url);
      await works(token, 'after.example');
    } finally {
      await later.connection.close();
    }
  });

  it('a later version that changes the database waits for the earlier processes, and an earlier one is refused behind it', async () => {
    const url = await database('changing');
    await identityIn('changing', url);
    const later = openDatabase(url, vault, () => undefined);
    const all = [...files, expanding, changing];
    let nowMs = 0;
    const time = { monoMs: () => nowMs, wait: async (ms: number) => (nowMs += ms) };
    try {
      await expect(awaitEarlierVersions(later, all, time)).rejects.toThrow(
        /Processes of an earlier version \(1\) still work on this database, and 9010-later would change it/,
      );
      await expect(awaitEarlierVersions(later, [...files, expanding], time)).resolves.toBeUndefined();
      await stop();
      await expect(awaitEarlierVersions(later, all, time)).resolves.toBeUndefined();
      await migrate(later, all, 1);
    } finally {
      await later.connection.close();
    }
    expect(await start(sources('changing', url))).toMatchObject({
      ok: false,
      error: {
        reason: expect.stringMatching(/has the migration 9010-later, which is unknown to this version/),
      },
    });
  });
});
