import type { Result } from '#shared/result.ts';

/** Gets each datagram; the bytes are used again as soon as it returns. */
export type DatagramSink = (bytes: Uint8Array, host: string, port: number, nowMs: number) => void;

/** One UDP socket of a leg; satisfies the engine's `PacketPort`. Unconnected: a peer that moved is still heard. */
export interface RtpSocket {
  /** Packets go there from now on; they are dropped before. */
  deliverTo(sink: DatagramSink): void;
  /** To a numeric address. A datagram that cannot be sent is lost like one on the way. */
  send(bytes: Uint8Array, host: string, port: number): void;
  close(): void;
}

export interface RtpPair {
  readonly rtp: RtpSocket;
  readonly rtcp: RtpSocket;
}

/** `PortTaken`: another program has it. `NoSocket`: the address is not ours, or the system gives no more sockets. */
export interface SocketFault {
  readonly code: 'PortTaken' | 'NoSocket';
  readonly reason: string;
}

/** Where a thread gets its sockets from. */
export interface RtpNetwork {
  /**
   * Hands out now what waits in the sockets, as they would without being asked a moment later. Null where that cannot be
   * had: packets come when the loop has its turn.
   */
  readonly read: (() => void) | null;
  open(host: string, family: 4 | 6, port: number): Promise<Result<RtpSocket, SocketFault>>;
  /** For the end of the thread; all sockets have been closed. */
  close(): void;
}

/** Opens the pair at an even port. */
export async function openRtpPair(
  network: RtpNetwork,
  host: string,
  family: 4 | 6,
  port: number,
): Promise<Result<RtpPair, SocketFault>> {
  const rtp = await network.open(host, family, port);
  if (!rtp.ok) return rtp;
  const rtcp = await network.open(host, family, port + 1);
  if (rtcp.ok) return { ok: true, value: { rtp: rtp.value, rtcp: rtcp.value } };
  rtp.value.close();
  return rtcp;
}

export const noSocket = (
  isTaken: boolean,
  host: string,
  port: number,
  reason: string,
): { readonly ok: false; readonly error: SocketFault } => ({
  ok: false,
  error: {
    code: isTaken ? 'PortTaken' : 'NoSocket',
    reason: `No RTP socket at ${host} port ${port}: ${reason}.`,
  },
});
