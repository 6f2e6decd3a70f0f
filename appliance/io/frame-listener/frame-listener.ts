import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { type Frame, FrameReader, readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';

/** What arrives. A way is usable until it is said to be closed; one of a datagram has no end. */
export interface FrameSink {
  readonly frame: (frame: Frame, way: Way) => void;
  readonly closed: (way: string) => void;
  readonly report: (event: string, detail: Readonly<Record<string, unknown>>) => void;
}

interface Way {
  readonly id: string;
  readonly transport: 'tcp' | 'udp';
  readonly sourceIp: string;
  readonly sourcePort: number;
  readonly send: (frame: Uint8Array) => void;
}

export interface Listening {
  readonly host: string;
  /** The same for TCP and UDP. */
  readonly port: number;
  readonly close: () => Promise<void>;
}

/** A frame that has begun must end within this, ms: dripping bytes do not extend it. */
const HALF_FRAME_MS = 10_000;
/** Panels keep connections open between supervision messages, at most 25 h apart; silence beyond is a lost peer. */
const IDLE_MS = 26 * 3_600_000;
const CONNECTIONS = 20_000;
const CONNECTIONS_PER_SOURCE = 500;
/** Bytes a panel may leave unread. */
const UNREAD_BYTES = 64 * 1024;

/**
 * Listens for DC-09 frames on one port, TCP and UDP. Rejects with the address in the message when it cannot be had.
 * Broken frames get no answer (DC-09 5.5.1.6): the panel repeats.
 */
export async function openFrameListener(
  at: { readonly host: string; readonly port: number },
  sink: FrameSink,
): Promise<Listening> {
  const tcp = await openTcp(at, sink);
  try {
    const udp = await openUdp({ host: at.host, port: tcp.port }, sink);
    return {
      host: at.host,
      port: tcp.port,
      close: async () => {
        await Promise.all([tcp.close(), new Promise<void>((resolve) => udp.close(() => resolve()))]);
      },
    };
  } catch (cause) {
    await tcp.close();
    throw cause;
  }
}

async function openTcp(at: { readonly host: string; readonly port: number }, sink: FrameSink) {
  const open = new Set<Socket>();
  const bySource = new Map<string, number>();
  let named = 0;
  const server = createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000 }, (socket) => {
    const source = socket.remoteAddress ?? '';
    const held = bySource.get(source) ?? 0;
    if (held >= CONNECTIONS_PER_SOURCE || open.size >= CONNECTIONS) {
      sink.report('connection refused: too many are open', { source, open: open.size });
      socket.destroy();
      return;
    }
    bySource.set(source, held + 1);
    open.add(socket);
    serve(socket, `tcp ${++named}`, sink);
    socket.on('close', () => {
      open.delete(socket);
      const left = (bySource.get(source) ?? 1) - 1;
      if (left > 0) bySource.set(source, left);
      else bySource.delete(source);
    });
  });
  await listening(server, at);
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : at.port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of open) socket.destroy();
      }),
  };
}

function serve(socket: Socket, id: string, sink: FrameSink): void {
  const reader = new FrameReader();
  let half: NodeJS.Timeout | undefined;
  const { remoteAddress: sourceIp = '', remotePort: sourcePort = 0 } = socket;
  const way: Way = {
    id,
    transport: 'tcp',
    sourceIp,
    sourcePort,
    send: (frame) => {
      if (socket.writableLength > UNREAD_BYTES) socket.destroy();
      else if (socket.writable) socket.write(frame);
    },
  };
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    for (const found of reader.push(chunk)) {
      if (found.kind === 'frame') sink.frame(found.frame, way);
      else
        sink.report('a broken frame gets no answer', {
          why: found.why,
          bytes: found.bytes,
          source: sourceIp,
        });
    }
    if (!reader.unfinished) {
      clearTimeout(half);
      half = undefined;
    } else
      half ??= setTimeout(() => {
        sink.report('connection closed: a frame did not end in time', { source: sourceIp });
        socket.destroy();
      }, HALF_FRAME_MS);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(half);
    sink.closed(id);
  });
}

async function openUdp(
  at: { readonly host: string; readonly port: number },
  sink: FrameSink,
): Promise<DatagramSocket> {
  const socket = createSocket(at.host.includes(':') ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
  socket.on('message', (datagram, { address, port }) => {
    const way: Way = {
      id: `udp ${address} ${port}`,
      transport: 'udp',
      sourceIp: address,
      sourcePort: port,
      send: (frame) => socket.send(frame, port, address, () => {}),
    };
    for (const found of readDatagram(datagram)) {
      if (found.kind === 'frame') sink.frame(found.frame, way);
      else
        sink.report('a broken frame gets no answer', { why: found.why, bytes: found.bytes, source: address });
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (cause) => reject(notHad('UDP', at, cause)));
    socket.bind(at.port, at.host, () => resolve());
  });
  socket.removeAllListeners('error');
  socket.on('error', (cause) => sink.report('the UDP socket failed', { cause: cause.message }));
  return socket;
}

function listening(server: Server, at: { readonly host: string; readonly port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(notHad('TCP', at, cause)));
    server.listen({ host: at.host, port: at.port, ipv6Only: true }, () => {
      server.removeAllListeners('error');
      server.on('error', () => {});
      resolve();
    });
  });
}

const notHad = (transport: string, { host, port }: { host: string; port: number }, cause: Error): Error =>
  new Error(
    `DC-09 cannot listen on ${host}:${port} (${transport}): ${cause.message}; set CARILLON_DC09 to a free address, or to nothing`,
  );
