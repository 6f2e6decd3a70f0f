import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { ok, type Result } from '#shared/result.ts';
import {
  type DatagramSink,
  noSocket,
  type RtpNetwork,
  type RtpSocket,
  type SocketFault,
} from './rtp-socket.ts';

/** Sockets of Node: for systems where we cannot call the kernel ourselves. */
export const nodeNetwork: RtpNetwork = { read: null, open, close: () => {} };

/** The look-up answers at once: addresses are numeric here, and Node's own defers every datagram to another turn. */
async function open(host: string, family: 4 | 6, port: number): Promise<Result<RtpSocket, SocketFault>> {
  const socket = createSocket({
    type: family === 6 ? 'udp6' : 'udp4',
    ipv6Only: family === 6,
    lookup: (address, _options, done) => done(null, address, family),
  });
  try {
    // Asked for before binding: with the look-up above the event comes while `bind` still runs.
    const listening = once(socket, 'listening');
    socket.bind({ port, address: host, exclusive: true });
    await listening;
  } catch (error) {
    socket.close();
    const reason = error instanceof Error ? error.message : String(error);
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    return noSocket(isTaken, host, port, reason);
  }
  return ok(joined(socket));
}

function joined(socket: Socket): RtpSocket {
  let open = true;
  let sink: DatagramSink | null = null;
  const joinedSocket: RtpSocket = {
    deliverTo: (to) => {
      if (open) sink = to;
    },
    // No completion is asked for, and the bytes may be used again: the system has taken them when this returns.
    send: (bytes, host, port) => {
      if (open) socket.send(bytes, port, host);
    },
    close: () => {
      if (!open) return;
      open = false;
      sink = null;
      socket.close();
    },
  };
  socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
    if (from.port !== 0) sink?.(bytes, from.address, from.port, performance.now());
  });
  // Errors of single datagrams (network unreachable) are no end of the socket.
  socket.on('error', () => {});
  return joinedSocket;
}
