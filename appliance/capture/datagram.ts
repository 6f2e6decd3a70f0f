import { addressBytes } from './address.ts';

/** One end of a datagram. */
export interface End {
  readonly address: string;
  readonly port: number;
}

const UDP = 17;
const UDP_HEAD = 8;
const IPV4_HEAD = 20;
const IPV6_HEAD = 40;
const HOPS = 64;
const MOST = 0xffff;

/**
 * An IP packet with the UDP datagram that these bytes came in (RFC 768, 791, 8200): addresses, ports and bytes are those of the wire,
 * the other fields are ours. Undefined: an end has no address, the families differ, or the bytes fit into no datagram.
 */
export function ipPacket(from: End, to: End, payload: Uint8Array): Buffer | undefined {
  const source = addressBytes(from.address);
  const target = addressBytes(to.address);
  if (source === undefined || target === undefined || source.length !== target.length) return undefined;
  const isIpv4 = source.length === 4;
  const head = isIpv4 ? IPV4_HEAD : IPV6_HEAD;
  const udpLength = UDP_HEAD + payload.length;
  if (udpLength + (isIpv4 ? head : 0) > MOST) return undefined;
  const packet = Buffer.alloc(head + udpLength);
  if (isIpv4) {
    packet[0] = 0x45;
    packet.writeUInt16BE(head + udpLength, 2);
    packet[8] = HOPS;
    packet[9] = UDP;
    packet.set(source, 12);
    packet.set(target, 16);
    packet.writeUInt16BE(onesComplement(packet, 0, head, 0), 10);
  } else {
    packet[0] = 0x60;
    packet.writeUInt16BE(udpLength, 4);
    packet[6] = UDP;
    packet[7] = HOPS;
    packet.set(source, 8);
    packet.set(target, 24);
  }
  packet.writeUInt16BE(from.port, head);
  packet.writeUInt16BE(to.port, head + 2);
  packet.writeUInt16BE(udpLength, head + 4);
  packet.set(payload, head + UDP_HEAD);
  const pseudo = sum(source, 0, source.length) + sum(target, 0, target.length) + UDP + udpLength;
  // 0 would mean that there is no checksum.
  packet.writeUInt16BE(onesComplement(packet, head, packet.length, pseudo) || MOST, head + 6);
  return packet;
}

function onesComplement(bytes: Uint8Array, from: number, to: number, start: number): number {
  let total = start + sum(bytes, from, to);
  while (total > MOST) total = (total & MOST) + Math.floor(total / 0x10000);
  return ~total & MOST;
}

function sum(bytes: Uint8Array, from: number, to: number): number {
  let total = 0;
  for (let at = from; at < to; at += 2)
    total += ((bytes[at] ?? 0) << 8) | (at + 1 < to ? (bytes[at + 1] ?? 0) : 0);
  return total;
}
