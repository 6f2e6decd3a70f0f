import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { databaseCommands } from '#cloud/cli/index.ts';
import { openSite, type Site, until } from '#test/support/site.ts';

const WITHIN_MS = 30_000;

let site: Site;
beforeAll(async () => {
  site = await openSite();
}, 90_000);
afterAll(() => site?.close(), 60_000);

const databaseFile = () => join(site.cloudFolder, 'cloud.db');

/** The cloud was killed while it held the shards; no test waits here until they are free. */
function letGo(): void {
  const file = new Database(databaseFile());
  file.exec('UPDATE shard_lease SET until = 0');
  file.close();
}

interface Alarm {
  readonly error: string;
  readonly errorDetails: { readonly errors: readonly { readonly code: string; readonly path: string }[] };
}

const mark = () =>
  databaseCommands.markRestored({ flags: { data: site.cloudFolder }, environment: {}, file: {} });

async function ask(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const answer = await fetch(`${site.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, ...((await answer.json()) as object) };
}

const provision = async (deviceId: string, description = '') =>
  expect(
    await ask('PUT', `/provisioning/device/${site.domain}`, {
      deviceId,
      authType: 'deviceid',
      srtp: 'never',
      description,
    }),
  ).toMatchObject({ status: 200 });

/** Files on the disk of the host, by the description of a device. */
function onHost(): { rev: number; twinRev: number; devices: ReadonlyMap<string, string> } {
  const file = new Database(join(site.applianceFolder, 'config.db'), { readonly: true });
  const standing = file.prepare("SELECT rev FROM standing WHERE scope = 'tenant'").get() as { rev: number };
  const twin = file.prepare('SELECT compact FROM twin').get() as { compact: string } | undefined;
  const rows = file.prepare("SELECT id, body FROM replica WHERE entity = 'device'").all() as {
    id: string;
    body: string;
  }[];
  file.close();
  const payload = Buffer.from(twin?.compact.split('.')[1] ?? 'e30', 'base64url').toString();
  const { twinRev = 0 } = JSON.parse(payload) as { twinRev?: number };
  const described = rows.map(
    ({ id, body }) => [id, (JSON.parse(body) as { description?: string }).description ?? ''] as const,
  );
  return { rev: standing.rev, twinRev, devices: new Map(described) };
}

const takes = async (deviceId: string, description?: string) =>
  expect(await until(() => onHost().devices.get(deviceId) === description, WITHIN_MS)).toBe(true);

it('a backup that was put back and marked is what the host takes, and it goes on from there', async () => {
  await provision('kept', 'as in the backup');
  await takes('kept', 'as in the backup');
  await site.killCloud();
  for (const end of ['', '-wal'])
    copyFileSync(`${databaseFile()}${end}`, join(site.cloudFolder, `backup${end}`));

  await site.startCloud();
  for (let i = 0; i < 5; i++) await provision('kept', `lost change ${i}`);
  await provision('lost', 'made after the backup');
  await takes('lost', 'made after the backup');
  await takes('kept', 'lost change 4');
  const before = onHost();
  expect(await mark()).toMatchObject({ ok: false, error: { code: 'running' } });
  await site.killCloud();

  for (const end of ['', '-wal', '-shm']) rmSync(`${databaseFile()}${end}`, { force: true });
  for (const end of ['', '-wal'])
    copyFileSync(join(site.cloudFolder, `backup${end}`), `${databaseFile()}${end}`);
  letGo();
  const marked = await mark();
  if (!marked.ok) throw new Error(marked.error.reason);
  expect(marked.value).toMatchObject({ hosts: 1, newestAt: expect.any(Number) });
  expect(marked.value.scopes).toBeGreaterThanOrEqual(4);

  await site.startCloud();
  await takes('kept', 'as in the backup');
  await takes('lost', undefined);
  const restored = onHost();
  expect(restored.rev).toBeGreaterThan(before.rev);
  expect(restored.rev).toBeGreaterThan(1_000_000);
  expect(restored.twinRev).toBeGreaterThan(before.twinRev);
  await provision('kept', 'changed after it');
  await takes('kept', 'changed after it');
  expect(onHost().rev).toBe(restored.rev + 1);
  expect(await ask('GET', `/provisioning/audit/${site.domain}?order=newest`)).toMatchObject({
    status: 200,
    entries: expect.arrayContaining([expect.objectContaining({ action: 'restore', entity: 'database' })]),
  });
}, 90_000);

it('another signing key that was announced comes to the host by the one that it knows', async () => {
  const keys = () => {
    const file = new Database(join(site.applianceFolder, 'config.db'), { readonly: true });
    const rows = file.prepare("SELECT id FROM replica WHERE entity = 'verifykey'").all() as { id: string }[];
    file.close();
    return rows.map(({ id }) => id).toSorted();
  };
  const settings = { flags: { data: site.cloudFolder }, environment: {}, file: {} };
  expect(await databaseCommands.rotateSigning(settings)).toMatchObject({ error: { code: 'running' } });
  await site.killCloud();
  letGo();
  const announced = await databaseCommands.rotateSigning(settings);
  if (!announced.ok) throw new Error(announced.error.reason);
  const { before, after } = announced.value;
  expect(keys()).toEqual([before]);
  await site.startCloud();
  expect(await until(() => keys().length === 2, WITHIN_MS)).toBe(true);
  expect(keys()).toEqual([before, after].toSorted());
  await provision('later', 'still read');
  await takes('later', 'still read');
}, 90_000);

it('a maintenance window lies on the disk of the host until a person ends it', async () => {
  const windows = () => {
    const file = new Database(join(site.applianceFolder, 'config.db'), { readonly: true });
    const query = "SELECT id, body FROM replica WHERE scope = 'site' AND entity = 'maintenance'";
    const rows = file.prepare(query).all() as { id: string; body: string }[];
    file.close();
    return rows.map(({ id, body }) => ({ id, ...(JSON.parse(body) as object) }));
  };
  const { data } = (await ask('GET', `/site/${site.domain}`)) as { data: { sites: { siteId: string }[] } };
  const request = { siteId: data.sites[0]?.siteId, duration: 600, reason: 'a new switch' };
  const opened = await ask('POST', `/site/${site.domain}/maintenance`, request);
  const { windowId, startsAt, endsAt } = opened.window as Record<string, unknown>;
  expect(await until(() => windows().length === 1, WITHIN_MS)).toBe(true);
  expect(windows()).toEqual([{ id: windowId, startsAt, endsAt }]);
  await ask('DELETE', `/site/${site.domain}/maintenance/${String(windowId)}`);
  expect(await until(() => windows().length === 0, WITHIN_MS)).toBe(true);
}, 90_000);

it('a table that was wiped in the cloud does not empty the host, which follows again when a person decides', async () => {
  const many = Array.from({ length: 25 }, (_, n) => `room-${n}`);
  for (const deviceId of many) await provision(deviceId, 'in use');
  await takes('room-24', 'in use');
  const before = onHost();
  await site.killCloud();
  const file = new Database(databaseFile());
  file.pragma('foreign_keys = OFF');
  file.exec("DELETE FROM device; DELETE FROM config_change WHERE scope = 'tenant' AND entity = 'device'");
  file.close();
  letGo();
  await site.startCloud();

  // The next change, whatever it is, brings the loss to light.
  await provision('after', 'the wipe');
  const refusals = async () => {
    const { alarms } = (await ask('GET', `/site/${site.domain}/alarm?status=active`)) as { alarms: Alarm[] };
    return alarms
      .filter(({ error }) => error === 'configRejected')
      .flatMap((each) => each.errorDetails.errors);
  };
  await expect
    .poll(refusals, { timeout: WITHIN_MS, interval: 100 })
    .toEqual([expect.objectContaining({ code: 'safetyLimit', path: '/device' })]);
  expect(onHost()).toMatchObject({ rev: before.rev, devices: before.devices });

  // An intended removal goes through, also where only a snapshot can bring it; the alarm is over.
  const all = { confirmDeleteAll: true };
  expect(await ask('DELETE', `/provisioning/device/${site.domain}`, all)).toMatchObject({ status: 200 });
  expect(await until(() => onHost().devices.size === 0, WITHIN_MS)).toBe(true);
  for (const deviceId of many) await provision(deviceId, 'put back');
  await takes('room-24', 'put back');
  await expect.poll(refusals, { timeout: WITHIN_MS, interval: 100 }).toEqual([]);
}, 90_000);
