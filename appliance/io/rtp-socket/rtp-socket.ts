import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { fail, ok, type Result } from '#shared/result.ts';

export type DatagramSink = (bytes: Uint8Array, host: string, port: number, nowMs: number) => void;

/** One UDP socket of a leg; satisfies the engine's `PacketPort`. */
export interface RtpSocket {
  /** Where packets come in; nobody before it is set. */
  sink: DatagramSink | null;
  send(bytes: Uint8Array, host: string, port: number): void;
  close(): void;
}

export interface RtpPair {
  readonly rtp: RtpSocket;
  readonly rtcp: RtpSocket;
}

/**
 * Opens the pair at an even port. Fails with `PortTaken` when another program has one of them, with `NoSocket` when the
 * address is not ours or the system gives no more sockets.
 */
export async function openRtpPair(host: string, family: 4 | 6, port: number): Promise<Result<RtpPair>> {
  const rtp = await openRtpSocket(host, family, port);
  if (!rtp.ok) return rtp;
  const rtcp = await openRtpSocket(host, family, port + 1);
  if (rtcp.ok) return ok({ rtp: rtp.value, rtcp: rtcp.value });
  rtp.value.close();
  return rtcp;
}

/**
 * Unconnected, so that a peer that moved is still heard. The look-up answers at once: addresses are numeric here, and
 * Node's own defers every datagram to another turn of the loop.
 */
async function openRtpSocket(host: string, family: 4 | 6, port: number): Promise<Result<RtpSocket>> {
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
    return fail(isTaken ? 'PortTaken' : 'NoSocket', `No RTP socket at ${host} port ${port}: ${reason}.`);
  }
  return ok(joined(socket));
}

function joined(socket: Socket): RtpSocket {
  let open = true;
  const face: RtpSocket = {
    sink: null,
    // No completion is asked for: a datagram that cannot be sent is lost like one on the way.
    send: (bytes, host, port) => {
      if (open) socket.send(bytes, port, host);
    },
    close: () => {
      open = false;
      face.sink = null;
      socket.close();
    },
  };
  socket.on('message', (bytes: Buffer, from: RemoteInfo) => {
    if (from.port !== 0) face.sink?.(bytes, from.address, from.port, performance.now());
  });
  // Errors of single datagrams (network unreachable) are no end of the socket.
  socket.on('error', () => {});
  return face;
}
