import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Place } from '#test/bench/support/place.ts';
import { replicaOf, shared } from '#test/campaign/replica/control-plane-look.ts';
import { accepted, COUNT } from '#test/campaign/replica/control-plane-stage.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { STARTED_MS } from '../cloud/replicas.ts';
import { type ReplicaStory, startReplicaStory } from './stage/replica-story.ts';

/*
 * Two programs: this source tree, and a copy of it with another version and one migration more, on one PostgreSQL with the same hosts:
 *
 *     N N N ─▶ N+1 N N ─▶ N+1 N+1 N ─▶ N+1 N+1 N+1 ─▶ N N+1 N+1 ─▶ N N N
 */
const ROOT = resolve(import.meta.dirname, '../../..');
const PARTS = ['appliance', 'cloud', 'installer', 'sdk', 'shared', 'docs', 'package.json'];
const API = 'cloud/compose/api.ts';
const VERSION = /const VERSION = '([^']+)'/;
const LATER = '99.0.0';
const MIGRATION = '9000-expand-later.sql';
const EXPANSION = `-- A later version keeps a note for each tenant, and a number for each device.
CREATE TABLE later_note (id TEXT NOT NULL PRIMARY KEY, tenant TEXT NOT NULL REFERENCES tenant (id) ON DELETE CASCADE);
ALTER TABLE tenant ADD COLUMN later TEXT;
ALTER TABLE device ADD COLUMN later BIGINT NOT NULL DEFAULT 7;
ALTER TABLE host_status ADD COLUMN later BIGINT;
ALTER TABLE replica ADD COLUMN later TEXT;
CREATE INDEX device_later ON device (later);
`;

const place = new Place();
let story: ReplicaStory;
let program: { readonly now: string; readonly later: string };
let versions: { readonly now: string; readonly later: string };
const running: SiteProcess[] = [];

/** The front door of a copy of the source tree that is one version further. */
function laterProgram(): string {
  const folder = place.folder();
  for (const part of PARTS) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  for (const dialect of ['pg', 'sqlite'])
    writeFileSync(join(folder, 'cloud/store/migrations', dialect, MIGRATION), EXPANSION);
  const api = readFileSync(join(folder, API), 'utf8');
  writeFileSync(join(folder, API), api.replace(VERSION, `const VERSION = '${LATER}'`));
  return join(folder, 'installer/carillon.ts');
}

/** Versions of the live replicas, as one of them shows them. */
async function liveVersions(): Promise<string[]> {
  const { replicas } = story.stage;
  const answer = (await replicas.ask(replicaOf(replicas, 0), 'GET', '/platform/replica')) as unknown as {
    replicas: { live: boolean; version: string }[];
  };
  return answer.replicas
    .filter(({ live }) => live)
    .map(({ version }) => version)
    .toSorted();
}

/** The replica stops, and another program starts in its place. */
async function exchange(n: number, which: keyof typeof program): Promise<void> {
  await running[n]?.stop(30_000);
  const { plan } = replicaOf(story.stage.replicas, n);
  const next = new SiteProcess({ ...plan, command: [process.execPath, program[which], 'cloud'] });
  // Also one that does not get ready is ended.
  await place.keep(Promise.resolve(next));
  await next.start({}, STARTED_MS);
  running[n] = next;
}

/** Every replica takes a change, and every host applies it. */
async function works(round: string): Promise<void> {
  const { replicas } = story.stage;
  expect(await shared(replicas, COUNT)).toBe(true);
  for (const [n, each] of replicas.all.entries()) {
    const deviceId = `${round}-${n}`;
    const device = { deviceId, authType: 'deviceid', srtp: 'never' };
    const path = '/provisioning/device/replicas.example';
    await accepted(() => replicas.ask(each, 'PUT', path, device));
    // Written by one version, read by another.
    const reader = replicaOf(replicas, (n + 1) % COUNT);
    expect(await replicas.ask(reader, 'GET', `${path}/${deviceId}`)).toMatchObject({ status: 200, deviceId });
  }
  expect(await story.behind()).toEqual([]);
}

const expanded = async (): Promise<number> =>
  (
    await story.stage.replicas.rows(
      "SELECT 1 FROM information_schema.columns WHERE column_name = 'later' AND table_schema = 'public'",
    )
  ).length;

beforeAll(async () => {
  const [, now = ''] = VERSION.exec(readFileSync(join(ROOT, API), 'utf8')) ?? [];
  versions = { now, later: LATER };
  program = { now: join(ROOT, 'installer/carillon.ts'), later: laterProgram() };
  story = await startReplicaStory(place, 7);
  running.push(...story.stage.replicas.all.map((each) => each.process));
}, 400_000);
afterAll(() => place.close());

describe('a rolling upgrade to another program and back', { timeout: 600_000 }, () => {
  it('begins with one version', async () => {
    await works('before');
    expect(await liveVersions()).toEqual([versions.now, versions.now, versions.now]);
    expect(await expanded()).toBe(0);
  });

  it('one by one, each time with both versions at work on the extended database', async () => {
    for (const n of [0, 1, 2]) {
      await exchange(n, 'later');
      await works(`up-${n}`);
      const expected = [0, 1, 2].map((each) => (each <= n ? versions.later : versions.now)).toSorted();
      expect(await liveVersions()).toEqual(expected);
      expect(await expanded()).toBe(4);
    }
  });

  it('and back, where the earlier version starts on the extended database and says so', async () => {
    for (const n of [0, 1, 2]) {
      await exchange(n, 'now');
      await works(`down-${n}`);
      const { logFile } = replicaOf(story.stage.replicas, n);
      expect(readFileSync(logFile, 'utf8')).toContain('database.later_schema');
    }
    expect(await liveVersions()).toEqual([versions.now, versions.now, versions.now]);
  });

  it('loses no alarm and no change, reports nothing twice, and calls no host silent', () => story.judged(6));
});
