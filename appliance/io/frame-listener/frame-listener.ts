import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { createServer, type Server, type Socket } from 'node:net';
import { type Frame, FrameReader, readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';
import type { CutFrame, FrameCutter } from '#appliance/alarm/protocol/index.ts';
import { listenAdvice } from '#shared/setting/index.ts';

/** How a protocol cuts its bytes, and its names in the message of a port that cannot be had. */
export interface Framing<F> {
  readonly protocol: string;
  readonly setting: string;
  readonly cutter: () => FrameCutter<F>;
  /** Absent: the protocol is spoken over TCP alone. */
  readonly datagram?: (bytes: Uint8Array) => readonly CutFrame<F>[];
}

const DC09: Framing<Frame> = {
  protocol: 'DC-09',
  setting: 'CARILLON_DC09',
  cutter: () => new FrameReader(),
  datagram: readDatagram,
};

/** Gets the frames that arrive. A way is usable until it is reported as closed; one of a datagram has no end. */
export interface FrameSink<F = Frame> {
  readonly frame: (frame: F, connection: FrameConnection) => void;
  readonly closed: (connectionId: string) => void;
  readonly report: (event: string, detail: Readonly<Record<string, unknown>>) => void;
}

interface FrameConnection {
  readonly id: string;
  readonly transport: 'tcp' | 'udp';
  readonly sourceIp: string;
  readonly sourcePort: number;
  readonly send: (frame: Uint8Array) => void;
}

/** The two ends of a connection, or of a datagram. */
interface FrameEnds {
  readonly transport: 'tcp' | 'udp';
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** Hears of the bytes that come, before they are read, and of those that were written. Both return at once and must not throw. */
interface FrameTap {
  received(ends: FrameEnds, bytes: Uint8Array): void;
  sent(ends: FrameEnds, bytes: Uint8Array): void;
}

interface ListenAddress {
  readonly host: string;
  /** The same for TCP and UDP. */
  readonly port: number;
}

/** `host` and `port` are those of the first address. */
export interface Listening extends ListenAddress {
  /** Every address, with the real ports. */
  readonly bound: readonly ListenAddress[];
  readonly close: () => Promise<void>;
}

/** A frame that has begun must end within this, ms: dripping bytes do not extend it. */
const HALF_FRAME_MS = 10_000;
/** Panels keep connections open between supervision messages, at most 25 h apart; silence beyond is a lost peer. */
const IDLE_MS = 26 * 3_600_000;
const CONNECTIONS = 20_000;
const CONNECTIONS_PER_SOURCE = 500;
/** Chosen: a panel that has shut its side hears its answers for as long as one may take to be stored, and a little more, ms. */
const SHUT_MS = 10_000;
/** Bytes a panel may leave unread. */
const UNREAD_BYTES = 64 * 1024;

/** Listens for DC-09 frames, as `openFramedListener`. */
export const openFrameListener = (
  at: ListenAddress | readonly ListenAddress[],
  sink: FrameSink,
  tap?: FrameTap,
): Promise<Listening> => openFramedListener(DC09, at, sink, tap);

/**
 * Listens for frames on one port, TCP and, where the protocol has datagrams, UDP, of one or several addresses; `::` hears IPv6 alone. Rejects with the address in
 * the message when one cannot be had, and then listens on none. Broken frames get no answer (DC-09 5.5.1.6): the panel repeats.
 */
export async function openFramedListener<F>(
  framing: Framing<F>,
  at: ListenAddress | readonly ListenAddress[],
  sink: FrameSink<F>,
  tap?: FrameTap,
): Promise<Listening> {
  const all = 'host' in at ? [at] : at;
  const connections = new Connections(framing, sink, tap);
  const bound: ListenAddress[] = [];
  const closing: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    const closed = closing.splice(0).map((end) => end());
    connections.cut();
    await Promise.all(closed);
  };
  try {
    for (const { host, port: wanted } of all) {
      const server = await openTcp(framing, { host, port: wanted }, connections);
      closing.push(() => new Promise((resolve) => server.close(() => resolve())));
      const port = portOf(server) ?? wanted;
      bound.push({ host, port });
      if (framing.datagram === undefined) continue;
      const udp = await openUdp(framing, { host, port }, sink, tap);
      closing.push(() => new Promise((resolve) => udp.close(() => resolve())));
    }
  } catch (cause) {
    await close();
    throw cause;
  }
  return { host: bound[0]?.host ?? '', port: bound[0]?.port ?? 0, bound, close };
}

/** Connections of all addresses together: the limits are those of the host, and each has a name of its own. */
class Connections<F> {
  readonly #framing: Framing<F>;
  readonly #sink: FrameSink<F>;
  readonly #tap: FrameTap | undefined;
  readonly #open = new Set<Socket>();
  readonly #bySource = new Map<string, number>();
  #named = 0;

  constructor(framing: Framing<F>, sink: FrameSink<F>, tap: FrameTap | undefined) {
    this.#framing = framing;
    this.#sink = sink;
    this.#tap = tap;
  }

  take(socket: Socket): void {
    const [open, bySource] = [this.#open, this.#bySource];
    const source = socket.remoteAddress ?? '';
    const held = bySource.get(source) ?? 0;
    if (held >= CONNECTIONS_PER_SOURCE || open.size >= CONNECTIONS) {
      this.#sink.report('connection refused: too many are open', { source, open: open.size });
      socket.destroy();
      return;
    }
    bySource.set(source, held + 1);
    open.add(socket);
    serve(this.#framing.cutter(), { socket, id: `tcp ${++this.#named}` }, this.#sink, this.#tap);
    socket.on('close', () => {
      open.delete(socket);
      const left = (bySource.get(source) ?? 1) - 1;
      if (left > 0) bySource.set(source, left);
      else bySource.delete(source);
    });
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }
}

async function openTcp<F>(
  framing: Framing<F>,
  at: ListenAddress,
  connections: Connections<F>,
): Promise<Server> {
  const options = { noDelay: true, keepAlive: true, keepAliveInitialDelay: 60_000, allowHalfOpen: true };
  const server = createServer(options, (socket) => connections.take(socket));
  await listening(framing, server, at);
  return server;
}

function portOf(server: Server): number | undefined {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : undefined;
}

function serve<F>(
  reader: FrameCutter<F>,
  { socket, id }: { readonly socket: Socket; readonly id: string },
  sink: FrameSink<F>,
  tap: FrameTap | undefined,
): void {
  let half: NodeJS.Timeout | undefined;
  /** Frames without an answer yet. */
  let unanswered = 0;
  let isShut = false;
  const { remoteAddress: sourceIp = '', remotePort: sourcePort = 0 } = socket;
  const ends: FrameEnds = {
    transport: 'tcp',
    localAddress: socket.localAddress ?? '',
    localPort: socket.localPort ?? 0,
    remoteAddress: sourceIp,
    remotePort: sourcePort,
  };
  const connection: FrameConnection = {
    id,
    transport: 'tcp',
    sourceIp,
    sourcePort,
    send: (frame) => {
      if (socket.writableLength > UNREAD_BYTES) socket.destroy();
      else if (socket.writable) {
        socket.write(frame);
        tap?.sent(ends, frame);
      }
      unanswered = Math.max(0, unanswered - 1);
      if (isShut && unanswered <= 0) socket.end();
    },
  };
  const take = (outcomes: readonly CutFrame<F>[]): void => {
    for (const found of outcomes) {
      if (found.kind === 'frame') {
        unanswered++;
        sink.frame(found.frame, connection);
      } else
        sink.report('a broken frame gets no answer', {
          why: found.why,
          bytes: found.bytes,
          source: sourceIp,
        });
    }
  };
  socket.setTimeout(IDLE_MS, () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    tap?.received(ends, chunk);
    take(reader.push(chunk));
    if (!reader.unfinished) {
      clearTimeout(half);
      half = undefined;
    } else
      half ??= setTimeout(() => {
        half = undefined;
        // Interop: a panel that sends no CR waits for its answer.
        const frames = reader.end().filter(({ kind }) => kind === 'frame');
        if (frames.length > 0) return take(frames);
        sink.report('connection closed: a frame did not end in time', { source: sourceIp });
        socket.destroy();
      }, HALF_FRAME_MS);
  });
  // The panel writes no more: what it has said is answered before the connection ends.
  socket.on('end', () => {
    clearTimeout(half);
    take(reader.end());
    isShut = true;
    if (unanswered <= 0) socket.end();
    else half = setTimeout(() => socket.destroy(), SHUT_MS);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    clearTimeout(half);
    sink.closed(id);
  });
}

async function openUdp<F>(
  framing: Framing<F>,
  at: ListenAddress,
  sink: FrameSink<F>,
  tap: FrameTap | undefined,
): Promise<DatagramSocket> {
  const socket = createSocket(at.host.includes(':') ? { type: 'udp6', ipv6Only: true } : { type: 'udp4' });
  socket.on('message', (datagram, { address, port }) => {
    const ends: FrameEnds = {
      transport: 'udp',
      localAddress: at.host,
      localPort: at.port,
      remoteAddress: address,
      remotePort: port,
    };
    tap?.received(ends, datagram);
    const connection: FrameConnection = {
      id: `udp ${at.host} ${address} ${port}`,
      transport: 'udp',
      sourceIp: address,
      sourcePort: port,
      send: (frame) => {
        socket.send(frame, port, address, () => {});
        tap?.sent(ends, frame);
      },
    };
    for (const found of framing.datagram?.(datagram) ?? []) {
      if (found.kind === 'frame') sink.frame(found.frame, connection);
      else
        sink.report('a broken frame gets no answer', { why: found.why, bytes: found.bytes, source: address });
    }
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', (cause) => reject(notHad(framing, 'UDP', at, cause)));
    socket.bind(at.port, at.host, () => resolve());
  });
  socket.removeAllListeners('error');
  socket.on('error', (cause) =>
    sink.report('the system reported an error at the UDP socket', { cause: cause.message }),
  );
  return socket;
}

function listening<F>(framing: Framing<F>, server: Server, at: ListenAddress): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(notHad(framing, 'TCP', at, cause)));
    server.listen({ host: at.host, port: at.port, ipv6Only: true }, () => {
      server.removeAllListeners('error');
      server.on('error', () => {});
      resolve();
    });
  });
}

const notHad = (
  { protocol, setting }: Pick<Framing<unknown>, 'protocol' | 'setting'>,
  transport: string,
  at: ListenAddress,
  cause: NodeJS.ErrnoException,
): Error =>
  new Error(
    `${protocol} cannot listen on ${at.host}:${at.port} (${transport}): ${cause.message}; ${listenAdvice(setting, at, cause.code)}`,
  );
