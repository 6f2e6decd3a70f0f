import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
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

/** The shipped text with the lines of this host in it; a text that has changed its shape is seen here. */
function configuration({ host, priority, vip, runFolder, webPort }: FloatingPlan): string {
  const check = join(SHIPPED, 'vip-check.sh');
  const changes: readonly [RegExp, string][] = [
    [/script_user \S+/, 'script_user root'],
    [
      /"\/opt\/carillon\/libexec\/vip-check 8443 \/run\/carillon 192\.0\.2\.12:8443"/,
      `"${check} ${webPort} ${runFolder} ${host.peer}:${webPort}"`,
    ],
    [/priority 150/, `priority ${priority}`],
    [/192\.0\.2\.11/, host.address],
    [/192\.0\.2\.12/, host.peer],
    [/192\.0\.2\.10\/24/, `${vip}/24`],
    [/\/run\/carillon\/vip-state(?=[\s\S]*notify_backup)/, join(runFolder, 'vip-state')],
    [/\/run\/carillon\/vip-state(?=[\s\S]*notify_fault)/, join(runFolder, 'vip-state')],
    [/\/run\/carillon\/vip-state/, join(runFolder, 'vip-state')],
  ];
  let text = readFileSync(join(SHIPPED, 'keepalived.conf'), 'utf8');
  for (const [from, to] of changes) {
    if (!from.test(text)) throw new Error(`keepalived.conf has no ${from.source} any more`);
    text = text.replace(from, to);
  }
  return text;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  const stubborn = setTimeout(() => child.kill('SIGKILL'), 5_000);
  child.kill('SIGTERM');
  await gone;
  clearTimeout(stubborn);
}
