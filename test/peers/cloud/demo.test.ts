import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exitCode } from '#installer/exit-code.ts';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { CARILLON } from '../../support/program/program.ts';

const OFFSET = 6_300;
const WAIT_MS = 250_000;

const folder = mkdtempSync(join(tmpdir(), 'carillon-demo-'));
let demo: ChildProcess;
let said = '';
let ready: Record<string, string>;

function start(offset: number, hear: (text: string) => void): ChildProcess {
  const child = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(offset)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, String(offset)), CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (text) => hear(String(text)));
  return child;
}

async function api(method: string, path: string): Promise<Record<string, unknown>> {
  const answer = await fetch(`${ready.api}${path}`, {
    method,
    headers: { authorization: `Bearer ${ready.token}` },
  });
  return (await answer.json()) as Record<string, unknown>;
}

beforeAll(async () => {
  demo = start(OFFSET, (text) => {
    said += text;
  });
  await until(() => said.includes('Ctrl-C ends everything.') || demo.exitCode !== null, WAIT_MS);
  ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}');
}, WAIT_MS);
afterAll(async () => {
  if (demo.exitCode === null) {
    const exited = once(demo, 'exit');
    demo.kill('SIGKILL');
    await exited;
  }
  rmSync(folder, { recursive: true, force: true });
});

describe('the demo', { timeout: WAIT_MS }, () => {
  it('refuses to start with another one whose ports it would share, and names them', async () => {
    let text = '';
    const second = start(OFFSET + 1_000, (more) => {
      text += more;
    });
    const [code] = (await once(second, 'close')) as [number];
    expect({ code, text }).toEqual({
      code: exitCode.missing,
      text: expect.stringContaining(
        `UDP port ${6_060 + OFFSET} for SIP is in use; another program has it (a demo with --port-offset ${OFFSET} has DC-09 there)`,
      ),
    });
  });

  it('goes on when its only host is removed by force: the platform answers, and the operation can be read', async () => {
    const site = `/site/${ready.domain}`;
    const { operationId } = await api(
      'DELETE',
      `${site}/${ready.siteId}/host/${ready.hostId}?force=true&reason=gone`,
    );
    expect(operationId).toEqual(expect.any(String));
    await until(
      () => said.includes('the demo host was removed from its site') || demo.exitCode !== null,
      WAIT_MS,
    );
    const { operation } = await api('GET', `${site}/operation/${operationId}`);
    expect(operation).toMatchObject({ operationId, type: 'decommission', state: 'done' });
    expect(await api('GET', '/readyz')).toEqual({ success: true });
    expect(demo.exitCode).toBeNull();
    const exited = once(demo, 'exit');
    demo.kill('SIGINT');
    expect(await exited).toEqual([0, null]);
  });
});
