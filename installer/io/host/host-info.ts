import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { networkInterfaces, tmpdir, totalmem } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Listen, Listens, settingTable, Values } from '#shared/setting/index.ts';
import { layout } from '../../plan/index.ts';
import type { GatewayFact, HostFacts, InterfaceFact, PortTaken } from '../../preflight/index.ts';
import { cloudFact } from './cloud-probe.ts';
import { output } from './host-program.ts';

type Settings = Values<typeof settingTable>;

/** The port of SIP (RFC 3261 19.1.2): an operator of a control plane may well have a SIP server under the same name. */
const SIP_PORT = 5_060;

/** Asks a SIP server what came of our question on the way; `unmeasured`: it does not answer. */
export type AskGateway = (host: string, port: number) => Promise<GatewayFact>;

/** Finds out what the preflight judges. Changes nothing but for a file of a few bytes that is written and removed. */
export async function hostFacts(
  settings: Settings,
  askGateway: AskGateway,
  sipPeer?: Listen,
): Promise<HostFacts> {
  const cloud = settings.cloud;
  const name = cloud === undefined ? undefined : new URL(cloud).hostname;
  const peer = sipPeer ?? (name === undefined ? undefined : { host: name, port: SIP_PORT });
  const [clock, dns, reached, ports, gateway] = await Promise.all([
    clockFact(),
    name === undefined ? { name, error: undefined } : resolved(name),
    cloudFact(cloud, settings.trust),
    portFacts(settings),
    peer === undefined
      ? ({ kind: 'unmeasured', asked: undefined } as const)
      : askGateway(peer.host, peer.port),
  ]);
  return {
    uid: process.getuid?.() ?? 0,
    machineCpu: nodeCpu((await output('uname', '-m')) ?? process.arch),
    programCpu: process.arch,
    glibc: glibcVersion(),
    systemd: await systemdFact(),
    freeOptMb: freeMb(layout.opt),
    freeStateMb: freeMb(settings.data ?? layout.state),
    memoryMb: Math.round(totalmem() / 1_048_576),
    ...ports,
    folders: executableFolders(),
    clock: { ...clock, offsetMs: reached.offsetMs },
    dns,
    cloud: reached.fact,
    interfaces: await interfaceFacts(),
    sshInterface: sshInterface(),
    fsyncP99Ms: fsyncP99(existing(settings.data ?? layout.state)),
    espeak: onPath('espeak-ng'),
    gateway,
    installed: await installedFact(),
  };
}

/** `uname -m` in Node's words. */
const nodeCpu = (machine: string): string =>
  ({ x86_64: 'x64', aarch64: 'arm64', armv7l: 'arm', i686: 'ia32' })[machine] ?? machine;

function glibcVersion(): string | undefined {
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

async function systemdFact(): Promise<HostFacts['systemd']> {
  const words = await output('systemctl', '--version');
  const version = Number(/^systemd (\d+)/.exec(words ?? '')?.[1]);
  return { version: Number.isNaN(version) ? undefined : version, running: existsSync('/run/systemd/system') };
}

/** The nearest folder above that is there: before the installation the last parts are not. */
function existing(path: string): string {
  let folder = path;
  while (!existsSync(folder) && folder !== '/') folder = dirname(folder);
  return folder;
}

function freeMb(path: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(existing(path));
    return Math.floor((bavail * bsize) / 1_048_576);
  } catch {
    return undefined;
  }
}

/** Can a program be run from where the database library would be unpacked? Tried with one. */
function executableFolders(): HostFacts['folders'] {
  const folders = [...new Set(['/var/cache', '/run', tmpdir(), '/dev/shm'])].filter((path) =>
    existsSync(path),
  );
  return folders.map((path) => ({ path, executable: runsIn(path) }));
}

