import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DEMO_HOST } from '#installer/step/demo-tenant.ts';
import { CARILLON } from '#test/support/program/program.ts';
import { openSite, type Site, until } from '#test/support/site.ts';
import { freePorts } from '#test/support/site-port.ts';
import { SiteProcess } from '#test/support/site-process.ts';
import { fillDisk } from '#test/support/storage/full-disk.ts';
import { runProgram } from '../support/program.ts';

/* Two machines with one identity, and every disk full: each program ends within its stated time when it is asked to. */

/** The stated time of each program, and what a loaded machine needs beside it. */
const [STATED_MS, SLACK_MS] = [15_000, 5_000];
const CLASH_WITHIN_MS = 90_000;

const folder = mkdtempSync(join(tmpdir(), 'carillon-trouble-'));
const disks = ['cloud', 'appliance', 'copy'].map((name) => join(folder, name));
const [cloudDisk = '', applianceDisk = '', copyDisk = ''] = disks;
let site: Site;
let copy: SiteProcess;

beforeAll(async () => {
  for (const disk of disks) {
    mkdirSync(disk);
    const mounted = await runProgram('mount', ['-t', 'tmpfs', '-o', 'size=48m', 'tmpfs', disk]);
    expect(mounted).toMatchObject({ code: 0 });
  }
  site = await openSite({
    cloudFolder: join(cloudDisk, 'data'),
    applianceFolder: join(applianceDisk, 'data'),
  });
  const data = join(copyDisk, 'data');
  cpSync(site.applianceFolder, data, { recursive: true, filter: (path) => !path.includes('lock.db') });
  const [sip = 0, web = 0, queue = 0, dc09 = 0] = await freePorts('127.0.0.1', 4);
  copy = new SiteProcess({
    name: 'the copy',
    command: [process.execPath, CARILLON, 'appliance'],
    environment: {
      CARILLON_ALLOW_PRIVATE: '127.0.0.0/8,::1/128',
      CARILLON_LOG: 'warn',
      CARILLON_DATA: data,
      CARILLON_CLOUD: site.api,
      CARILLON_HOST_ID: DEMO_HOST,
      CARILLON_ADDRESS: '127.0.0.1',
      CARILLON_SITE_BASE_URL: `https://127.0.0.1:${web}`,
      CARILLON_SIP_UDP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TCP: `127.0.0.1:${sip}`,
      CARILLON_SIP_TLS: '127.0.0.1:0',
      CARILLON_DC09: `127.0.0.1:${dc09}`,
      CARILLON_APPLIANCE_HTTP: `127.0.0.1:${web}`,
      CARILLON_COMMAND_QUEUE: `127.0.0.1:${queue}`,
    },
    logFile: join(folder, 'copy.log'),
  });
  await copy.start();
});
afterAll(async () => {
  await copy?.kill();
  await site?.close();
  for (const disk of disks) await runProgram('umount', [disk]);
  rmSync(folder, { recursive: true, force: true });
});

async function alarms(): Promise<string> {
  const headers = { authorization: `Bearer ${site.token}` };
  const answer = await fetch(`${site.api}/site/${site.domain}/alarm`, { headers });
  return await answer.text();
}

async function clashed(): Promise<boolean> {
  const deadline = performance.now() + CLASH_WITHIN_MS;
  while (performance.now() < deadline) {
    if ((await alarms()).includes('duplicateIdentity')) return true;
    await until(() => false, 500);
  }
  return false;
}

/** How long a program takes from the request to its end, ms. */
async function ended(stop: () => Promise<unknown>): Promise<number> {
  const begunMs = performance.now();
  await stop();
  return Math.round(performance.now() - begunMs);
}

it('programs end in time after a clash of identities and with full disks', async () => {
  expect(await clashed(), await alarms()).toBe(true);
  for (const disk of disks) fillDisk(join(disk, 'filler'));
  const headers = { authorization: `Bearer ${site.token}`, 'content-type': 'application/json' };
  const write = (n: number) =>
    fetch(`${site.api}/provisioning/device/${site.domain}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({
        deviceId: `full-${n}`,
        authType: 'disabled',
        srtp: 'never',
        description: 'x'.repeat(200),
      }),
    });
  let refused = false;
  for (let n = 0; n < 2_000 && !refused; n++) refused = (await write(n)).status === 507;
  expect(refused).toBe(true);
  const [ofCopy, ofAppliance, ofCloud] = await Promise.all([
    ended(() => copy.stop(60_000)),
    ended(() => site.stopAppliance(60_000)),
    ended(() => site.stopCloud(60_000)),
  ]);
  const held = [site.logFile.cloud, site.logFile.appliance, join(folder, 'copy.log')].map((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes('step_held')),
  );
  for (const ms of [ofCopy, ofAppliance, ofCloud]) expect(ms).toBeLessThan(STATED_MS + SLACK_MS);
  // A part that was left behind is named with its reason.
  for (const line of held.flat())
    expect(JSON.parse(line)).toMatchObject({
      step: expect.stringMatching(/./),
      reason: expect.stringMatching(/./),
    });
});
