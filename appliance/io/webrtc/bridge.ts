import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import { isRtcp, SrtcpReceiver, SrtcpSender, SrtpReceiver, SrtpSender } from '../../media/rtp/index.ts';
import type { UdpAddress, WebRtcFigures } from '../../media/webrtc/index.ts';
import { srtpCrypto } from '../crypto/index.ts';
import type { SrtpMasters } from './handshake.ts';

const SUITE = 'AES_CM_128_HMAC_SHA1_80';
/** Longest packet of audio that is passed on, with room for tag and index. */
const MOST_BYTES = 2_048;
const ROOM = 32;

interface Keys {
  readonly rtpOut: SrtpSender;
  readonly rtpIn: SrtpReceiver;
  readonly rtcpOut: SrtcpSender;
  readonly rtcpIn: SrtcpReceiver;
}

/**
 * Plain RTP towards the media leg, SRTP towards the peer.
 *
 * ```
 *   media leg  ◀── plain RTP, RTCP; one loopback socket ──▶  bridge  ◀── SRTP, SRTCP ──▶  ICE connection
 * ```
 * Only packets of the leg's own address are taken: whoever else has a socket on this machine is not heard.
 */
export class Bridge {
  readonly address: UdpAddress;
  readonly #socket: Socket;
  readonly #leg: UdpAddress;
  readonly #toPeer: (packet: Buffer) => void;
  readonly #scratch = Buffer.alloc(MOST_BYTES + ROOM);
  #keys: Keys | undefined;
  #sent = 0;
  #received = 0;
  #rejected = 0;
  #dropped = 0;

  private constructor(socket: Socket, leg: UdpAddress, toPeer: (packet: Buffer) => void) {
    this.#socket = socket;
    this.#leg = leg;
    this.#toPeer = toPeer;
    const { address, port } = socket.address();
    this.address = { host: address, port };
    socket.on('message', (packet, from) => this.#fromLeg(packet, from.address, from.port));
    // The leg's port may be closed before this socket: that is no reason to end.
    socket.on('error', () => undefined);
  }

  /** @param leg the media leg, on a loopback address of this machine @param toPeer takes a packet that is its own */
  static async open(leg: UdpAddress, toPeer: (packet: Buffer) => void): Promise<Bridge> {
    const socket = createSocket({
      type: isIPv6(leg.host) ? 'udp6' : 'udp4',
      // Addresses are numeric: the system's resolver would be asked for each packet.
      lookup: (host, _options, found) => found(null, host, isIPv6(host) ? 6 : 4),
    });
    const listening = once(socket, 'listening');
    socket.bind({ address: leg.host, port: 0 });
    await listening;
    return new Bridge(socket, leg, toPeer);
  }

  /** From here on packets pass; those that came before are dropped and counted. */
  use({ local, remote }: SrtpMasters): void {
    this.#keys = {
      rtpOut: new SrtpSender(SUITE, local, srtpCrypto),
      rtpIn: new SrtpReceiver(SUITE, remote, srtpCrypto),
      rtcpOut: new SrtcpSender(local, srtpCrypto),
      rtcpIn: new SrtcpReceiver(remote, srtpCrypto),
    };
  }

  /** Nothing passes until there are other keys. */
  rest(): void {
    this.#keys = undefined;
  }

  /** A packet of the peer, protected. It is unprotected in place. */
  fromPeer(packet: Buffer): void {
    const keys = this.#keys;
    if (keys === undefined || packet.length > MOST_BYTES) {
      this.#dropped++;
      return;
    }
    const rtcp = isRtcp(packet, packet.length);
    const length = rtcp
      ? keys.rtcpIn.unprotect(packet, packet.length)
      : keys.rtpIn.unprotect(packet, packet.length);
    if (length < 0) {
      this.#rejected++;
      return;
    }
    this.#received++;
    this.#socket.send(packet, 0, length, this.#leg.port, this.#leg.host);
  }

  #fromLeg(packet: Buffer, host: string, port: number): void {
    const keys = this.#keys;
    const isForeign = port !== this.#leg.port || host !== this.#leg.host;
    if (keys === undefined || isForeign || packet.length > MOST_BYTES) {
      this.#dropped++;
      return;
    }
    this.#scratch.set(packet);
    const length = isRtcp(packet, packet.length)
      ? keys.rtcpOut.protect(this.#scratch, packet.length)
      : keys.rtpOut.protect(this.#scratch, packet.length);
    if (length < 0) {
      this.#rejected++;
      return;
    }
    this.#sent++;
    // The socket below keeps the bytes until the system has taken them.
    this.#toPeer(Buffer.from(this.#scratch.subarray(0, length)));
  }

  get figures(): WebRtcFigures {
    return { sent: this.#sent, received: this.#received, rejected: this.#rejected, dropped: this.#dropped };
  }

  close(): void {
    this.#socket.close();
  }
}