function runsIn(folder: string): boolean {
  const file = join(folder, `carillon-${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(file, '#!/bin/sh\nexit 0\n', { mode: 0o700, flag: 'wx' });
    chmodSync(file, 0o700);
    execFileSync(file, { stdio: 'ignore', timeout: 5_000 });
    return true;
  } catch {
    return false;
  } finally {
    rmSync(file, { force: true });
  }
}

const FSYNCS = 20;

/** How long the disk takes to make 4 KiB safe, 99 of 100 times; undefined where nothing may be written. */
function fsyncP99(folder: string): number | undefined {
  const file = join(folder, `.carillon-${randomBytes(6).toString('hex')}`);
  try {
    const descriptor = openSync(file, 'wx', 0o600);
    try {
      const page = randomBytes(4_096);
      const times: number[] = [];
      for (let round = 0; round < FSYNCS; round++) {
        const begun = performance.now();
        writeSync(descriptor, page);
        fsyncSync(descriptor);
        times.push(performance.now() - begun);
      }
      return times.sort((a, b) => a - b)[Math.floor(FSYNCS * 0.99)];
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}

async function clockFact(): Promise<{ readonly synchronised: boolean | undefined }> {
  const said = await output('timedatectl', 'show', '-p', 'NTPSynchronized', '--value');
  return { synchronised: said === 'yes' ? true : said === 'no' ? false : undefined };
}

async function resolved(name: string): Promise<HostFacts['dns']> {
  try {
    await lookup(name);
    return { name, error: undefined };
  } catch (cause) {
    return { name, error: (cause as NodeJS.ErrnoException).code ?? String(cause) };
  }
}

interface Wanted {
  readonly check: string;
  readonly transport: 'udp' | 'tcp';
  readonly first: number;
  readonly last: number;
}

/** Every port the service will listen on, under the settings given. */
function wantedPorts(settings: Settings): readonly Wanted[] {
  const at = (port: number, transport: 'udp' | 'tcp'): Wanted => ({
    check: `port-${port}`,
    transport,
    first: port,
    last: port,
  });
  /** A port that both families have is one to look for. */
  const each = (listens: Listens | 'off' | undefined, transport: 'udp' | 'tcp'): readonly Wanted[] =>
    listens === undefined || listens === 'off'
      ? []
      : [...new Set(listens.all.map(({ port }) => port))].map((port) => at(port, transport));
  const rtp = settings.rtpPorts;
  return [
    ...each(settings.sipUdp, 'udp'),
    ...each(settings.sipTcp, 'tcp'),
    ...each(settings.sipTls, 'tcp'),
    ...each(settings.sipWss, 'tcp'),
    ...each(settings.applianceHttp, 'tcp'),
    ...each(settings.dc09, 'tcp'),
    ...each(settings.dc09, 'udp'),
    ...each(settings.commandQueue, 'tcp'),
    ...(rtp === undefined
      ? []
      : [{ check: 'rtp-ports', transport: 'udp', first: rtp.first, last: rtp.last } as const]),
  ];
}

/** Sockets of others on our ports, from /proc: no program is needed for it. Our own service does not count. */
async function portFacts(settings: Settings): Promise<Pick<HostFacts, 'portsTaken' | 'portChecks'>> {
  const wanted = wantedPorts(settings);
  const listening = [...listeners('udp'), ...listeners('tcp')];
  const holders = listening.some((each) => wanted.some((want) => fits(each, want)))
    ? socketHolders()
    : new Map();
  const taken: PortTaken[] = [];
  for (const want of wanted) {
    for (const each of listening) {
      if (!fits(each, want)) continue;
      const holder: string | undefined = holders.get(each.inode);
      if (holder?.startsWith('carillon')) continue;
      taken.push({ check: want.check, port: each.port, transport: each.transport, holder });
    }
  }
  return { portsTaken: taken, portChecks: [...new Set(wanted.map(({ check }) => check))] };
}

interface Listening {
  readonly transport: 'udp' | 'tcp';
  readonly port: number;
  readonly inode: string;
}

const fits = (each: Listening, want: Wanted): boolean =>
  each.transport === want.transport && each.port >= want.first && each.port <= want.last;

/** State of a listening TCP socket and of an unconnected UDP socket, as /proc/net writes them. */
const OPEN = { tcp: '0A', udp: '07' } as const;

function listeners(transport: 'udp' | 'tcp'): readonly Listening[] {
  return [transport, `${transport}6`].flatMap((table) => {
    let text: string;
    try {
      text = readFileSync(`/proc/net/${table}`, 'utf8');
    } catch {
      return [];
    }
    return text
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((fields) => fields[3] === OPEN[transport])
      .map((fields) => ({
        transport,
        port: Number.parseInt(fields[1]?.split(':').at(-1) ?? '0', 16),
        inode: fields[9] ?? '',
      }));
  });
}

/** Program and process id by the inode of each socket. */
function socketHolders(): Map<string, string> {
  const holders = new Map<string, string>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const program = basename(readlinkSync(`/proc/${pid}/exe`));
      for (const descriptor of readdirSync(`/proc/${pid}/fd`)) {
        const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${descriptor}`))?.[1];
        if (inode !== undefined) holders.set(inode, `${program} (${pid})`);
      }
    } catch {
      // Ended meanwhile, or not ours to look at.
    }
  }
  return holders;
}

