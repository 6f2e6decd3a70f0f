import { addressBytes } from './address.ts';
import type { CapturedMessage } from './message.ts';
import { endsOf } from './pcapng.ts';

/** HEP 3 (sipcapture, "HEP/EEP Network Protocol Specification" rev. 36): chunks of vendor 0. */
const CHUNK = {
  family: 1,
  protocol: 2,
  ipv4Source: 3,
  ipv4Target: 4,
  ipv6Source: 5,
  ipv6Target: 6,
  sourcePort: 7,
  targetPort: 8,
  seconds: 9,
  micros: 10,
  type: 11,
  agent: 12,
  payload: 15,
  correlation: 17,
} as const;
const FAMILY = { ipv4: 2, ipv6: 10 } as const;
const IP_PROTOCOL = { tcp: 6, udp: 17 } as const;
const TYPE_SIP = 1;
/** UDP over IPv4. */
const MOST = 65_507;

/** One SIP message for a capture server; undefined: an end has no address, or it fits into no datagram. */
export function hepPacket(message: CapturedMessage, agent: number, ownAddress: string): Buffer | undefined {
  const { from, to } = endsOf(message, ownAddress);
  const source = addressBytes(from.address);
  const target = addressBytes(to.address);
  if (source === undefined || target === undefined || source.length !== target.length) return undefined;
  const isIpv4 = source.length === 4;
  const seconds = Math.floor(message.atMs / 1_000);
  const body = Buffer.concat([
    chunk(CHUNK.family, byte(isIpv4 ? FAMILY.ipv4 : FAMILY.ipv6)),
    chunk(CHUNK.protocol, byte(message.flow.transport === 'UDP' ? IP_PROTOCOL.udp : IP_PROTOCOL.tcp)),
    chunk(isIpv4 ? CHUNK.ipv4Source : CHUNK.ipv6Source, source),
    chunk(isIpv4 ? CHUNK.ipv4Target : CHUNK.ipv6Target, target),
    chunk(CHUNK.sourcePort, short(from.port)),
    chunk(CHUNK.targetPort, short(to.port)),
    chunk(CHUNK.seconds, long(seconds)),
    chunk(CHUNK.micros, long(Math.floor((message.atMs - seconds * 1_000) * 1_000))),
    chunk(CHUNK.type, byte(TYPE_SIP)),
    chunk(CHUNK.agent, long(agent)),
    chunk(CHUNK.correlation, Buffer.from(message.key)),
    chunk(CHUNK.payload, message.bytes),
  ]);
  if (body.length + 6 > MOST) return undefined;
  return Buffer.concat([Buffer.from('HEP3'), short(body.length + 6), body]);
}

function chunk(type: number, value: Uint8Array): Buffer {
  return Buffer.concat([short(0), short(type), short(value.length + 6), value]);
}

const byte = (value: number): Buffer => Buffer.from([value]);

function short(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function long(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
