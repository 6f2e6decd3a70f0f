import { isUnspecified } from './address.ts';
import { type End, ipPacket } from './datagram.ts';
import { exportedPdu } from './exported-pdu.ts';
import type { CapturedMessage, Protocol } from './message.ts';

/*
 * pcapng (draft-ietf-opsawg-pcapng): a section header, two interfaces, and an Enhanced Packet Block for each message.
 * Blocks are little-endian, padded to four bytes, and begin and end with their length.
 */
const BLOCK = { section: 0x0a0d0d0a, interface: 1, packet: 6 } as const;
const BYTE_ORDER = 0x1a2b3c4d;
/** LINKTYPE_RAW: the packet begins with its IP header. LINKTYPE_WIRESHARK_UPPER_PDU: an exported PDU. */
const LINK = { raw: 101, upperPdu: 252 } as const;
const INTERFACE = { raw: 0, upperPdu: 1 } as const;
const OPTION = { comment: 1, name: 2, flags: 2, application: 4 } as const;
const FLAG = { in: 1, out: 2 } as const;
const DISSECTOR: Readonly<Record<Protocol, string>> = { sip: 'sip', dc09: 'data', http: 'http' };

/** Facts about a capture that no message shows. */
export interface CaptureNote {
  /** Stands in the file as the program that wrote it. */
  readonly program: string;
  /** Stands at the section: what is missing, for example. */
  readonly comment?: string | undefined;
  /** This host's address, where a listener takes every address and does not know the one that was meant. */
  readonly ownAddress: string;
}

/** A capture file that Wireshark opens, of these messages in their order. */
export const pcapng = (messages: Iterable<CapturedMessage>, note: CaptureNote): Buffer =>
  Buffer.concat([...pcapngBlocks(messages, note)]);

/** The same file block by block. */
export function* pcapngBlocks(messages: Iterable<CapturedMessage>, note: CaptureNote): Iterable<Buffer> {
  yield sectionBlock(note);
  yield interfaceBlock(LINK.raw, 'SIP and DC-09 over UDP');
  yield interfaceBlock(LINK.upperPdu, 'streams, TLS, WebSocket, HTTP');
  for (const message of messages) yield packetBlock(message, note.ownAddress);
}

/** The ends of a message in the order of its way; `comment` says what was put in for an address that is not known. */
export function endsOf(
  { direction, flow }: Pick<CapturedMessage, 'direction' | 'flow'>,
  ownAddress: string,
): { readonly from: End; readonly to: End; readonly isConfigured: boolean } {
  const isConfigured = isUnspecified(flow.localAddress) && isSameFamily(ownAddress, flow.localAddress);
  const local = { address: isConfigured ? ownAddress : flow.localAddress, port: flow.localPort };
  const remote = { address: flow.remoteAddress, port: flow.remotePort };
  return direction === 'in'
    ? { from: remote, to: local, isConfigured }
    : { from: local, to: remote, isConfigured };
}

/** A name counts as IPv4, and an exported PDU or the unspecified address shows that it is none. */
const isSameFamily = (one: string, other: string): boolean =>
  /^[\d.]+$|:/.test(one) && one.includes(':') === other.includes(':');

function packetBlock(message: CapturedMessage, ownAddress: string): Buffer {
  const { from, to, isConfigured } = endsOf(message, ownAddress);
  const { direction, protocol, flow, bytes, atMs } = message;
  const packet = flow.transport === 'UDP' ? ipPacket(from, to, bytes) : undefined;
  const data = packet ?? exportedPdu(DISSECTOR[protocol], from, to, bytes);
  const head = Buffer.alloc(20);
  const us = BigInt(Math.round(atMs * 1_000));
  head.writeUInt32LE(packet === undefined ? INTERFACE.upperPdu : INTERFACE.raw, 0);
  head.writeUInt32LE(Number(us >> 32n), 4);
  head.writeUInt32LE(Number(us & 0xffffffffn), 8);
  head.writeUInt32LE(data.length, 12);
  head.writeUInt32LE(data.length, 16);
  const flags = Buffer.alloc(4);
  flags.writeUInt32LE(FLAG[direction]);
  const said = [
    `${direction} ${flow.transport}`,
    ...(isConfigured
      ? ['configured address']
      : isUnspecified(flow.localAddress)
        ? ['local address not known']
        : []),
  ];
  return block(BLOCK.packet, [
    head,
    padded(data),
    option(OPTION.comment, Buffer.from(said.join('; '))),
    option(OPTION.flags, flags),
    option(0, Buffer.alloc(0)),
  ]);
}

function sectionBlock({ program, comment }: CaptureNote): Buffer {
  const head = Buffer.alloc(16);
  head.writeUInt32LE(BYTE_ORDER, 0);
  head.writeUInt16LE(1, 4);
  // The length of the section is not said (-1): a reader walks the blocks.
  head.fill(0xff, 8, 16);
  return block(BLOCK.section, [
    head,
    option(OPTION.application, Buffer.from(program)),
    ...(comment === undefined ? [] : [option(OPTION.comment, Buffer.from(comment))]),
    option(0, Buffer.alloc(0)),
  ]);
}

/** Times are in microseconds, the resolution of a file that names none. */
function interfaceBlock(link: number, name: string): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt16LE(link, 0);
  return block(BLOCK.interface, [head, option(OPTION.name, Buffer.from(name)), option(0, Buffer.alloc(0))]);
}

function block(type: number, parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts);
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32LE(type, 0);
  whole.writeUInt32LE(whole.length, 4);
  whole.set(body, 8);
  whole.writeUInt32LE(whole.length, whole.length - 4);
  return whole;
}

function option(code: number, value: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUInt16LE(code, 0);
  head.writeUInt16LE(value.length, 2);
  return Buffer.concat([head, padded(value)]);
}

function padded(bytes: Uint8Array): Buffer {
  const whole = Buffer.alloc(Math.ceil(bytes.length / 4) * 4);
  whole.set(bytes);
  return whole;
}