/** Interfaces with an address, and who says it configures them. */
export async function interfaceFacts(): Promise<readonly InterfaceFact[]> {
  const found: InterfaceFact[] = [];
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    if (addresses === undefined || addresses.some(({ internal }) => internal)) continue;
    found.push({
      name,
      addresses: addresses.map(({ cidr, address }) => cidr ?? address),
      owners: await ownersOf(name),
    });
  }
  return found;
}

/** netplan writes the files of the other two: where it rules they are not counted. */
async function ownersOf(name: string): Promise<InterfaceFact['owners']> {
  if (textOf('/etc/netplan', '.yaml').includes(name)) return ['netplan'];
  const owners: InterfaceFact['owners'][number][] = [];
  const networkd = await output('networkctl', 'status', name, '--no-pager');
  if (/Network File: (?!n\/a)\S/.test(networkd ?? '')) owners.push('networkd');
  const managed = await output('nmcli', '-g', 'GENERAL.STATE', 'device', 'show', name);
  if (managed !== undefined && !managed.startsWith('10 ')) owners.push('NetworkManager');
  const classic = textOf('/etc/network', 'interfaces') + textOf('/etc/network/interfaces.d', '');
  const ruled = classic.split('\n').map((line) => line.trim().split(/\s+/));
  if (ruled.some(([word, each]) => word === 'iface' && each === name)) owners.push('ifupdown');
  return owners;
}

function textOf(folder: string, ending: string): string {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
      .map((entry) => readFileSync(join(folder, entry.name), 'utf8'))
      .join('\n');
  } catch {
    return '';
  }
}

/** The interface that carries the login of whoever runs this. */
export function sshInterface(): string | undefined {
  const [, , local] = (process.env.SSH_CONNECTION ?? '').split(' ');
  if (local === undefined || local === '') return undefined;
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    if (addresses?.some(({ address }) => address === local)) return name;
  }
  return undefined;
}

export function onPath(program: string): boolean {
  return ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'].some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The release that `current` shows, and whether dpkg brought it. */
export async function installedFact(): Promise<HostFacts['installed']> {
  if (existsSync(layout.packagedUnit)) {
    const status = await output('dpkg-query', '--status', 'carillon');
    return { version: /^Version: (.+)$/m.exec(status ?? '')?.[1] ?? '?', packaged: true };
  }
  try {
    const slot = readlinkSync(layout.current);
    return { version: slot.split('/').at(-1) ?? '?', packaged: false };
  } catch {
    return undefined;
  }
}
