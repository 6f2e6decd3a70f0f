import type { ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ClaimFile } from '#shared/contract/site/index.ts';
import { claimFile, claimSigner } from '#test/support/claim-file.ts';
import { bySize } from '#test/support/vitest/rounds.ts';
import { refused } from './life/stage.ts';
import { leftovers } from './support/leftover.ts';
import { begins, boot, type Machine } from './support/machine.ts';
import { done, type Ran } from './support/program.ts';
import { signed } from './support/release.ts';

/** Debian 13: the ways into a site that are not a typed code, an enrolment that is cut, and what the site asks of its root. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-enrolment-'));
/** By `.ci/run --long` seven enrolments that are cut, each with two starts of the service: a busy machine takes its time. */
const LONG_MS = 800_000;
let machine: Machine;
let cloud: ChildProcess;
let said: Readonly<
  Record<'qr' | 'claimFile' | 'claimCode' | 'domain' | 'site' | 'releases' | 'token' | 'ca', string>
>;

beforeAll(async () => {
  machine = await boot('trixie');
  machine.put(release.runFile, '/root/carillon.run');
  cloud = machine.beside([process.execPath, 'test/system/support/control-plane.ts', folder]);
  const ready = new Promise<string>((resolve) => {
    const lines = createInterface({ input: cloud.stdout ?? process.stdin });
    lines.on('line', (line) => line.includes('"ready":true') && resolve(line));
  });
  machine.write('/root/site.toml', 'address = "127.0.0.1"\nallow_private = "127.0.0.0/8,::1/128"\n');
  const words = ['--yes', '--no-selftest', '--answers', '/root/site.toml'];
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

test('a host that is installed and fails its self-test says so with 3, and serves', async () => {
  const words = ['--yes', '--answers', '/root/site.toml', '--cloud', 'https://cloud.invalid'];
  const ran = await machine.in(['sh', '/root/carillon.run', ...words]);
  refused(ran, 3, /Installed, but the self-test failed at: .*DNS.*Look at carillon selftest/);
  await machine.until(({ active }) => active === 'active', 60_000);
  const tested = await machine.carillon('selftest', '--json');
  expect(tested.code, tested.err).toBe(3);
  await machine.sh(`sed -i '/^cloud/d' /etc/carillon/appliance.toml; systemctl restart carillon-appliance`);
});

test('a host enrols by the text of a QR code', async () => {
  const ran = await machine.carillon('enrol', '--qr', said.qr, '--host-id', 'by-qr');
  expect(ran.code, ran.err + ran.out).toBe(0);
  expect(ran.out).toMatch(/by-qr.*demo\.carillon\.test/);
});

test('a host whose enrolment is cut at any step serves, and is enrolled by the next try', {
  timeout: LONG_MS,
}, async () => {
  await fresh();
  await machine.sh(`sed -i '/^cloud\\|^claim\\|^host_id/d' /etc/carillon/appliance.toml`);
  await machine.sh('systemctl restart carillon-appliance');
  const words = [
    'enrol',
    said.claimCode,
    '--cloud',
    'http://127.0.0.1:8080',
    '--host-id',
    'demo-host',
    '--json',
  ];
  const enrolled = /^\{"enrolment":"enrolled"/;
  const steps = bySize(
    ['configuration', 'confirm'],
    ['guard', 'folders', 'configuration', 'service', 'ready', 'confirm'],
  );
  for (const line of [enrolled, ...steps.map(begins)]) {
    const argv = ['/usr/local/bin/carillon', ...words];
    await machine.cut(argv, line);
    // As a reboot would: it must come up with the keys and without the configuration.
    if (line === enrolled) await machine.sh('systemctl restart carillon-appliance');
    await machine.until(({ active }) => active === 'active', 30_000);
    expect((await machine.sh('find /var/lib/carillon ! -user carillon')).out, String(line)).toBe('');
  }
  const ran = await machine.carillon(...words);
  expect(ran.code, ran.err + ran.out).toBe(0);
  expect(machine.read('/etc/carillon/appliance.toml')).toContain('cloud = "http://127.0.0.1:8080"');
  expect((await machine.carillon('status')).out).toMatch(/demo-host.*demo\.carillon\.test/);
  expect(await leftovers(machine)).toEqual([]);
});

/** A request of the owner of the platform, from the network of the machine. */
async function api(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const headers = { authorization: `Bearer ${said.token}`, 'content-type': 'application/json' };
  const request = JSON.stringify({ method, headers, ...(body && { body: JSON.stringify(body) }) });
  const script = `fetch('http://127.0.0.1:8080${path}', ${request}).then((answer) => answer.text()).then(console.log)`;
  const child = machine.beside([process.execPath, '-e', script]);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return JSON.parse(text);
}

test('a host that waits to be commissioned waits on over a start, and comes into service by itself', {
  timeout: LONG_MS,
}, async () => {
  await fresh();
  await machine.sh(`sed -i '/^cloud\\|^claim\\|^host_id/d' /etc/carillon/appliance.toml`);
  await machine.sh('systemctl restart carillon-appliance');
  const claim = await api('POST', `/site/${said.domain}/${said.site}/claim`, { autoCommission: false });
  const words = ['--cloud', 'http://127.0.0.1:8080', '--host-id', 'patient'];
  const ran = await machine.carillon('enrol', String(claim.claimCode), ...words);
  expect(ran.code, ran.err + ran.out).toBe(0);
  expect(ran.out).toMatch(/patient waits to be commissioned/);
  await machine.sh('systemctl restart carillon-appliance');
  await machine.until(({ active }) => active === 'active', 60_000);
  expect((await machine.carillon('status')).out).toContain('not enrolled');
  const host = [said.domain, said.site, 'patient'];
  const login = ['--cloud', 'http://127.0.0.1:8080', '--token', said.token];
  const commissioned = await machine.carillon('host', 'commission', ...host, ...login);
  expect(commissioned.code, commissioned.err).toBe(0);
  await expect
    .poll(async () => (await machine.carillon('status')).out, { timeout: 120_000, interval: 1_000 })
    .toMatch(/patient.*demo\.carillon\.test/);
});

test('a host enrols by a claim file while the line is down, when it is up again', async () => {
  await fresh();
  machine.write('/root/claim.json', said.claimFile);
  const real = JSON.parse(said.claimFile) as ClaimFile;
  const enrolsBy = (file: ClaimFile, ...words: readonly string[]) => {
    machine.write('/root/other.json', JSON.stringify(file));
    return machine.carillon('enrol', '--file', '/root/other.json', ...words);
  };
  // A fault of a file shows without a line.
  const stranger = claimSigner();
  const { key: _, signature: __, ...words } = real;
  refused(await enrolsBy({ ...real, cloud: 'http://127.0.0.1:9' }), 65, /altered since.*Do not use it/);
  refused(await enrolsBy(await claimFile(stranger, { ...words, expiresAt: 1 })), 76, /1970.*Fetch a new one/);
  machine.write('/root/half.json', said.claimFile.slice(0, 200));
  refused(
    await machine.carillon('enrol', '--file', '/root/half.json'),
    65,
    /not a claim file.*Fetch it again/,
  );
  const set = await machine.carillon('configure', '--yes', '--site-id', 'elsewhere');
  expect(set.code, set.err).toBe(0);
  refused(await enrolsBy(real), 65, /belongs to elsewhere.*Fetch a claim file of that site/);
  await machine.sh(`sed -i '/^site_id/d' /etc/carillon/appliance.toml`);
  await machine.sh('systemctl restart carillon-appliance');
  // The signer of another file still leads the machine here: this control plane is not the one that signed it.
  const foreign = await claimFile(stranger, words);
  refused(await enrolsBy(foreign, '--host-id', 'by-file'), 76, /not the one that has signed.*Ask for a new/);
  const used = said.qr.split('=').at(-1) ?? '';
  refused(await enrolsBy(await claimFile(stranger, { ...words, claimCode: used })), 76, /Ask for a new code/);
  cloud.kill('SIGSTOP');
  const offline = await machine.carillon('enrol', '--file', '/root/claim.json', '--host-id', 'by-file');
  refused(offline, 75, /cannot be reached/);
  cloud.kill('SIGCONT');
  await machine.sh('systemctl reset-failed carillon-appliance; systemctl restart carillon-appliance');
  await expect
    .poll(async () => (await machine.carillon('status')).out, { timeout: 90_000, interval: 1_000 })
    .toMatch(/by-file.*demo\.carillon\.test/);
});

describe('a release that the site is asked to take', () => {
  const NEW = '0.2.0';
  const slot = (version: string) => `/opt/carillon/releases/${version}`;

  beforeAll(async () => {
    machine.write(
      `${slot(release.version)}/assets/installer/io/release-keys.pub`,
      readFileSync(release.publicKey, 'utf8'),
    );
    machine.put(said.ca, '/etc/carillon/releases-ca.pem');
    await machine.sh(
      'chown root:carillon /etc/carillon/releases-ca.pem; chmod 640 /etc/carillon/releases-ca.pem',
    );
    const trust = ['--trust', '/etc/carillon/releases-ca.pem', '--claim', '0000000000'];
    const set = await machine.carillon('configure', '--yes', ...trust);
    expect(set.code, set.err).toBe(0);
    mkdirSync(join(folder, 'release'));
    const stranger = join(folder, 'stranger.key');
    await done(['minisign', '-G', '-W', '-f', '-p', `${stranger}.pub`, '-s', stranger]);
    const script = join(folder, 'script');
    writeFileSync(script, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    await offered(release.binary, 'asked-good', {});
    await offered(script, 'asked-foreign', { key: stranger });
    writeFileSync(join(folder, 'release', 'asked-unsigned'), '#!/bin/sh\nexit 1\n');
  });

  async function offered(from: string, name: string, words: { readonly key?: string }): Promise<void> {
    const file = await signed(release, from, name, { version: NEW, ...words });
    for (const ending of ['', '.minisig']) renameSync(file + ending, join(folder, 'release', name + ending));
  }

  /** The operator, somewhere else, until the host is connected. */
  async function asked(name: string): Promise<Ran> {
    const host = [said.domain, said.site, 'by-file'];
    const login = ['--cloud', 'http://127.0.0.1:8080', '--token', said.token];
    const words = ['host', 'upgrade', ...host, '--from', `${said.releases}/${name}`, ...login];
    let ran = await machine.carillon(...words);
    for (
      const until = Date.now() + 30_000;
      Date.now() < until && /unreachable|not connected/i.test(ran.err);
    )
      ran = await machine.carillon(...words);
    return ran;
  }

  /** Entries of the tenant's journal about it, the newest first. */
  async function notes(): Promise<readonly Record<string, unknown>[]> {
    const { entries } = (await api('GET', `/provisioning/audit/${said.domain}?order=newest`)) as {
      entries: { action: string; detail: Record<string, unknown> }[];
    };
    return entries.filter(({ action }) => action === 'host.upgrade').map(({ detail }) => detail);
  }

  const outcome = (file: string) =>
    expect.poll(async () => (await notes()).find((each) => each.file === file), {
      timeout: 120_000,
      interval: 1_000,
    });

  /** As a power cut does: the command ends in the midst of it, and so do the timers. */
  async function cutInTheMidst(): Promise<void> {
    const journal = '/var/lib/carillon-update/journal.jsonl';
    const begun = `grep -q '"step":"switch","state":"begun"' ${journal} && ! grep -q '"end":' ${journal}`;
    // A caller that asks systemd for a start before it has seen the command's end joins that one and begins nothing.
    const ended = 'systemctl is-failed --quiet carillon-maintenance.service';
    const cut = await machine.sh(
      `until ${begun}; do sleep 0.1; done; systemctl kill --signal=KILL carillon-maintenance.service; until ${ended}; do sleep 0.1; done`,
      60_000,
    );
    expect(cut.code, cut.err).toBe(0);
    await machine.sh('systemctl stop carillon-upgrade-watch.timer carillon-upgrade-confirm.timer');
    await machine.sh('systemctl reset-failed carillon-maintenance');
  }

  test('is not fetched without its signature', async () => {
    const ran = await asked('asked-unsigned');
    expect(ran.code, ran.out).not.toBe(0);
    expect(ran.err).toMatch(/signature did not come.*404/);
    expect((await machine.sh('ls /var/lib/carillon/request')).code).not.toBe(0);
  });

  test('is refused by root when another key has signed it, and the site gets the reason', async () => {
    const ran = await asked('asked-foreign');
    expect(ran.code, ran.err + ran.out).toBe(0);
    await outcome('asked-foreign').toMatchObject({
      code: 65,
      sentence: expect.stringContaining('key that this program does not know'),
      release: release.version,
    });
    expect(await machine.unit()).toMatchObject({ active: 'active', slot: release.version });
    expect(await leftovers(machine)).toEqual([]);
  });

  test('is nothing when the appliance lays a link before root', async () => {
    const place = '/var/lib/carillon/request';
    const request = JSON.stringify({ v: 1, kind: 'upgrade', file: 'link', by: 'x', at: 1 });
    const whole = `ln -s /etc/shadow link; ln -s /etc/shadow link.minisig; echo '${request}' >part; mv part wanted.json`;
    for (const lines of [
      `mkdir ${place}; cd ${place}; ${whole}`,
      `mkdir ${place}; ln -s /etc/shadow ${place}/wanted.json`,
      `mkdir /var/lib/carillon/theirs; cp /etc/hostname /var/lib/carillon/theirs/wanted.json; ln -s /var/lib/carillon/theirs ${place}`,
    ]) {
      machine.write('/var/tmp/lay.sh', `set -e\n${lines}\n`, 0o755);
      const laid = await machine.sh(
        'setpriv --reuid=carillon --regid=carillon --clear-groups sh /var/tmp/lay.sh',
      );
      expect(laid.code, laid.err).toBe(0);
      await expect
        .poll(async () => (await machine.sh(`ls ${place}/wanted.json`)).code, { timeout: 30_000 })
        .not.toBe(0);
      await machine.sh('systemctl start carillon-maintenance.service');
      expect(await leftovers(machine), lines).toEqual([]);
      expect(await machine.unit()).toMatchObject({ active: 'active', slot: release.version });
    }
    expect((await machine.sh('stat -c %U:%G /etc/shadow')).out.trim()).toBe('root:shadow');
    expect((await machine.sh('journalctl -u carillon-maintenance -o cat')).out).toContain(
      'were not a complete release',
    );
  });

  test('is reported after a start of the machine that cut it, and a trial continues', async () => {
    const { out: exe } = await machine.sh('readlink -f /usr/local/bin/carillon');
    expect((await asked('asked-good')).code).toBe(0);
    await cutInTheMidst();
    const again = await machine.sh('systemctl start carillon-maintenance.service', 60_000);
    expect(again.code, (await machine.sh('journalctl -u carillon-maintenance -n 40 -o cat')).out).toBe(0);
    await outcome('asked-good').toMatchObject({ code: 4, release: release.version });
    expect((await machine.sh('readlink -f /usr/local/bin/carillon')).out).toBe(exe);
    await machine.until(({ active }) => active === 'active', 60_000);
    expect(await leftovers(machine)).toEqual([]);

    machine.write('/var/lib/carillon-update/pending', `${release.version}\n`, 0o600);
    const trial = async () =>
      (await machine.sh('systemctl is-active carillon-upgrade-confirm.timer')).out.trim();
    expect(await trial()).toBe('inactive');
    await machine.sh('systemctl start carillon-maintenance.service');
    expect(await trial()).toBe('active');
    await machine.sh('systemctl stop carillon-upgrade-confirm.timer; rm /var/lib/carillon-update/pending');
  });

  test('is fetched, verified by root and taken, also when the try before was cut and nothing has started since', async () => {
    expect((await asked('asked-good')).code).toBe(0);
    await cutInTheMidst();
    const ran = await asked('asked-good');
    expect(ran.code, ran.err + ran.out).toBe(0);
    expect(ran.out).toContain('asked-good');
    await machine.until(({ active, slot: now }) => active === 'active' && now === NEW, 120_000);
    await outcome('asked-good').toMatchObject({ code: 0, release: NEW });
    expect((await machine.sh('ls /var/lib/carillon/request /var/lib/carillon-update/wanted')).out).toBe('');
    const back = await machine.carillon('rollback', '--yes');
    expect(back.code, back.err).toBe(0);
    expect(await leftovers(machine)).toEqual([]);
  });
});
