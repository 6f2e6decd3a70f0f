import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A TCP port of `host` that leads to another one there; what comes back takes `delayMs` longer, in its order. */
export async function slowWay(
  host: string,
  target: number,
  delayMs: number,
): Promise<{ readonly port: number; readonly close: () => Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, host);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.pipe(far);
    far.on('data', (bytes) => void setTimeout(() => near.destroyed || near.write(bytes), delayMs));
  });
  server.listen(0, host);
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    close: async () => {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
