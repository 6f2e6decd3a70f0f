import { type ChildProcess, spawn } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { done } from '../support/program.ts';
import { rootFileSystem } from '../support/root-file-system.ts';

/** Output of one step inside. */
export interface Step {
  readonly code: number;
  /** Seconds since the machine was started. */
  readonly fromS: number;
  readonly untilS: number;
  readonly out: string;
}

export interface VmPlan {
  /** Files by their path inside; what stands in them, or where they come from. */
  readonly files: Readonly<Record<string, { readonly text: string } | { readonly from: string }>>;
  /** TCP ports of the machine's loopback that lead to those of the network it is started in. */
  readonly ports: readonly number[];
  /** Words before the program: the network in which it is started. */
  readonly enter: readonly string[];
  readonly withinMs: number;
}

const KERNEL = ['linux-image-cloud-amd64', 'initramfs-tools'];
const DISK_MB = 1_800;
const MEMORY_MB = 1_024;
/** Addresses of QEMU's user network: the machine, and its host. */
const [HERE, THERE] = ['10.0.2.15', '10.0.2.2'];
const UNIT = '/etc/systemd/system';

/**
 * A Debian 12 with its own kernel, from a disk of its own, without KVM (`-accel tcg`). Runs `inside.sh` and ends; gives what each step said.
 */
export async function runVirtualMachine(plan: VmPlan): Promise<ReadonlyMap<string, Step>> {
  const folder = mkdtempSync(join(tmpdir(), 'carillon-vm-'));
  const names = ['upper', 'work', 'root'].map((name) => join(folder, name)) as [string, string, string];
  const [upper, work, root] = names;
  for (const each of names) mkdirSync(each);
  try {
    const lower = await rootFileSystem('bookworm', KERNEL);
    await done([
      'mount',
      '-t',
      'overlay',
      'overlay',
      '-o',
      `lowerdir=${lower},upperdir=${upper},workdir=${work}`,
      root,
    ]);
    const disk = join(folder, 'disk.img');
    let boot: { readonly kernel: string; readonly initrd: string };
    try {
      furnish(root, plan);
      boot = await kernelOf(root, folder);
      await done(['mkfs.ext4', '-q', '-d', root, disk, `${DISK_MB}M`], { withinMs: 300_000 });
    } finally {
      await done(['umount', root]);
    }
    return await started(plan, folder, disk, boot);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function furnish(root: string, { files, ports }: VmPlan): void {
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  const wanted = (unit: string, by: string): void => {
    const folder = join(root, UNIT, `${by}.wants`);
    mkdirSync(folder, { recursive: true });
    if (!existsSync(join(folder, unit.split('/').at(-1) ?? '')))
      symlinkSync(unit, join(folder, unit.split('/').at(-1) ?? ''));
  };
  for (const [path, file] of Object.entries(files)) {
    if ('text' in file) write(path, file.text);
    else {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      copyFileSync(file.from, join(root, path));
    }
  }
  rmSync(join(root, 'usr/sbin/policy-rc.d'), { force: true });
  write('/etc/fstab', '/dev/vda / ext4 defaults 0 1\n');
  write(
    '/etc/systemd/network/10-vm.network',
    `[Match]\nName=en* eth*\n[Network]\nAddress=${HERE}/24\nGateway=${THERE}\n`,
  );
  wanted('/lib/systemd/system/systemd-networkd.service', 'multi-user.target');
  for (const port of ports) {
    write(`${UNIT}/there-${port}.socket`, `[Socket]\nListenStream=127.0.0.1:${port}\n`);
    write(
      `${UNIT}/there-${port}.service`,
      `[Service]\nExecStart=/lib/systemd/systemd-socket-proxyd ${THERE}:${port}\n`,
    );
    wanted(`${UNIT}/there-${port}.socket`, 'sockets.target');
  }
  write(
    `${UNIT}/inside.service`,
    '[Unit]\nAfter=basic.target network-online.target\nWants=network-online.target\n[Service]\nType=oneshot\nTimeoutStartSec=infinity\nExecStart=/bin/sh /root/inside.sh\n',
  );
  wanted(`${UNIT}/inside.service`, 'multi-user.target');
}

/** Kernel and first file system, outside of the disk: QEMU hands them to the machine. */
async function kernelOf(root: string, folder: string) {
  const boot = await readdir(join(root, 'boot'));
  const copied = (begins: string): string => {
    const name = boot.find((each) => each.startsWith(begins));
    if (name === undefined) throw new Error(`there is no ${begins} in /boot`);
    copyFileSync(join(root, 'boot', name), join(folder, begins));
    return join(folder, begins);
  };
  return { kernel: copied('vmlinuz-'), initrd: copied('initrd.img-') };
}

async function started(
  { enter, withinMs }: VmPlan,
  folder: string,
  disk: string,
  { kernel, initrd }: { readonly kernel: string; readonly initrd: string },
): Promise<ReadonlyMap<string, Step>> {
  const [console_, steps] = ['console', 'steps'].map((name) => join(folder, name)) as [string, string];
  const words = 'root=/dev/vda rw console=ttyS0 panic=-1 quiet systemd.show_status=0 mitigations=off';
  const [program = '', ...argv] = [
    ...enter,
    'qemu-system-x86_64',
    ...['-M', 'q35', '-accel', 'tcg,thread=multi', '-cpu', 'max', '-smp', '2', '-m', String(MEMORY_MB)],
    ...['-display', 'none', '-no-reboot', '-kernel', kernel, '-initrd', initrd, '-append', words],
    ...['-drive', `file=${disk},if=virtio,format=raw`],
    ...['-netdev', 'user,id=net', '-device', 'virtio-net-pci,netdev=net'],
    ...['-serial', `file:${console_}`, '-serial', `file:${steps}`],
  ];
  const child: ChildProcess = spawn(program, argv, { stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr?.setEncoding('utf8').on('data', (part: string) => {
    complaint += part;
  });
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, withinMs);
  const code = await new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127));
    child.once('close', resolve);
  });
  clearTimeout(timer);
  const said = new Map(readSteps(existsSync(steps) ? readFileSync(steps, 'utf8') : ''));
  if (code === 0 && !late && said.size > 0) return said;
  const seen = existsSync(console_) ? readFileSync(console_, 'utf8').slice(-3_000) : '';
  throw new Error(
    `the virtual machine ended with ${code}${late ? ' since it took too long' : ''} after ${[...said.keys()].join(', ')}: ${complaint} ${seen}`,
  );
}

function* readSteps(text: string): Generator<[string, Step]> {
  for (const line of text.split(/\r?\n/)) {
    const [name, code, from, until, said = ''] = line.split(' ');
    if (name === undefined || until === undefined) continue;
    const out = Buffer.from(said, 'base64').toString('utf8');
    yield [name, { code: Number(code), fromS: Number(from), untilS: Number(until), out }];
  }
}
