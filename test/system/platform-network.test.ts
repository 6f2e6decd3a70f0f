import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CompactSign } from 'jose';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openReplica } from '#appliance/io/config/index.ts';
import { keysOfInstallation, openSealedDatabase } from '#cloud/installation/index.ts';
import { announceKey, openSigner } from '#cloud/io/key/index.ts';
import { createStore } from '#cloud/store/index.ts';
import { TWIN_TYP } from '#shared/contract/feed/index.ts';
import { keptKey } from '#test/support/installation/kept-key.ts';
import { leftovers } from './support/leftover.ts';
import { boot, type Machine } from './support/machine.ts';

/** Debian 13 whose network is networkd's: addresses that the control plane sets, with their way back, and what root believes. */
const release = inject('release');
const folder = mkdtempSync(join(tmpdir(), 'carillon-addresses-'));
const LONG_MS = 600_000;
const HOST = 'demo-host';
let machine: Machine;
let cloud: ChildProcess;
let said: Readonly<Record<'claimCode' | 'domain' | 'site' | 'token', string>>;

beforeAll(async () => {
  machine = await boot('trixie');
  machine.put(release.runFile, '/root/carillon.run');
  // The other end of the cable, with the gateway, is in a network of its own: here an address is asked for over the wire.
  await machine.sh(`ip netns add far; ip link add u0 type veth peer name u0-far netns far
    ip -n far address add 10.9.0.254/24 dev u0-far; ip -n far link set u0-far up`);
  const network = '[Match]\nName=u0\n\n[Network]\nAddress=10.9.0.1/24\nGateway=10.9.0.254\nDNS=10.9.0.254\n';
  machine.write('/etc/systemd/network/10-site.network', network);
  await machine.sh(
    'systemctl start systemd-networkd; ip link set u0 up; echo nameserver 10.9.0.254 > /etc/resolv.conf',
  );
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
  const login = ['--cloud', 'http://127.0.0.1:8080', '--host-id', HOST];
  const enrolled = await machine.carillon('enrol', said.claimCode, ...login);
  expect(enrolled.code, enrolled.err + enrolled.out).toBe(0);
});
afterAll(async () => {
  cloud?.kill('SIGCONT');
  cloud?.kill();
  await machine?.off();
  rmSync(folder, { recursive: true, force: true });
});

const addresses = async () => (await machine.sh('ip -4 -o address show u0')).out;
/** The network files of networkd, ours among them while one of ours is in force. */
const files = async () => (await machine.sh('ls /etc/systemd/network')).out;
const twinBefore = { text: '' };

