import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** `count` ports on `host` that are free for TCP and UDP. They are held until all are found, so none comes twice. */
export async function freePorts(host: string, count: number): Promise<readonly number[]> {
  const held: { readonly port: number; readonly release: () => void }[] = [];
  try {
    while (held.length < count) held.push(await freePort(host));
    return held.map((each) => each.port);
  } finally {
    for (const each of held) each.release();
  }
}

async function freePort(host: string): Promise<{ readonly port: number; readonly release: () => void }> {
  const server = createServer();
  server.listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const socket = createSocket('udp4');
  try {
    socket.bind(port, host);
    await once(socket, 'listening');
  } catch {
    // Somebody has this number for UDP: another one will do.
    server.close();
    return freePort(host);
  }
  const release = (): void => {
    socket.close();
    server.close();
  };
  return { port, release };
}
