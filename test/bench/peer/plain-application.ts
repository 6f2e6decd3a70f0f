import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type Served, serveParent } from '../process/serve-parent.ts';

/** An application that answers every callback with `drop` and reads nothing in it: what it costs is the same for all who call it. */
export interface PlainApplicationSetting {
  readonly cert: string;
  readonly key: string;
}

/** Since its start. */
export interface PlainApplicationCount {
  readonly requests: number;
  /** Connections that it has accepted: a caller that keeps them makes no more than it has workers. */
  readonly connections: number;
}

const ANSWER = JSON.stringify({ action: 'drop' });

async function start({
  cert,
  key,
}: PlainApplicationSetting): Promise<Served<{ port: number }, 'count', PlainApplicationCount>> {
  let requests = 0;
  let connections = 0;
  const server = createServer({ cert, key }, (request, response) => {
    request.resume();
    request.on('end', () => {
      requests++;
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length });
      response.end(ANSWER);
    });
  });
  server.on('secureConnection', () => connections++);
  // Longer than any caller keeps an idle connection: it is the caller who ends it.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ready: { port: (server.address() as AddressInfo).port },
    answer: () => ({ requests, connections }),
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

serveParent(start);
