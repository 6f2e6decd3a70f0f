import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runProgram } from '../../support/program.ts';

/** The configuration that an operator gets. */
export const SHIPPED = resolve(import.meta.dirname, '../../../../systemd/cloud/several/haproxy.cfg');
const HOST = '127.0.0.1';

export interface HaproxyPlan {
  /** Folder of its files, kept by the caller. */
  readonly folder: string;
  /** Certificate and key of the public name, PEM. */
  readonly certificate: { readonly cert: string; readonly key: string };
  /** Ports that it listens on, by the port of the configuration. */
  readonly binds: Readonly<Record<number, number>>;
  /** Ports of servers, by their name and port in the configuration, such as `cloud-1:8080`. */
  readonly servers: Readonly<Record<string, number>>;
  /** The address from which it calls servers. */
  readonly source: string;
}

/** Writes the shipped configuration with these addresses in the place of its own; gives the file. Nothing else of it is changed. */
export function writeHaproxy({ folder, certificate, binds, servers, source }: HaproxyPlan): string {
  const pem = join(folder, 'cloud.pem');
  writeFileSync(pem, certificate.cert + certificate.key, { mode: 0o600 });
  const portOf = (name: string): number => {
    const port = servers[name];
    if (port === undefined) throw new Error(`the configuration names ${name}, and there is none`);
    return port;
  };
  const text = readFileSync(SHIPPED, 'utf8')
    .replace('/certs/cloud.pem', pem)
    .replaceAll(/^ {2}bind :(\d+)/gm, (_, port) => `  bind ${HOST}:${binds[Number(port)]}`)
    .replaceAll(/^ {2}server (\S+) (\S+:\d+) (.+)$/gm, (_, name, at, options: string) => {
      const checked = options.replace(/\bport (\d+)/, (__, port) => `port ${portOf(`${name}:${port}`)}`);
      return `  server ${name} ${HOST}:${portOf(at)} ${checked} source ${source}`;
    });
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  return file;
}

/** `haproxy -c`: reads a configuration as a start does, and starts nothing. */
export const checkHaproxy = (file: string) => runProgram('haproxy', ['-c', '-f', file]);

/** HAProxy with this configuration, in the foreground. It listens once it has read the file. */
export async function startHaproxy(file: string): Promise<{ readonly stop: () => Promise<void> }> {
  const { code, stderr } = await checkHaproxy(file);
  if (code !== 0) throw new Error(stderr);
  const child = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' });
  await once(child, 'spawn');
  return {
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}