/** The owner of the platform, somewhere else. */
async function asked(method: string, path: string, body?: object): Promise<string> {
  const setting = {
    method,
    headers: { authorization: `Bearer ${said.token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  };
  const address = `http://127.0.0.1:8080${path}`;
  const script = `fetch('${address}', ${JSON.stringify(setting)}).then((answer) => answer.text()).then(console.log)`;
  const child = machine.beside([process.execPath, '-e', script]);
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  await new Promise((resolve) => child.once('close', resolve));
  return text;
}

async function desired(...networkInterfaces: readonly string[]): Promise<void> {
  const body = { networkInterfaces, networkPrefixLength: 24 };
  const answer = await asked('POST', `/site/${said.domain}/${said.site}/host/${HOST}`, body);
  expect(JSON.parse(answer), answer).toMatchObject({ success: true });
}

interface Note {
  readonly networkInterfaces: readonly string[];
  readonly twinRev: number | null;
  readonly code: number;
  readonly sentence: string;
}

/** Outcomes of the requests in the tenant's journal, the newest first. */
async function notes(): Promise<readonly Note[]> {
  const { entries } = JSON.parse(await asked('GET', `/provisioning/audit/${said.domain}?order=newest`)) as {
    entries: { action: string; detail: Note }[];
  };
  return entries.filter(({ action }) => action === 'host.network').map(({ detail }) => detail);
}

const outcome = (count: number, withinMs = 60_000) =>
  expect
    .poll(async () => (await notes()).length, { timeout: withinMs, interval: 1_000 })
    .toBe(count)
    .then(async () => (await notes())[0]);

interface Standing {
  readonly status: string;
  readonly error: string;
  readonly errorDetails: { readonly service?: string; readonly message?: string };
}

/** Texts of alarms about the network of the host that are in this state. */
async function alarms(status: string): Promise<readonly (string | undefined)[]> {
  const found = JSON.parse(await asked('GET', `/site/${said.domain}/alarm`)) as { alarms: Standing[] };
  return found.alarms
    .filter((each) => each.status === status && each.error === 'serviceFailure')
    .filter(({ errorDetails }) => errorDetails.service === 'network')
    .map(({ errorDetails }) => errorDetails.message);
}

/** The newest twin that the appliance keeps, from a copy of its database. */
function keptTwin(): string {
  const state = join(machine.root, 'var/lib/carillon');
  const copy = mkdtempSync(join(folder, 'state-'));
  mkdirSync(copy, { recursive: true });
  for (const name of readdirSync(state).filter((each) => /^config\.db/.test(each)))
    cpSync(join(state, name), join(copy, name));
  const replica = openReplica(copy);
  try {
    return replica.twin() ?? '';
  } finally {
    replica.close();
  }
}

/** An appliance that was taken over lays before root what it likes. */
async function laid(twin: string, keys: readonly string[] = []): Promise<void> {
  const request = JSON.stringify({ v: 1, kind: 'network', twin, keys, at: 1 });
  const place = '/var/lib/carillon/network-request';
  machine.write(
    '/var/tmp/lay.sh',
    `set -e\nmkdir -p ${place}\ncd ${place}\necho '${request}' >part\nmv part wanted.json\n`,
    0o755,
  );
  const ran = await machine.sh('setpriv --reuid=carillon --regid=carillon --clear-groups sh /var/tmp/lay.sh');
  expect(ran.code, ran.err).toBe(0);
}

test('addresses that the control plane asks for are set, and stay when it is reached by them', {
  timeout: LONG_MS,
}, async () => {
  await expect.poll(addresses, { timeout: 20_000 }).toContain('10.9.0.1/24');
  await desired('10.9.0.2', '10.9.0.3');
  await expect.poll(addresses, { timeout: 60_000 }).toContain('10.9.0.2/24');
  const note = await outcome(1);
  expect(note).toMatchObject({ code: 0, networkInterfaces: ['10.9.0.2', '10.9.0.3'] });
  expect(note?.sentence).toContain('was reached');
  expect(await addresses()).toContain('10.9.0.3/24');
  expect(await addresses()).not.toContain('10.9.0.1/24');
  expect((await machine.sh('ip route show default')).out).toContain('via 10.9.0.254 dev u0');
  expect(machine.read('/etc/systemd/network/05-carillon-u0.network')).toContain('DNS=10.9.0.254');
  await expect.poll(() => leftovers(machine), { timeout: 20_000 }).toEqual([]);
  twinBefore.text = keptTwin();
});

test('a request that the gateway does not fit changes nothing, and the site hears why', {
  timeout: LONG_MS,
}, async () => {
  await desired('10.77.0.2');
  expect(await outcome(2)).toMatchObject({
    code: 69,
    sentence: expect.stringContaining('gateway 10.9.0.254'),
  });
  expect(await addresses()).toContain('10.9.0.2/24');
});

test('root follows no twin that is older, was altered, or was never signed', {
  timeout: LONG_MS,
}, async () => {
  await laid(twinBefore.text);
  expect(await outcome(3)).toMatchObject({
    code: 76,
    twinRev: null,
    sentence: expect.stringContaining('came after'),
  });
  const [head = '', body = '', signature = ''] = keptTwin().split('.');
  const forged = JSON.parse(Buffer.from(body, 'base64url').toString()) as { twinRev: number; net: object };
  const payload = { ...forged, twinRev: forged.twinRev + 9, net: { ifs: ['10.9.0.66'], prefix: 24 } };
  await laid([head, Buffer.from(JSON.stringify(payload)).toString('base64url'), signature].join('.'));
  expect(await outcome(4)).toMatchObject({ code: 76, sentence: expect.stringContaining('not signed') });
  // The appliance's own copy of the control plane's key does not count: root has another copy.
  const place = '/var/lib/carillon/identity.json';
  const identity = machine.read(place);
  const { verifyKeys, ...rest } = JSON.parse(identity) as { verifyKeys: { kid: string }[] };
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const own = { ...verifyKeys[0], x: publicKey.export({ format: 'jwk' }).x };
  machine.write(place, JSON.stringify({ ...rest, verifyKeys: [own] }));
  const header = { alg: 'EdDSA', typ: TWIN_TYP, kid: verifyKeys[0]?.kid ?? '' };
  const signing = new CompactSign(Buffer.from(JSON.stringify(payload))).setProtectedHeader(header);
  await laid(await signing.sign(privateKey));
  expect(await outcome(5)).toMatchObject({ code: 76, sentence: expect.stringContaining('not signed') });
  machine.write(place, identity);
  expect((await machine.sh('stat -c "%U %a" /var/lib/carillon-update/platform.json')).out.trim()).toBe(
    'root 600',
  );
  expect(await addresses()).toContain('10.9.0.2/24');
  expect(await addresses()).not.toContain('10.9.0.66');
});

test('a new key of the control plane is followed by the word of the one before it, and the one before it no more', {
  timeout: LONG_MS,
}, async () => {
  // The keys of the control plane, changed as it would change them, without making it wait for its hosts.
  const data = join(folder, 'cloud');
  const port = await openSealedDatabase({ data, database: `sqlite:${join(data, 'cloud.db')}`, vault: {} });
  const keys = await keysOfInstallation(createStore(port), port.vault, data, Date.now());
  const kept = keptKey(keys.of('signing').text());
  await port.connection.close();
  const announced = await announceKey(kept);
  if (!announced.ok) throw new Error(announced.error.reason);
  const signer = openSigner(kept);
  await signer.turn(Date.now());
  const body = JSON.parse(Buffer.from(keptTwin().split('.')[1] ?? '', 'base64url').toString()) as object;
  const net = { ifs: ['10.9.0.2', '10.9.0.3'], prefix: 24 };
  const twin = await signer.sign(TWIN_TYP, { ...body, net });
  const trusted = () => machine.read('/var/lib/carillon-update/platform.json');
  // Without a word of the key that root knows it is a stranger's.
  await laid(twin);
  const stranger = await outcome(6);
  expect(stranger).toMatchObject({ code: 76, sentence: expect.stringContaining('carillon network trust') });
  expect(trusted()).not.toContain(announced.value.after);
  await laid(twin, signer.announcedKeys[0]?.chain);
  expect(await outcome(7)).toMatchObject({ code: 0 });
  expect(trusted()).toContain(announced.value.after);
  expect(trusted()).not.toContain(announced.value.before);
  // A signature of the key before no longer counts; here it still counts as the control plane's, as a person can say.
  await laid(keptTwin());
  expect(await outcome(8)).toMatchObject({ code: 76 });
  const said = await machine.carillon('network', 'trust');
  expect(said.code, said.err).toBe(0);
  expect(said.out).toContain(announced.value.before);
});

test('the files that root keeps of the control plane are damaged: nothing changes, and the site gets the advice', {
  timeout: LONG_MS,
}, async () => {
  const place = '/var/lib/carillon-update/platform.json';
  const whole = machine.read(place);
  machine.write(place, whole.slice(0, 40), 0o600);
  await laid(keptTwin());
  expect(await outcome(9)).toMatchObject({ code: 65, sentence: expect.stringContaining('network trust') });
  machine.write(place, whole, 0o600);
});

test('a change after which the control plane is not reached is undone after two minutes, and an alarm until one succeeds', {
  timeout: LONG_MS,
}, async () => {
  // So many requests in five minutes are no host's: the limit of starts begins again.
  await machine.sh(
    'systemctl reset-failed carillon-maintenance.path carillon-maintenance.service; systemctl start carillon-maintenance.path',
  );
  await desired('10.9.0.4');
  await expect.poll(addresses, { timeout: 60_000, interval: 20 }).toContain('10.9.0.4/24');
  cloud.kill('SIGSTOP');
  await expect.poll(addresses, { timeout: 180_000, interval: 500 }).not.toContain('10.9.0.4/24');
  expect(await addresses()).toContain('10.9.0.2/24');
  cloud.kill('SIGCONT');
  expect(await outcome(10, 120_000)).toMatchObject({ code: 4, networkInterfaces: ['10.9.0.4'] });
  // It stands since the first of the requests that came to nothing.
  const about = expect.stringContaining('are not in force');
  const active = () => alarms('active');
  await expect.poll(active, { timeout: 60_000, interval: 1_000 }).toEqual([about]);
  // The next one that succeeds ends it.
  await desired('10.9.0.5');
  expect(await outcome(11, 120_000)).toMatchObject({ code: 0 });
  await expect.poll(active, { timeout: 60_000, interval: 1_000 }).toEqual([]);
  expect(await alarms('cleared')).toContainEqual(about);
  expect(await addresses()).toContain('10.9.0.5/24');
  expect(await files()).toContain('10-site.network');
  await expect.poll(() => leftovers(machine), { timeout: 20_000 }).toEqual([]);
  expect((await machine.unit()).active).toBe('active');
});
