import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { compactVerify, decodeProtectedHeader } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CARILLON } from '../support/program/program.ts';

const PASSWORD = 'correct horse battery';

/** The cloud as a process of its own, with what it printed before it was ready. */
interface Cloud {
  readonly child: ChildProcessWithoutNullStreams;
  readonly base: string;
  readonly printed: string;
}

async function launch(data: string): Promise<Cloud> {
  const child = spawn(process.execPath, [CARILLON, 'cloud'], {
    cwd: data,
    env: {
      ...process.env,
      CARILLON_DATA: data,
      CARILLON_HTTP: '127.0.0.1:0',
      CARILLON_EDGE: '127.0.0.1:0',
      CARILLON_MQTT_LISTEN: '127.0.0.1:0',
      CARILLON_RATE_LIMITS: 'off',
      CARILLON_LOG: 'error',
    },
  });
  let printed = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += String(chunk)));
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    const ready = /^ready (\{.*\})$/m.exec(printed)?.[1];
    if (ready === undefined) continue;
    const { api } = JSON.parse(ready) as { api: string };
    return { child, base: api, printed };
  }
  throw new Error(`the cloud did not start: ${errors}`);
}

async function end(cloud: Cloud, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  const exited = once(cloud.child, 'exit');
  cloud.child.kill(signal);
  await exited;
}

describe('the cloud as a process', () => {
  const data = mkdtempSync(join(tmpdir(), 'carillon-process-'));
  let cloud: Cloud;
  beforeAll(async () => {
    cloud = await launch(data);
  });
  afterAll(async () => {
    await end(cloud, 'SIGTERM');
    rmSync(data, { recursive: true });
  });

  async function call(method: string, path: string, init: RequestInit = {}) {
    const token = readFileSync(join(data, 'bootstrap-token'), 'utf8').trim();
    const answer = await fetch(`${cloud.base}${path}`, {
      method,
      ...init,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...init.headers },
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as Record<string, unknown>,
    };
  }
  const json = (value: unknown): RequestInit => ({ body: JSON.stringify(value) });

  test('first start prints a link by which the owner comes in; the next start prints none', async () => {
    const link = /^set-up link.*: (http:\S+\/setup\/\S+)$/m.exec(cloud.printed)?.[1] ?? '';
    expect((await fetch(link)).status).toBe(200);
    const path = new URL(link).pathname;
    const visitor = { headers: { Authorization: '' } };
    const taken = await call('POST', path, {
      ...visitor,
      ...json({ email: 'root@care.example', password: PASSWORD }),
    });
    expect(taken.body).toEqual({ success: true });
    const signedIn = await call('POST', '/session', {
      ...visitor,
      ...json({ email: 'root@care.example', password: PASSWORD }),
    });
    // Plain http on loopback: no browser would keep a Secure cookie here.
    const cookie = signedIn.headers.getSetCookie().find((each) => each.startsWith('carillon=')) ?? '';
    expect(cookie).toMatch(/^carillon=cs_[^;]+; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Strict$/);
    const made = await fetch(`${cloud.base}/platform/tenant`, {
      method: 'POST',
      headers: {
        Cookie: cookie.split(';')[0] ?? '',
        'X-CSRF-Token': String(signedIn.body.csrfToken),
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ domain: 'a.test' }),
    });
    expect(made.status).toBe(200);
    await end(cloud, 'SIGTERM');
    cloud = await launch(data);
    expect(cloud.printed).not.toContain('/setup/');
  });

  test('a device token is signed by a key that every host gets with the platform scope', async () => {
    const tablet = { deviceId: 'tablet-7', authType: 'userid', srtp: 'always', password: PASSWORD };
    expect((await call('PUT', '/provisioning/device/a.test', json(tablet))).status).toBe(200);
    const body = { domain: 'a.test', deviceId: 'tablet-7', password: PASSWORD };
    const { token } = (await call('POST', '/authorize', json(body))).body as { token: string };
    const database = new Database(join(data, 'cloud.db'), { readonly: true });
    const row = database
      .prepare("SELECT body FROM config_change WHERE scope = 'platform' AND entity = 'verifykey' AND id = ?")
      .get(decodeProtectedHeader(token).kid) as { body: string };
    database.close();
    const key = createPublicKey({ key: JSON.parse(row.body) as Record<string, string>, format: 'jwk' });
    const { payload } = await compactVerify(token, key, { algorithms: ['EdDSA'] });
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({ domain: 'a.test', sub: 'tablet-7' });
  });

  test('kill -9 during a load loses no row that was counted, and the job says where it ended', async () => {
    const before = await counted();
    const rows = Array.from({ length: 60_000 }, (_, i) => `load-${i},deviceid,negotiated,Unit ${i}`);
    const path = '/provisioning/device/a.test/bulk/killed';
    const text = ['deviceId,authType,srtp,description', ...rows].join('\n');
    const csv = { headers: { 'Content-Type': 'text/csv' }, body: text };
    expect((await call('PUT', path, csv)).body).toEqual({ success: true, id: 'killed' });
    const statusOf = async () =>
      (await call('GET', path)).body.status as { status: string; rows: number; reason?: string };
    let answered = await statusOf();
    while (answered.rows < 3_000) answered = await statusOf();
    expect(answered.status).toBe('STARTED');
    await end(cloud, 'SIGKILL');
    cloud = await launch(data);
    const after = await statusOf();
    expect(after.status).toBe('FAILED');
    expect(after.rows).toBeGreaterThanOrEqual(answered.rows);
    expect(after.rows).toBeLessThan(60_000);
    expect(after.reason).toBe(
      `the program ended during the import; ${after.rows} of the first ${after.rows} rows were applied`,
    );
    expect((await counted()) - before).toBe(after.rows);
    expect((await call('GET', `/provisioning/device/a.test/load-${after.rows - 1}`)).status).toBe(200);
    expect((await call('GET', `/provisioning/device/a.test/load-${after.rows}`)).status).toBe(404);
  }, 60_000);

  async function counted(): Promise<number> {
    const { message } = (await call('DELETE', '/provisioning/device/a.test', json({}))).body as {
      message: string;
    };
    return Number.parseInt(message, 10);
  }
});
