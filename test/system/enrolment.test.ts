import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { refused } from './life/stage.ts';
import { boot, type Machine } from './support/machine.ts';

/** Debian 13: the ways into a site that are not a typed code. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-enrolment-'));
let machine: Machine;
let cloud: ChildProcess;
let said: { readonly qr: string; readonly claimFile: string };

beforeAll(async () => {
  machine = await boot('trixie');
  machine.put(release.runFile, '/root/carillon.run');
  cloud = machine.beside([process.execPath, 'test/system/support/control-plane.ts', folder]);
  const ready = new Promise<string>((resolve) => {
    const lines = createInterface({ input: cloud.stdout ?? process.stdin });
    lines.on('line', (line) => line.includes('"ready":true') && resolve(line));
  });
  const words = [
    '--yes',
    '--no-selftest',
    '--address',
    '127.0.0.1',
    '--allow-private',
    '127.0.0.0/8,::1/128',
  ];
  const ran = await machine.in(['sh', '/root/carillon.run', ...words]);
  expect(ran.code, ran.err + ran.out).toBe(0);
  said = JSON.parse(await ready);
});
afterAll(async () => {
  cloud?.kill();
  await machine?.off();
  rmSync(folder, { recursive: true, force: true });
});

/** Another machine, as far as a control plane can see. */
const fresh = () =>
  machine.sh(
    'systemctl stop carillon-appliance; rm -r /var/lib/carillon; install -d -m 700 -o carillon -g carillon /var/lib/carillon; systemctl reset-failed carillon-appliance',
  );

test('a host enrols by the text of a QR code', async () => {
  const ran = await machine.carillon('enrol', '--qr', said.qr, '--host-id', 'by-qr');
  expect(ran.code, ran.err + ran.out).toBe(0);
  expect(ran.out).toMatch(/by-qr.*demo\.carillon\.test/);
});

test('a host enrols by a claim file while the line is down, when it is up again', async () => {
  await fresh();
  machine.write('/root/claim.json', said.claimFile);
  machine.write('/root/old.json', JSON.stringify({ ...JSON.parse(said.claimFile), expiresAt: 1 }));
  refused(await machine.carillon('enrol', '--file', '/root/old.json'), 76, /1970/);
  cloud.kill('SIGSTOP');
  const offline = await machine.carillon('enrol', '--file', '/root/claim.json', '--host-id', 'by-file');
  refused(offline, 75, /cannot be reached/);
  cloud.kill('SIGCONT');
  await machine.sh('systemctl reset-failed carillon-appliance; systemctl restart carillon-appliance');
  await expect
    .poll(async () => (await machine.carillon('status')).out, { timeout: 90_000, interval: 1_000 })
    .toMatch(/by-file.*demo\.carillon\.test/);
});
