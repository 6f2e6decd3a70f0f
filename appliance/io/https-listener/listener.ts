import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server';

export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** An HTTPS listener; requests and answers are those of the fetch standard. */
export interface HttpsListener {
  readonly port: number;
  /** New connections get this certificate; running ones keep theirs. */
  readonly renew: (certificate: Certificate) => void;
  readonly close: () => Promise<void>;
}

export interface ListenOptions {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly certificate: Certificate;
  /** `::` hears IPv6 alone: another listener has the port of IPv4. */
  readonly ownFamily?: boolean;
  /** Takes requests that want to become a WebSocket; absent: they are closed. The socket is the taker's from then on. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

const SLOW_REQUEST_MS = 10_000;

/** Address of the connection that a request came on; empty once it is closed. */
const sourceOf = (env: HttpBindings | Http2Bindings): string => env.incoming.socket.remoteAddress ?? '';

/** Listens with TLS 1.2 or newer. `answer` has the address that a request came from. Rejects with the system's error when the address cannot be had. */
export async function listenHttps(
  options: ListenOptions,
  answer: (request: Request, source: string) => Response | Promise<Response>,
): Promise<HttpsListener> {
  const server = createAdaptorServer({
    fetch: (request, env) => answer(request, sourceOf(env)),
    createServer,
    serverOptions: { ...options.certificate, minVersion: 'TLSv1.2' },
  }) as Server;
  server.headersTimeout = SLOW_REQUEST_MS;
  server.requestTimeout = SLOW_REQUEST_MS;
  if (options.upgrade !== undefined) server.on('upgrade', options.upgrade);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    const { host, port, ownFamily = false } = options;
    server.listen({ host, port, ipv6Only: ownFamily }, () => resolve());
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : options.port,
    renew: (certificate) => server.setSecureContext({ ...certificate, minVersion: 'TLSv1.2' }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
