import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { connect, type Socket } from 'node:net';
import { type Frame, FrameReader, readDatagram } from '#appliance/alarm/protocol/framed-ip/index.ts';
import { BoundedMap } from '#shared/bounded-map.ts';
import { Listeners } from '#shared/listeners.ts';
import { fail, ok, type Result } from '#shared/result.ts';

/** Where frames go; a name is looked up when a connection is opened, and for each datagram. */
export interface FrameDestination {
  readonly host: string;
  readonly port: number;
  readonly transport: 'tcp' | 'udp';
}

/** The ends of a connection or a datagram, as the socket sees them. */
interface FrameEnds {
  readonly transport: 'tcp' | 'udp';
  readonly localAddress: string;
  readonly localPort: number;
  readonly remoteAddress: string;
  readonly remotePort: number;
}

/** Hears of the bytes to and from a receiver: a frame over UDP, what came or went at once over TCP. */
interface FrameCallerTap {
  sent(to: FrameDestination, ends: FrameEnds, bytes: Uint8Array): void;
  received(from: FrameDestination, ends: FrameEnds, bytes: Uint8Array): void;
}

type Sent = Result<undefined, { readonly code: 'Unreachable'; readonly reason: string }>;

export interface OpenFrameCaller {
  /** Resolves when the frame has left; a connection is opened for the first one and kept. */
  readonly send: (to: FrameDestination, frame: Uint8Array) => Promise<Sent>;
  /** A frame with a right CRC. */
  readonly frames: Listeners<[from: FrameDestination, frame: Frame]>;
  /** Connections open now. */
  readonly open: number;
  readonly close: () => Promise<void>;
}

export interface FrameCallerSetting {
  readonly report: (event: string, detail: Readonly<Record<string, unknown>>) => void;
  /** Longest wait for a connection, ms. */
  readonly connectMs?: number;
  /** A connection without a frame for this long is closed, ms; NULL frames keep it open. */
  readonly idleMs?: number;
  /** Connections at once; the one that was silent longest makes room. */
  readonly most?: number;
  readonly tap?: FrameCallerTap | undefined;
}

const CONNECT_MS = 5_000;
const IDLE_MS = 5 * 60_000;
const MOST = 200;

/** Sends DC-09 frames to receivers and hands on what they answer. It reads no frame. */
export function openFrameCaller({
  report,
  connectMs = CONNECT_MS,
  idleMs = IDLE_MS,
  most = MOST,
  tap,
}: FrameCallerSetting): OpenFrameCaller {
  /** By destination; least recently used first. */
  const lines = new Map<string, Promise<Result<Socket, { code: 'Unreachable'; reason: string }>>>();
  const open = new Map<string, Socket>();
  const datagrams = new Map<4 | 6, DatagramSocket>();
  /** The destination that an address stands for: answers come from there. */
  const named = new BoundedMap<string, FrameDestination>(most);

  const frames: OpenFrameCaller['frames'] = new Listeners();

  const over = (key: string, socket: Socket): void => {
    if (open.get(key) !== socket) return;
    open.delete(key);
    lines.delete(key);
  };

  const opened = async (key: string, to: FrameDestination) => {
    if (open.size >= most) {
      const [oldest] = open.keys();
      open.get(oldest ?? '')?.destroy();
    }
    const socket = connect({ host: to.host, port: to.port, noDelay: true, keepAlive: true });
    const reader = new FrameReader();
    open.set(key, socket);
    socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('data', (chunk: Buffer) => {
      tap?.received(to, endsOf(socket), chunk);
      for (const found of reader.push(chunk)) {
        if (found.kind === 'frame') frames.emit(to, found.frame);
        else report('a broken frame of a receiver is left alone', { why: found.why, destination: key });
      }
    });
    socket.on('close', () => over(key, socket));
    const { promise, resolve } =
      Promise.withResolvers<Result<Socket, { code: 'Unreachable'; reason: string }>>();
    const timer = setTimeout(() => {
      resolve(fail('Unreachable', `no connection within ${connectMs / 1000} s`));
      socket.destroy();
    }, connectMs);
    socket.once('connect', () => resolve(ok(socket)));
    socket.on('error', (cause) => {
      resolve(fail('Unreachable', cause.message));
      socket.destroy();
    });
    promise.finally(() => clearTimeout(timer));
    return await promise;
  };

  const overTcp = async (to: FrameDestination, frame: Uint8Array): Promise<Sent> => {
    const key = keyOf(to);
    const line = lines.get(key) ?? opened(key, to);
    lines.delete(key);
    lines.set(key, line);
    const socket = await line;
    if (!socket.ok) {
      lines.delete(key);
      return socket;
    }
    return await new Promise((resolve) =>
      socket.value.write(frame, (cause) => {
        if (cause == null) tap?.sent(to, endsOf(socket.value), frame);
        resolve(cause == null ? ok(undefined) : fail('Unreachable', cause.message));
      }),
    );
  };

  const overUdp = async (to: FrameDestination, frame: Uint8Array): Promise<Sent> => {
    try {
      const { address, family } = await lookup(to.host);
      const socket = await datagramSocket(family === 6 ? 6 : 4);
      named.set(`${address} ${to.port}`, to);
      return await new Promise((resolve) =>
        socket.send(frame, to.port, address, (cause) => {
          if (cause === null) tap?.sent(to, datagramEnds(socket, { address, port: to.port }), frame);
          resolve(cause === null ? ok(undefined) : fail('Unreachable', cause.message));
        }),
      );
    } catch (cause) {
      return fail('Unreachable', cause instanceof Error ? cause.message : String(cause));
    }
  };

  const datagramSocket = async (family: 4 | 6): Promise<DatagramSocket> => {
    const known = datagrams.get(family);
    if (known !== undefined) return known;
    const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
    datagrams.set(family, socket);
    socket.on('message', (datagram, { address, port }) => {
      const to = named.get(`${address} ${port}`);
      if (to === undefined) return;
      tap?.received(to, datagramEnds(socket, { address, port }), datagram);
      for (const found of readDatagram(datagram)) if (found.kind === 'frame') frames.emit(to, found.frame);
    });
    socket.on('error', (cause) =>
      report('the system reported an error at the UDP socket for frames', { cause: cause.message }),
    );
    await new Promise<void>((resolve) => socket.bind(0, () => resolve()));
    return socket;
  };

  return {
    send: (to, frame) => (to.transport === 'tcp' ? overTcp(to, frame) : overUdp(to, frame)),
    frames,
    get open() {
      return open.size;
    },
    close: async () => {
      for (const socket of open.values()) socket.destroy();
      await Promise.all(
        [...datagrams.values()].map(
          (socket) => new Promise<void>((resolve) => socket.close(() => resolve())),
        ),
      );
      datagrams.clear();
    },
  };
}

const endsOf = ({ localAddress, localPort, remoteAddress, remotePort }: Socket): FrameEnds => ({
  transport: 'tcp',
  localAddress: localAddress ?? '',
  localPort: localPort ?? 0,
  remoteAddress: remoteAddress ?? '',
  remotePort: remotePort ?? 0,
});

function datagramEnds(
  socket: DatagramSocket,
  { address, port }: { readonly address: string; readonly port: number },
): FrameEnds {
  const own = socket.address();
  return {
    ...{ transport: 'udp', localAddress: own.address, localPort: own.port },
    ...{ remoteAddress: address, remotePort: port },
  };
}

const keyOf = ({ host, port, transport }: FrameDestination): string => `${transport} ${host}:${port}`;
