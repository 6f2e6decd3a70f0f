import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { start } from '#cloud/main.ts';

const PAGE = 4_096;
const data = mkdtempSync(join(tmpdir(), 'carillon-damaged-'));
const file = join(data, 'cloud.db');

const startCloud = () =>
  start({
    flags: {},
    environment: {
      CARILLON_DATA: data,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_LOG: 'error',
    },
    file: {},
  });

async function tenantsOf(cloud: { readonly ready: Readonly<Record<string, unknown>> }, add?: string) {
  const token = readFileSync(join(data, 'bootstrap-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const url = `${String(cloud.ready.api)}/platform/tenant`;
  if (add !== undefined) await fetch(url, { method: 'POST', headers, body: JSON.stringify({ domain: add }) });
  const { tenants } = (await (await fetch(url, { headers })).json()) as { tenants: { domain: string }[] };
  return tenants.map(({ domain }) => domain);
}

async function deploymentAlarms(cloud: { readonly ready: Readonly<Record<string, unknown>> }) {
  const token = readFileSync(join(data, 'bootstrap-token'), 'utf8').trim();
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${String(cloud.ready.api)}/platform/alarm`, { headers });
  const figures = await (await fetch(`${String(cloud.ready.api)}/metrics`)).text();
  const { alarms } = (await answer.json()) as {
    alarms: { error: string; status: string; subject: string }[];
  };
  return {
    damaged: alarms.filter(({ error }) => error === 'storageDamaged'),
    counted: /^carillon_deployment_alarms\{error="storageDamaged"\} (\d+)$/m.exec(figures)?.[1],
  };
}

/** Overwrites the first page of a table or index. */
function damage(name: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number;
  db.close();
  const bytes = readFileSync(file);
  bytes.fill(0xa5, (root - 1) * PAGE, root * PAGE);
  writeFileSync(file, bytes);
}

beforeAll(async () => {
  const first = await startCloud();
  if (!first.ok) throw new Error(first.error.reason);
  expect(await tenantsOf(first.value, 'care.example')).toEqual(['care.example']);
  await first.value.close();
});
afterAll(() => rmSync(data, { recursive: true, force: true }));

test('a control plane with a damaged index goes on with all that it had', async () => {
  damage('tenant_domain');
  const again = await startCloud();
  if (!again.ok) throw new Error(again.error.reason);
  expect(await tenantsOf(again.value)).toEqual(['care.example']);
  const [aside = ''] = readdirSync(data).filter((name) => /^cloud\.db\.damaged-\d+$/.test(name));
  const reported = {
    damaged: [
      {
        status: 'active',
        subject: join(data, aside),
        message: expect.stringMatching(/read every row .*move the damaged file away/),
      },
    ],
    counted: '1',
  };
  expect(await deploymentAlarms(again.value)).toMatchObject(reported);
  await again.value.close();

  // A restart forgets nothing; a person who has moved the file away ends it.
  const later = await startCloud();
  if (!later.ok) throw new Error(later.error.reason);
  expect(await deploymentAlarms(later.value)).toMatchObject(reported);
  await later.value.close();
  rmSync(join(data, aside));
  const last = await startCloud();
  if (!last.ok) throw new Error(last.error.reason);
  expect(await deploymentAlarms(last.value)).toEqual({ damaged: [], counted: '0' });
  await last.value.close();
});

test('one that has lost the rows of its tenants does not start, and says what is missing', async () => {
  damage('tenant');
  const refused = await startCloud();
  expect(refused).toMatchObject({
    ok: false,
    error: {
      reason: expect.stringMatching(/not all rows can be read: 1 rows of tenant\. .*cloud\.db\.readable/),
    },
  });
  expect(existsSync(`${file}.readable`)).toBe(true);
});
