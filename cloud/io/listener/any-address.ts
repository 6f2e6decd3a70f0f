import { createServer, type Server, type ServerOpts } from 'node:net';
import { behindProxies, type ProxyTrust } from './proxied-address.ts';

/** Listening sockets of one port: so many connections are taken in one round of the loop. */
const SOCKETS = 8;
/**
 * Connections that wait at each of them. Few on purpose: a client that waits too long has left when it is its turn, and would
 * still be served. A client that finds no place asks again by itself (TCP repeats the SYN after 1 s, 2 s …).
 */
const WAITING = 16;

export interface WildcardListener {
  readonly port: number;
  /** Takes no more connections; resolves when those that came through it have ended. */
  readonly close: () => Promise<void>;
}

/**
 * Lets a server listen with several sockets on one port (`SO_REUSEPORT`, socket(7)).
 *
 * Node takes one connection of a listening socket in each round of its loop (libuv since 1.45). When thousands of hosts
 * come at one moment rounds are long, the queue fills up, and everybody who comes out of it has given up: all of the
 * processor goes into greeting the dead. Where the system has no such sockets one is opened, as usual.
 *
 * @param like how the server was made, for connections that come in beside it
 * @param trust load balancers that say whose connection they pass on; absent = none
 * @throws (rejects) the error of the system: `EADDRINUSE`, `EACCES`, …
 */
export async function listenOnAnyAddress(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
  like: Pick<ServerOpts, 'allowHalfOpen' | 'noDelay'>,
  trust?: ProxyTrust,
): Promise<WildcardListener> {
  if (trust !== undefined && trust.networks.length > 0)
    return await behind(server, trust, (inner) => listenOnAnyAddress(inner, { host, port }, like), like);
  if (process.platform !== 'linux')
    return { port: await listening(server, { host, port }), close: () => closed(server) };
  const free = await freePort(host, port);
  const shared = { host, port: free, reusePort: true, backlog: WAITING };
  const sides = Array.from({ length: SOCKETS - 1 }, () =>
    createServer(like, (socket) => server.emit('connection', socket)),
  );
  const all = [server, ...sides];
  try {
    for (const each of all) await listening(each, shared);
  } catch (error) {
    await Promise.all(all.filter(({ listening }) => listening).map(closed));
    throw error;
  }
  return { port: free, close: async () => void (await Promise.all(all.map(closed))) };
}

/** Another server listens, and hands its connections on once their headers are read. */
async function behind(
  server: Server,
  trust: ProxyTrust,
  listen: (server: Server) => Promise<WildcardListener>,
  like: ServerOpts,
): Promise<WildcardListener> {
  const reader = behindProxies(server, trust);
  const { port, close } = await listen(createServer(like, reader.take));
  // An HTTP server watches over slow and idle connections from this event on.
  server.emit('listening');
  return {
    port,
    close: async () => {
      const closing = close();
      reader.close();
      // It answers that it does not listen, and ends its idle connections.
      server.close(() => undefined);
      await closing;
    },
  };
}

/** Sockets that share would also share with another program of ours: the check for another listener works without it. */
async function freePort(host: string, port: number): Promise<number> {
  const probe = createServer();
  const free = await listening(probe, { host, port });
  await closed(probe);
  return free;
}

function listening(server: Server, place: Parameters<Server['listen']>[0] & object): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, () => {
      server.off('error', reject);
      const address = server.address();
      if (typeof address === 'object' && address !== null) resolve(address.port);
      else reject(new Error('the address has no port'));
    });
  });
}

const closed = (server: Server): Promise<void> => new Promise((resolve) => server.close(() => resolve()));
