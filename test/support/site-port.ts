import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';

/** Below the range from which Linux takes ports for outgoing connections: a program that restarts gets its own again. */
const FIRST = 12_000;
const LAST = 32_000;

/** `count` ports on `host` that are free for TCP and UDP. They are held until all are found, so none comes twice. */
export async function freePorts(host: string, count: number): Promise<readonly number[]> {
  const held: (() => void)[] = [];
  const ports: number[] = [];
  try {
    while (ports.length < count) {
      const port = randomInt(FIRST, LAST);
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
