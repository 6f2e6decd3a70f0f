import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePorts } from '#test/support/site-port.ts';

export interface Postgres {
  readonly pid: number;
  /** Administrator's, on 127.0.0.1. */
  readonly url: string;
  readonly version: string;
  /** Ends every connection and starts on the same data again (fast shutdown). */
  readonly restart: () => Promise<void>;
  /** All its processes end at once (kill -9). */
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Debian keeps the server's programs out of PATH. */
const PROGRAMS = '/usr/lib/postgresql/15/bin';
const START_MS = 30_000;
/** No test here cuts the power of the server: waiting for the disk proves nothing, and is most of the time. */
const IN_A_HURRY = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off'].flatMap((each) => [
  '-c',
  each,
]);

interface PostgresPlan {
  readonly synced?: boolean;
  /** It begins as a copy of this server and follows it, until it is promoted. */
  readonly standbyOf?: Pick<Postgres, 'url'>;
}

/**
 * A private cluster in a new folder on a free loopback port. The server refuses root: then it runs as user postgres. `synced`: each
 * commit waits for the disk, as by default.
 */
export async function startPostgres(
  superuser = 'carillon',
  { synced = false, standbyOf }: PostgresPlan = {},
): Promise<Postgres> {
  if (!existsSync(join(PROGRAMS, 'postgres'))) throw new Error('PostgreSQL 15 is not installed');
  const folder = mkdtempSync(join(tmpdir(), 'carillon-postgres-'));
  const owner = process.getuid?.() === 0 ? userPostgres() : undefined;
  const cluster = join(folder, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (owner !== undefined) for (const path of [folder, cluster]) chownSync(path, owner.uid, owner.gid);
  const run = { ...owner, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] };

  const made =
    standbyOf === undefined
      ? spawn(
          join(PROGRAMS, 'initdb'),
          [
            ...['--pgdata', cluster, '--username', superuser, '--auth', 'trust'],
            ...['--no-sync', '--encoding', 'UTF8'],
          ],
          run,
        )
      : spawn(
          join(PROGRAMS, 'pg_basebackup'),
          ['--pgdata', cluster, '--dbname', standbyOf.url, '--write-recovery-conf', '--checkpoint', 'fast'],
          run,
        );
  made.stdout.resume();
  made.stderr.resume();
  const [code] = (await once(made, 'exit')) as [number];
  if (code !== 0) throw new Error(`the cluster was not made: ${code}`);

  const [port = 0] = await freePorts('127.0.0.1', 1);
  const words = [
    ...['-D', cluster, '-p', String(port), '-h', '127.0.0.1', '-k', folder, '-c', 'max_connections=60'],
    ...(synced ? [] : IN_A_HURRY),
  ];
  let log = '';
  const started = () => {
    const child = spawn(join(PROGRAMS, 'postgres'), words, run);
    child.stderr.on('data', (text) => {
      log += text;
    });
    child.stdout.resume();
    return child;
  };
  let server = started();
  const ended = async (signal: NodeJS.Signals): Promise<void> => {
    const exit = once(server, 'exit');
    server.kill(signal);
    await exit;
  };
  const url = `postgres://${superuser}@127.0.0.1:${port}/postgres`;
  const version = await answering(url).catch((error: unknown) => {
    server.kill('SIGKILL');
    throw new Error(`${String(error)}\n${log}`);
  });
  return {
    pid: server.pid ?? 0,
    url,
    version,
    restart: async () => {
      // Fast shutdown: connections that are still open are closed.
      await ended('SIGINT');
      server = started();
      await answering(url);
    },
    kill: () => ended('SIGKILL'),
    stop: async () => {
      // Immediate shutdown: its data are removed next, and a checkpoint of them can wait for the disk for minutes.
      if (server.exitCode === null && server.signalCode === null) await ended('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function userPostgres(): { uid: number; gid: number } {
  const fields = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((line) => line.startsWith('postgres:'))
    ?.split(':');
  if (fields === undefined) throw new Error('there is no user postgres');
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

async function answering(url: string): Promise<string> {
  const until = performance.now() + START_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>('SELECT version()');
      await client.end();
      return rows[0]?.version ?? '';
    } catch (error) {
      if (performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
