import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, isIPv6 } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Below the range from which Linux takes ports for outgoing connections: a program that restarts gets its own again. */
const FIRST = 12_000;
const LAST = 32_000;
/** A file for each port that a test process has chosen, with its process id: other test processes neither choose nor try that port. */
const CHOSEN = join(tmpdir(), 'carillon-test-ports');
const mine = new Set<number>();
process.on('exit', () => {
  for (const port of mine) rmSync(fileOf(port), { force: true });
});

/** `count` ports on `host` that are free for TCP and UDP. They are held until all are found, so none comes twice. */
export async function freePorts(host: string, count: number): Promise<readonly number[]> {
  const held: (() => void)[] = [];
  const ports: number[] = [];
  try {
    while (ports.length < count) {
      const port = randomInt(FIRST, LAST);
      if (!reserve(port)) continue;
      const release = await hold(host, port);
      if (release === undefined) continue;
      held.push(release);
      ports.push(port);
    }
    return ports;
  } finally {
    for (const release of held) release();
  }
}

const fileOf = (port: number): string => join(CHOSEN, String(port));

/** False: a test process that runs has chosen it. */
function reserve(port: number): boolean {
  if (mine.has(port)) return false;
  mkdirSync(CHOSEN, { recursive: true });
  if (runs(owner(port))) return false;
  rmSync(fileOf(port), { force: true });
  try {
    writeFileSync(fileOf(port), String(process.pid), { flag: 'wx' });
  } catch {
    return false;
  }
  mine.add(port);
  return true;
}

function owner(port: number): number {
  try {
    return Number(readFileSync(fileOf(port), 'utf8'));
  } catch {
    return 0;
  }
}

function runs(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Undefined: another program has it. */
async function hold(host: string, port: number): Promise<(() => void) | undefined> {
  const server = createServer();
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4');
  const release = (): void => {
    server.close();
    socket.close();
  };
  try {
    server.listen(port, host);
    await once(server, 'listening');
    socket.bind(port, host);
    await once(socket, 'listening');
    return release;
  } catch {
    release();
    return undefined;
  }
}
