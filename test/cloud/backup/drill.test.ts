import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { loadIdentity } from '#appliance/io/edge/index.ts';
import { backupCommands } from '#cloud/cli/index.ts';
import { openSite, type Site, until } from '#test/support/site.ts';

const WITHIN_MS = 30_000;

let site: Site;
let place: string;
beforeAll(async () => {
  place = mkdtempSync(join(tmpdir(), 'carillon-restored-'));
  site = await openSite();
}, 90_000);
afterAll(async () => {
  await site?.close();
  rmSync(place, { recursive: true });
}, 60_000);

async function provision(deviceId: string): Promise<void> {
  const answer = await fetch(`${site.api}/provisioning/device/${site.domain}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ deviceId, authType: 'deviceid', srtp: 'never' }),
  });
  expect(answer.status).toBe(200);
}

function devicesOnHost(): ReadonlySet<string> {
  const file = new Database(join(site.applianceFolder, 'config.db'), { readonly: true });
  const rows = file.prepare("SELECT id FROM replica WHERE entity = 'device'").all() as { id: string }[];
  file.close();
  return new Set(rows.map(({ id }) => id));
}

const sources = (data: string) => ({ flags: { data }, environment: {}, file: {} });

it('a control plane restored on an empty machine is followed by its hosts without a new enrolment', async () => {
  await provision('in-the-backup');
  expect(await until(() => devicesOnHost().has('in-the-backup'), WITHIN_MS)).toBe(true);
  const enrolled = loadIdentity(site.applianceFolder)?.uid;
  expect(enrolled).toBeDefined();

  const identity = await generateIdentity();
  const file = join(place, 'cloud.age');
  const written = await backupCommands.write(sources(site.cloudFolder), {
    file,
    to: { recipients: [await identityToRecipient(identity)] },
    owner: 'the test',
    keepDays: 1,
    onProgress: () => undefined,
  });
  expect(written.ok).toBe(true);
  await provision('after-the-backup');
  expect(await until(() => devicesOnHost().has('after-the-backup'), WITHIN_MS)).toBe(true);

  // The machine is lost with its disk.
  await site.killCloud();
  rmSync(site.cloudFolder, { recursive: true });
  const restored = join(place, 'cloud');
  const by = { identities: [identity] };
  const request = { file, by, expired: false, onProgress: () => undefined };
  expect(await backupCommands.restore(sources(restored), request)).toMatchObject({
    ok: true,
    value: { marked: { hosts: 1 } },
  });
  await site.startCloud({ CARILLON_DATA: restored });

  await provision('after-the-restore');
  expect(await until(() => devicesOnHost().has('after-the-restore'), WITHIN_MS)).toBe(true);
  expect(devicesOnHost().has('in-the-backup')).toBe(true);
  expect(devicesOnHost().has('after-the-backup')).toBe(false);
  expect(loadIdentity(site.applianceFolder)?.uid).toBe(enrolled);
}, 180_000);
