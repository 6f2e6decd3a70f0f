import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '#test/appliance/io/recorder/tone.ts';
import { buildConsole } from '../../../installer/build/console.mjs';
import { CARILLON } from '../../support/program/program.ts';
import { type SignedIn, signInBrowser } from '../support/console-browser.ts';
import { runProgram } from '../support/program.ts';

/* A draft of a receiver, tried in the console on the alarms that the host of a demo has stored. */

const OFFSET = 11_250;
const SHOWN = 'Ctrl-C ends everything.';
let folder: string;
let demo: ChildProcess;
let said = '';
let ready: Record<string, string>;
let open: SignedIn;
let day: Bridge;

interface Bridge {
  readonly id: string;
  readonly name: string;
  readonly protocol: string;
}

beforeAll(async () => {
  await buildConsole();
  folder = mkdtempSync(join(tmpdir(), 'carillon-trial-'));
  demo = spawn(process.execPath, [CARILLON, 'demo', '--port-offset', String(OFFSET)], {
    cwd: folder,
    env: { ...process.env, CARILLON_DATA: join(folder, 'data'), CARILLON_LOG: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  demo.stdout?.on('data', (text) => {
    said += text;
  });
  await until(() => said.includes(SHOWN) || demo.exitCode !== null, 280_000);
  expect(said).toContain(SHOWN);
  ready = JSON.parse(said.match(/^ready (.*)$/m)?.[1] ?? '{}');
  open = await signInBrowser({ api: there('api'), owner: there('token'), domain: there('domain') });
  await open.page.setViewport({ width: 1440, height: 900 });
  const bridges = (await open.call('GET', all())).alarmbridges as readonly Bridge[];
  const scaip = bridges.find(({ protocol }) => protocol === 'scaip');
  if (scaip === undefined) throw new Error('the demo has a receiver of SCAIP');
  day = scaip;
});
afterAll(async () => {
  await open?.close();
  if (demo?.exitCode === null) {
    demo.kill('SIGINT');
    await once(demo, 'exit');
  }
  rmSync(folder, { recursive: true, force: true });
});

const there = (name: string): string => String(ready[name]);
const all = () => `/provisioning/alarmbridge/${there('domain')}`;
const goTo = (path: string) => open.page.goto(`${there('api')}/console/${path}`);
const stored = async () => {
  const { records } = await open.call('GET', `/record/${there('domain')}?kind=alarm&bridge=${day.id}`);
  return (records as readonly unknown[]).length;
};

describe('a receiver in the console', () => {
  it('is tried with another pattern, unsaved, on the alarms that came: another receiver would have got them', async () => {
    const before = await stored();
    const words = ['simulate', 'scaip', '--to', there('sip'), '--domain', there('domain'), '--talk', '0'];
    const sent = await runProgram(process.execPath, [CARILLON, ...words, '--count', '2']);
    expect(sent.code).toBe(0);
    await expect.poll(stored).toBe(before + 2);
    await open.call('POST', all(), {
      ...{ protocol: 'scaip', name: 'Night centre', destinationMatch: '^scaip', order: 2_000 },
      callbackBaseUrl: 'https://night.example/callback',
    });
    // The host has the second receiver when it names the revision.
    const revision = async () => {
      const tried = await open.call('POST', `${all()}/${day.id}/tryonhistory`, {
        alarmbridge: { protocol: 'scaip', name: 'x', destinationMatch: '^nowhere$' },
      });
      return (tried.differences as readonly { effect: string }[]).map(({ effect }) => effect);
    };
    await expect.poll(revision, { timeout: 90_000 }).toEqual(['receiver']);

    await goTo(`bridge/${day.id}`);
    await open.page.locator('main [name="destinationMatch"]').fill('^nowhere$');
    await open.sees('The control plane would take it.');
    await open.press('Try on history');
    await open.press('Try on the alarms of the last month');
    await open.sees(`${before + 2} alarms would have reached Night centre instead of ${day.name}.`);
    expect(open.complaints).toEqual([]);
  });

  it('is kept as a draft, tried from the list of drafts, and leads to the record of an example', async () => {
    await open.press('Keep as a draft');
    await open.page.waitForFunction(`location.pathname === '/console/bridge'`, { timeout: 90_000 });
    await open.press(`Alarm receiver ${day.name}`);
    await open.press('Try on history');
    await open.page.waitForFunction(`location.pathname === '/console/try-on-history/${day.id}'`, {
      timeout: 90_000,
    });
    await open.sees('would have reached Night centre instead of');
    await open.sees('on 1 host.');
    if (process.env.SHOTS !== undefined)
      for (const width of [1440, 390]) {
        await open.page.setViewport({ width, height: 900 });
        await open.page.screenshot({ path: `${process.env.SHOTS}/trial-${width}.png`, fullPage: true });
      }
    await open.page.setViewport({ width: 1440, height: 900 });
    await open.page.locator('table.trial td:last-child a').click();
    await open.page.waitForFunction(`location.pathname === '/console/record'`, { timeout: 90_000 });
    await open.sees(day.name);
    expect(open.complaints).toEqual([]);
  });
});
