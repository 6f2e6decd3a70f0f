import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { BrokerEar } from './broker-ear.ts';
import { runProgram } from './program.ts';

export interface MosquittoPlan {
  /** Folder of its configuration, kept by the caller. */
  readonly folder: string;
  readonly port: number;
  /** Certificate of the broker; `ca` is the root that hosts' certificates go up to. */
  readonly server: { readonly cert: string; readonly key: string; readonly ca: string };
  /** Client certificate of the control plane, where another broker has it, too; absent = a new one. */
  readonly owner?: Mosquitto['owner'] | undefined;
  /** Topics that the ear hears; absent = all. */
  readonly topics?: string | undefined;
}

export interface Mosquitto {
  readonly pid: number;
  readonly url: string;
  /** Client certificate that speaks for the control plane. */
  readonly owner: { readonly cert: string; readonly key: string };
  /** Hears everything from before the first client on. */
  readonly ear: BrokerEar;
  /** Other rights for the hosts from now on, as lines of an access file; none: the usual. */
  readonly grant: (hosts?: string) => Promise<void>;
  readonly stop: () => Promise<void>;
}

/**
 * Access rights. The user name is the common name of the client certificate: the uid of a host, so `%u` keeps a host
 * in its own branch of the tree.
 */
const OWNER = `
user carillon-cloud
topic readwrite carillon/1/#

`;
const HOSTS = `pattern write carillon/1/+/+/+/%u/up/#
pattern read carillon/1/+/+/+/%u/up/state
pattern read carillon/1/+/+/+/%u/dn/#
pattern read carillon/1/+/cp/state
`;

/** Mosquitto on 127.0.0.1, MQTT over TLS, every client with a certificate of its own. */
export async function startMosquitto({ folder, port, server, ...plan }: MosquittoPlan): Promise<Mosquitto> {
  const file = (name: string) => join(folder, name);
  const owner = plan.owner ?? (await newOwner({ cert: file('owner.pem'), key: file('owner.key') }));
  writeFileSync(file('clients.pem'), `${server.ca.trimEnd()}\n${readFileSync(owner.cert, 'utf8')}`);
  writeFileSync(file('root.pem'), server.ca);
  writeFileSync(file('broker.pem'), server.cert);
  writeFileSync(file('broker.key'), server.key, { mode: 0o600 });
  writeFileSync(file('access'), OWNER + HOSTS, { mode: 0o600 });
  const configuration = [
    `listener ${port} 127.0.0.1`,
    `certfile ${file('broker.pem')}`,
    `keyfile ${file('broker.key')}`,
    `cafile ${file('clients.pem')}`,
    'tls_version tlsv1.2',
    'require_certificate true',
    'use_identity_as_username true',
    `acl_file ${file('access')}`,
    'max_packet_size 73728',
    'max_keepalive 60',
    'persistence false',
    // Started by root it would become another user, who cannot read the folder.
    'user root',
    'log_dest stderr',
  ];
  writeFileSync(file('mosquitto.conf'), `${configuration.join('\n')}\n`);
  const child = spawn('mosquitto', ['-c', file('mosquitto.conf')], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = async () => {
    if (child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };
  await listening(child, port, () => said);
  const tls = ['--cafile', file('root.pem'), '--cert', owner.cert, '--key', owner.key];
  const ear = await BrokerEar.open(['-h', '127.0.0.1', '-p', String(port), ...tls], plan.topics).catch(
    async (cause) => {
      await ended();
      throw cause;
    },
  );
  return {
    pid: child.pid ?? 0,
    url: `mqtts://127.0.0.1:${port}`,
    owner,
    ear,
    async grant(hosts = HOSTS) {
      writeFileSync(file('access'), OWNER + hosts);
      const before = said.length;
      child.kill('SIGHUP');
      const untilMs = performance.now() + 10_000;
      while (!said.slice(before).includes('Reloading config')) {
        if (performance.now() > untilMs) throw new Error(`mosquitto did not read its rights again: ${said}`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    async stop() {
      await ear.stop();
      await ended();
    },
  };
}

async function newOwner(owner: Mosquitto['owner']): Promise<Mosquitto['owner']> {
  const made = await runProgram('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=carillon-cloud', '-keyout', owner.key, '-out', owner.cert],
  ]);
  if (made.code !== 0) throw new Error(made.stderr);
  return owner;
}

async function listening(child: ChildProcess, port: number, said: () => string): Promise<void> {
  let failed: Error | undefined;
  child.once('error', (error) => {
    failed = error;
  });
  const untilMs = performance.now() + 10_000;
  while (performance.now() < untilMs) {
    if (failed !== undefined || child.exitCode !== null) break;
    const socket = connect(port, '127.0.0.1');
    const up = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
    socket.destroy();
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`mosquitto does not listen: ${failed?.message ?? said()}`);
}
