import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { keepalivedText, layout } from '#installer/plan/index.ts';
import { command } from './command.ts';
import type { LanHost } from './site-lan.ts';

const SHIPPED = resolve(import.meta.dirname, '../../systemd/vip');

export interface FloatingPlan {
  readonly host: LanHost;
  /** Never the same on two hosts. */
  readonly priority: number;
  readonly vip: string;
  /** Where the appliance says that it serves, and reads who has the address. */
  readonly runFolder: string;
  /** Port of the appliance's HTTPS, on both hosts. */
  readonly webPort: number;
  readonly logFile: string;
}

/** keepalived of Debian on one host, with the configuration that the product brings along. */
export interface Floating {
  /** Its own word: MASTER, BACKUP, FAULT; empty before the first. */
  readonly state: () => string;
  /** This host has the address of the site. */
  readonly holds: () => boolean;
  readonly close: () => Promise<void>;
}

export function startFloating(plan: FloatingPlan): Floating {
  const { host, vip, runFolder, logFile } = plan;
  const file = join(runFolder, 'keepalived.conf');
  writeFileSync(file, configuration(plan), { mode: 0o600 });
  const [enter = '', ...there] = host.enter;
  command(enter, ...there, 'keepalived', '--config-test', `--use-file=${file}`);
  const pid = (of: string): string => join(runFolder, `${of}.pid`);
  const log = openSync(logFile, 'a');
  const [program = '', ...words] = [
    ...host.enter,
    'keepalived',
    '--dont-fork',
    '--log-console',
    '--vrrp',
    `--use-file=${file}`,
    `--pid=${pid('keepalived')}`,
    `--vrrp_pid=${pid('vrrp')}`,
  ];
  const child = spawn(program, words, { stdio: ['ignore', log, log] });
  const stateFile = join(runFolder, 'vip-state');
  const state = (): string => (existsSync(stateFile) ? readFileSync(stateFile, 'utf8').trim() : '');
  return {
    state,
    holds: () =>
      command(enter, ...there, 'ip', '-4', '-o', 'address', 'show', 'dev', 'eth0').includes(`${vip}/`),
    close: () => ended(child),
  };
}

/** The text of the product, with the paths of this host in it: no user of another name is here. */
function configuration({ host, priority, vip, runFolder, webPort }: FloatingPlan): string {
  const hosts = [
    { address: host.address, priority },
    { address: host.peer, priority: priority === 1 ? 2 : priority - 1 },
  ];
  const place = { vip: `${vip}/24`, interface: 'eth0', routerId: 51, own: host.address, hosts, webPort };
  const changes: readonly [RegExp, string][] = [
    [/script_user nobody/g, 'script_user root'],
    [new RegExp(layout.vipCheck, 'g'), join(SHIPPED, 'vip-check.sh')],
    [/\/run\/carillon/g, runFolder],
    [/" carillon$/gm, '" root'],
  ];
  let text = keepalivedText(place);
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`the configuration of keepalived has no ${from.source} any more`);
    text = text.replace(from, to);
  }
  return text;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 5_000);
  child.kill('SIGTERM');
  await exited;
  clearTimeout(stubborn);
}
