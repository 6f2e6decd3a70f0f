import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningCloud, start } from '#cloud/main.ts';
import { eventually } from '#test/cloud/io/broker/stage.ts';
import { fillDisk } from '#test/support/storage/full-disk.ts';
import { runProgram } from '../support/program.ts';

const folder = mkdtempSync(join(tmpdir(), 'carillon-full-'));
const disk = join(folder, 'disk');
const filler = join(disk, 'filler');
let cloud: RunningCloud;
let token: string;

beforeAll(async () => {
  mkdirSync(disk);
  expect(await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', disk])).toMatchObject({
    code: 0,
  });
  const started = await start({
    flags: {},
    environment: {
      CARILLON_DATA: join(disk, 'cloud'),
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_LOG: 'error',
      CARILLON_RATE_LIMITS: 'off',
    },
    file: {},
  });
  if (!started.ok) throw new Error(started.error.reason);
  cloud = started.value;
  token = readFileSync(join(disk, 'cloud', 'bootstrap-token'), 'utf8').trim();
});
afterAll(async () => {
  await cloud?.close();
  await runProgram('umount', [disk]);
  rmSync(folder, { recursive: true, force: true });
});

async function ask(method: string, path: string, body?: unknown) {
  const answer = await fetch(`${String(cloud.ready.api)}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

let tenants = 0;
const addTenant = () =>
  ask('POST', '/platform/tenant', { domain: `t${++tenants}.test`, name: 'x'.repeat(200) });

it('a control plane whose disk is full says so by /readyz, goes on reading, and is ready again when there is room', async () => {
  expect((await ask('GET', '/readyz')).status).toBe(200);
  expect((await addTenant()).status).toBe(200);
  fillDisk(filler);
  // Pages that the journal of the database has already are written over first.
  const refused = await eventually(async () => {
    const answer = await addTenant();
    return answer.status === 200 ? undefined : answer;
  }, 'a write that is refused');
  expect(refused).toMatchObject({ status: 507, body: { success: false, error: { code: 'storageFull' } } });
  const full = 'the disk is full: free disk space';
  expect(await ask('GET', '/readyz')).toEqual({
    status: 503,
    body: { success: false, reason: full, error: { code: 'notReady', reasons: [full] } },
  });
  expect(await ask('GET', '/healthz')).toEqual({ status: 200, body: { success: true } });
  expect((await ask('GET', '/platform/tenant')).status).toBe(200);
  rmSync(filler);
  await eventually(
    async () => ((await ask('GET', '/readyz')).status === 200 ? true : undefined),
    'readiness',
  );
  expect((await addTenant()).status).toBe(200);
});
