import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

export type PortTransport = 'TCP' | 'UDP';

/** Whether another program listens at this port of the loopback address. */
export async function isPortTaken(port: number, transport: PortTransport): Promise<boolean> {
  const isTaken = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'EADDRINUSE';
  if (transport === 'UDP') {
    const socket = createSocket('udp4');
    try {
      socket.bind({ port, address: LOOPBACK, exclusive: true });
      await once(socket, 'listening');
      return false;
    } catch (cause) {
      return isTaken(cause);
    } finally {
      socket.close();
    }
  }
  const server = createServer();
  try {
    server.listen({ port, host: LOOPBACK, exclusive: true });
    await once(server, 'listening');
    return false;
  } catch (cause) {
    return isTaken(cause);
  } finally {
    server.close();
  }
}
