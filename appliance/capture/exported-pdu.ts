import { addressBytes } from './address.ts';
import type { End } from './datagram.ts';

/** Tags of an exported PDU (Wireshark, `epan/exported_pdu.h`): type and length in network order, values padded to four bytes. */
const TAG = {
  end: 0,
  dissector: 12,
  ipv4Source: 20,
  ipv4Target: 21,
  ipv6Source: 22,
  ipv6Target: 23,
  portType: 24,
  sourcePort: 25,
  targetPort: 26,
} as const;
const PORT_TYPE_TCP = 2;

/**
 * A message that had no datagram of its own, with the dissector that reads it: what came by TLS, a WebSocket or a stream. No packet is
 * invented for it.
 */
export function exportedPdu(dissector: string, from: End, to: End, payload: Uint8Array): Buffer {
  return Buffer.concat([
    tag(TAG.dissector, Buffer.from(dissector)),
    ...addressTag(from.address, TAG.ipv4Source, TAG.ipv6Source),
    ...addressTag(to.address, TAG.ipv4Target, TAG.ipv6Target),
    tag(TAG.portType, number(PORT_TYPE_TCP)),
    tag(TAG.sourcePort, number(from.port)),
    tag(TAG.targetPort, number(to.port)),
    tag(TAG.end, Buffer.alloc(0)),
    payload,
  ]);
}

/** None for a name: HTTP goes to the name of a host. */
function addressTag(address: string, ipv4: number, ipv6: number): Buffer[] {
  const bytes = addressBytes(address);
  return bytes === undefined ? [] : [tag(bytes.length === 4 ? ipv4 : ipv6, bytes)];
}

function tag(type: number, value: Uint8Array): Buffer {
  const padded = Buffer.alloc(4 + Math.ceil(value.length / 4) * 4);
  padded.writeUInt16BE(type, 0);
  padded.writeUInt16BE(padded.length - 4, 2);
  padded.set(value, 4);
  return padded;
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
