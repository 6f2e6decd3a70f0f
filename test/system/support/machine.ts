import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { done, type Ran, run } from './program.ts';
import { type Debian, rootFileSystem } from './root-file-system.ts';
import { Speaker } from './speaker.ts';

const BOOT_WITHIN_MS = 60_000;
const SERVICE = 'carillon-appliance.service';
const ENVIRONMENT = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LANG: 'C',
};

/** State of the service at one moment, from systemd. */
export interface Unit {
  readonly active: string;
  readonly pid: number;
  readonly slot: string;
}

/**
 * A Debian that was really started: its own systemd as PID 1, its own network, its own processes (systemd-nspawn). Files that
 * it writes lie in a layer of its own above the root file system of all.
 */
export class Machine {
  /** Its files as seen from outside. */
  readonly root: string;
  readonly #parent: string;
  readonly #nspawn: ChildProcess;
  readonly #pid: number;

  constructor(parent: string, root: string, nspawn: ChildProcess, pid: number) {
    this.#parent = parent;
    this.root = root;
    this.#nspawn = nspawn;
    this.#pid = pid;
  }

  /** Runs a line of shell inside. */
  sh(line: string, withinMs?: number): Promise<Ran> {
    return this.in(['sh', '-c', line], withinMs);
  }

  in(argv: readonly string[], withinMs?: number): Promise<Ran> {
    return run(this.#inside(argv), { env: ENVIRONMENT, ...(withinMs !== undefined && { withinMs }) });
  }

  /** Starts a program inside and does not wait for its end. */
  begin(argv: readonly string[]): Speaker {
    return new Speaker(this.#inside(argv), ENVIRONMENT);
  }

  /** The technician's command. */
  carillon(...words: readonly string[]): Promise<Ran> {
    return this.in(['/usr/local/bin/carillon', ...words]);
  }

  /** Starts a program with the files of the outside in the network of this machine. */
  beside(argv: readonly string[]): ChildProcess {
    const [program = '', ...rest] = ['nsenter', '-t', String(this.#pid), '-n', ...argv];
    return spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  }

  /**
   * Kills the command with -9 as soon as a line of its output fits. Rejects with what the command said when
   * it ended before.
   */
  async cut(argv: readonly string[], fits: RegExp): Promise<void> {
    const [program = '', ...rest] = this.#inside(argv);
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'] });
    let killed = false;
    let said = '';
    let begun = 0;
    const onOutput = (part: string): void => {
      said += part;
      const end = said.lastIndexOf('\n') + 1;
      const lines = said.slice(begun, end).split('\n');
      begun = end;
      if (killed || !lines.some((line) => fits.test(line))) return;
      killed = true;
      // nsenter waits for the command, which is its only child.
      const command = childOf(child.pid ?? 0);
      if (command !== undefined) process.kill(command, 'SIGKILL');
    };
    child.stdout.setEncoding('utf8').on('data', onOutput);
    let err = '';
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      err += part;
    });
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    const late = killed ? 'before it was killed' : `without ${fits}`;
    if (!killed || code === 0)
      throw new Error(
        `${argv.join(' ')} ended with ${code} ${late}: ${said.slice(-1_000)} ${err.slice(-1_000)}`,
      );
  }

  /** Puts a cable into the machine; its other end, `far`, lies in the named network. */
  async plug(name: string, network: string, far: string): Promise<void> {
    const here = ['type', 'veth', 'peer', 'name', name, 'netns', String(this.#pid)];
    await done(['ip', 'link', 'add', far, 'netns', network, ...here]);
  }

  put(from: string, path: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    copyFileSync(from, join(this.root, path));
  }

  write(path: string, text: string, mode = 0o644): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text, { mode });
  }

  read = (path: string): string => readFileSync(join(this.root, path), 'utf8');

  async unit(): Promise<Unit> {
    const { out } = await this.sh(
      `systemctl show ${SERVICE} -p ActiveState -p MainPID --value; readlink /opt/carillon/current`,
    );
    const lines = out.trim().split('\n');
    const pid = Number(lines.find((line) => /^\d+$/.test(line)) ?? 0);
    const active = lines.find((line) => /^[a-z]+$/.test(line)) ?? '';
    return {
      active,
      pid,
      slot:
        lines
          .find((line) => line.startsWith('/'))
          ?.split('/')
          .at(-1) ?? '',
    };
  }

  /**
   * Waits until the unit is as asked for; rejects with what it is instead. Returns how long it took. `withinMs` is for an idle machine: a
   * busy one has three times as long.
   */
  async until(request: (unit: Unit) => boolean, withinMs: number): Promise<number> {
    const begun = performance.now();
    for (;;) {
      const unit = await this.unit();
      const ms = performance.now() - begun;
      if (request(unit)) return ms;
      if (ms > 3 * withinMs)
        throw new Error(`after ${Math.round(ms)} ms the service is ${JSON.stringify(unit)}`);
      await pause(100);
    }
  }

  /** How long the last start took until READY, ms, by systemd's own clock. */
  async readyAfterMs(): Promise<number> {
    const { out } = await this.sh(
      `systemctl show ${SERVICE} -p InactiveExitTimestampMonotonic -p ActiveEnterTimestampMonotonic`,
    );
    const at = (name: string): number => Number(new RegExp(`${name}=(\\d+)`).exec(out)?.[1]);
    return (at('ActiveEnterTimestampMonotonic') - at('InactiveExitTimestampMonotonic')) / 1_000;
  }

  async off(): Promise<void> {
    // Its init takes everything in it along, and nspawn ends with it; the other way round the machine would run on.
    if (this.#nspawn.exitCode === null && this.#nspawn.signalCode === null) {
      const ended = new Promise((resolve) => this.#nspawn.once('exit', resolve));
      process.kill(this.#pid, 'SIGKILL');
      await ended;
    }
    for (let tries = 0; tries < 20; tries++) {
      if ((await run(['umount', this.root])).code === 0) break;
      await pause(200);
    }
    rmSync(this.#parent, { recursive: true, force: true });
  }

  #inside(argv: readonly string[]): readonly string[] {
    return ['nsenter', '-t', String(this.#pid), '--all', '--root', '--wd', '--', ...argv];
  }
}

/** Starts a machine, with packages more than a small Debian has, and waits until its systemd has started everything. */
export async function boot(debian: Debian, packages: readonly string[] = []): Promise<Machine> {
  const lower = await rootFileSystem(debian, packages);
  const parent = mkdtempSync(join(tmpdir(), 'carillon-machine-'));
  const [upper, work, root] = ['upper', 'work', 'root'].map((name) => join(parent, name)) as [
    string,
    string,
    string,
  ];
  for (const folder of [upper, work, root]) mkdirSync(folder);
  await done([
    'mount',
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=${lower},upperdir=${upper},workdir=${work}`,
    root,
  ]);
  const nspawn = spawn(
    'systemd-nspawn',
    [
      ...['--quiet', '--boot', `--directory=${root}`, `--machine=carillon-${basename(parent)}`],
      // Also where PID 1 is not systemd.
      ...['--register=no', '--keep-unit', '--private-network', '--console=read-only'],
    ],
    { stdio: ['ignore', 'ignore', 'ignore'], env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: '1' } },
  );
  const begun = performance.now();
  for (;;) {
    const pid = childOf(nspawn.pid ?? 0);
    if (pid !== undefined) {
      const machine = new Machine(parent, root, nspawn, pid);
      const { out } = await machine.sh('systemctl is-system-running');
      if (/running|degraded/.test(out)) return machine;
    }
    if (nspawn.exitCode !== null)
      throw new Error(`${debian} did not start: systemd-nspawn ended with ${nspawn.exitCode}`);
    if (performance.now() - begun > BOOT_WITHIN_MS) throw new Error(`${debian} did not start within 60 s`);
    await pause(200);
  }
}

/** The line by which a command of the technician begins a step (`--json`). */
export const begins = (step: string): RegExp => new RegExp(`^\\{"step":"${step}","state":"begun"`);

/** PID 1 of the machine is the only child of systemd-nspawn. */
function childOf(pid: number): number | undefined {
  try {
    const child = Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')[0]);
    return child > 0 ? child : undefined;
  } catch {
    return undefined;
  }
}
