import ipaddr from 'ipaddr.js';

const COOKIE = 0x2112a442;
const HEADER_BYTES = 20;
const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const XOR_MAPPED_ADDRESS = 0x0020;

/** First two bits zero and the magic cookie: no SIP message starts so (RFC 5626 4.4.2, RFC 8489 5). */
export function isStun(bytes: Buffer): boolean {
  return bytes.length >= HEADER_BYTES && (bytes[0] ?? 255) < 4 && bytes.readUInt32BE(4) === COOKIE;
}

/**
 * The answer to a Binding request used as keep-alive on the SIP port (RFC 5626 4.4.2 and 8): the sender's own
 * address as seen from here. Anything but a Binding request is silence. Attributes of the request are not
 * looked at: the keep-alive usage has none that must be understood.
 */
export function stunBinding(request: Buffer, remoteAddress: string, remotePort: number): Buffer | undefined {
  if (
    request.readUInt16BE(0) !== BINDING_REQUEST ||
    request.readUInt16BE(2) !== request.length - HEADER_BYTES
  ) {
    return undefined;
  }
  const address = ipaddr.parse(remoteAddress).toByteArray();
  const answer = Buffer.alloc(HEADER_BYTES + 8 + address.length);
  answer.writeUInt16BE(BINDING_SUCCESS, 0);
  answer.writeUInt16BE(answer.length - HEADER_BYTES, 2);
  request.copy(answer, 4, 4, HEADER_BYTES);
  answer.writeUInt16BE(XOR_MAPPED_ADDRESS, 20);
  answer.writeUInt16BE(4 + address.length, 22);
  answer.writeUInt8(address.length === 4 ? 1 : 2, 25);
  answer.writeUInt16BE(remotePort ^ (COOKIE >>> 16), 26);
  // XOR with cookie and transaction id, which stand behind one another (RFC 8489 14.2).
  address.forEach((byte, i) => {
    answer[28 + i] = byte ^ (request[4 + i] ?? 0);
  });
  return answer;
}
