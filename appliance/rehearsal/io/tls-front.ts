import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';

/** An address that speaks TLS for an application that speaks plain HTTP on this machine. */
export interface TlsFront {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** Certificate and key in PEM. */
export interface FrontCertificate {
  readonly cert: string;
  readonly key: string;
}

/**
 * Rejects when no program listens at the target.
 *
 * Passes the bytes of each connection on as they come, so that the application meets every form of a request itself. A connection that
 * is reset on one side is reset on the other.
 */
export async function openTlsFront(target: URL, certificate: FrontCertificate): Promise<TlsFront> {
  const tried = dial(target);
  await once(tried, 'connect');
  tried.destroy();
  const open = new Set<TLSSocket>();
  const server = createServer(certificate, (inside) => {
    open.add(inside);
    const outside = dial(target);
    inside.on('error', () => outside.resetAndDestroy());
    outside.on('error', () => inside.destroy());
    inside.on('close', () => {
      open.delete(inside);
      outside.destroy();
    });
    inside.pipe(outside);
    outside.pipe(inside);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}${target.pathname.replace(/\/+$/, '')}`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const dial = ({ hostname, port }: URL) =>
  connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) });
