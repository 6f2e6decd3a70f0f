import { once } from 'node:events';
import { createServer as createTcpServer, isIPv6, type Server } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { ConnectionTable } from './connection-table.ts';
import type { TransportLimits } from './limits.ts';
import type { ListenAddress, TlsCredentials, TransportEvent } from './sip-transport.ts';
import { tlsOptions } from './tls-options.ts';

export interface StreamListener {
  readonly bound: ListenAddress;
  /** New handshakes use these; throws when they do not fit together. */
  reload(credentials: TlsCredentials): void;
  /** Takes no new connections; resolves when the running ones are closed. */
  close(): Promise<void>;
}

type Report = (event: TransportEvent) => void;

export async function listenTcp(
  address: ListenAddress,
  table: ConnectionTable,
  report: Report,
): Promise<StreamListener> {
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    if (table.admit(socket)) table.adopt('TCP', socket);
  });
  return listener('TCP', server, address, report, () => undefined);
}

/** A handshake gets `handshakeMs`; whoever does not finish is counted against its source until then. */
export async function listenTls(
  address: ListenAddress,
  table: ConnectionTable,
  credentials: TlsCredentials,
  limits: TransportLimits,
  report: Report,
): Promise<StreamListener> {
  const server = createTlsServer({
    ...tlsOptions(credentials),
    handshakeTimeout: limits.handshakeMs,
    allowHalfOpen: true,
  });
  server.on('connection', (socket) => {
    table.admit(socket);
  });
  server.on('secureConnection', (socket) => table.adopt('TLS', socket));
  server.on('tlsClientError', (error, socket) => {
    report({ kind: 'tlsFailed', remoteAddress: socket.remoteAddress ?? '', reason: error.message });
    socket.destroy();
  });
  return listener('TLS', server, address, report, (next) => server.setSecureContext(tlsOptions(next)));
}

async function listener(
  transport: 'TCP' | 'TLS',
  server: Server,
  address: ListenAddress,
  report: Report,
  reload: (credentials: TlsCredentials) => void,
): Promise<StreamListener> {
  server.listen({ host: address.host, port: address.port, ipv6Only: isIPv6(address.host), backlog: 1_024 });
  await once(server, 'listening');
  // A process out of file descriptors cannot accept; it goes on with the connections it has.
  server.on('error', (error) => report({ kind: 'socketError', transport, reason: error.message }));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('the listener has no address');
  return {
    bound: { host: bound.address, port: bound.port },
    reload,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
