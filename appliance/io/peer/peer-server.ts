import { createSecureServer, type Http2SecureServer, type ServerHttp2Stream } from 'node:http2';
import type { ListenOptions } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Member } from '../../site/peer/index.ts';
import { memberBehind } from './pin.ts';

/** A copy of 500 rows with the largest body each is far below. */
const BODY_LIMIT_BYTES = 16 * 1_048_576;
const PATH = /^\/peer\/v1\/([a-z]{1,16})$/;

export interface PeerServerSetting {
  readonly host: string;
  readonly port: number;
  /** `::` hears IPv6 alone: another listener has the port of IPv4. */
  readonly ownFamily?: boolean;
  /** PEM; the certificate of this host. */
  readonly cert: string;
  readonly key: string;
  /** The hosts that may ask, by the present configuration. */
  readonly members: () => readonly Member[];
  /** Undefined: 404. Rejections are 503. */
  readonly answer: (path: string, from: string, body: unknown) => Promise<unknown>;
}

export interface PeerServer {
  readonly host: string;
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** Listens for the other hosts of the site. A client with a key that no member has gets no answer. */
export async function openPeerServer(setting: PeerServerSetting): Promise<PeerServer> {
  const { cert, key, host, port, ownFamily = false, members, answer } = setting;
  const server = createSecureServer({
    cert,
    key,
    // The key is compared, not the chain: see memberBehind.
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.2',
  });
  const open = new Set<TLSSocket>();
  server.on('secureConnection', (socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    if (memberBehind(socket, members()) === undefined) socket.destroy();
  });
  server.on('sessionError', () => undefined);
  server.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const socket = stream.session?.socket as TLSSocket | undefined;
    const from = memberBehind(socket, members());
    const path = PATH.exec(headers[':path'] ?? '')?.[1];
    if (from === undefined || path === undefined || headers[':method'] !== 'POST') {
      give(stream, from === undefined ? 403 : 404, {});
      return;
    }
    void read(stream)
      .then(async (body) => {
        const said = body === undefined ? undefined : await answer(path, from.uid, body);
        give(stream, said === undefined ? 404 : 200, said ?? {});
      })
      .catch(() => give(stream, 503, {}));
  });
  await listening(server, { host, port, ipv6Only: ownFamily });
  const address = server.address();
  return {
    host,
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

const listening = (server: Http2SecureServer, at: ListenOptions): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(at, () => resolve());
  });

function give(stream: ServerHttp2Stream, status: number, body: unknown): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': status, 'content-type': 'application/json' });
  stream.end(JSON.stringify(body));
}

/** The JSON that came; undefined: it is none, or too long. */
async function read(stream: ServerHttp2Stream): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LIMIT_BYTES) return undefined;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}
