/**
 * PROXY protocol, version 2 (HAProxy 2.9, doc/proxy-protocol.txt, section 2.2): the first bytes of a connection, by which a load
 * balancer says whose connection it is.
 *
 *     0D 0A 0D 0A 00 0D 0A 51 55 49 54 0A   signature
 *     21                                    version 2; command: 0 LOCAL, 1 PROXY
 *     11                                    family and transport: 11 TCP over IPv4, 21 TCP over IPv6
 *     00 0C                                 length of what follows
 *     source, destination, ports, then TLVs
 */
export type ProxyHeader =
  /** Not enough bytes yet; `needs`: how many at least. */
  | { readonly kind: 'short'; readonly needs: number }
  /** `source` absent: the connection is of the load balancer itself, as for its health checks. */
  | { readonly kind: 'read'; readonly length: number; readonly source?: string }
  | { readonly kind: 'bad'; readonly reason: string };

const SIGNATURE = Uint8Array.of(0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a);
const FIXED_BYTES = 16;
/** Addresses and the TLVs that load balancers send are far shorter; a longer one is no header but an attack on the memory. */
const LONGEST_PROXY_HEADER = 2_048;
const CHECKSUM = 0x03;
const CHECKSUM_BYTES = 4;
const ADDRESS_BYTES: Readonly<Record<number, number>> = { 1: 12, 2: 36, 3: 216 };

const bad = (reason: string): ProxyHeader => ({ kind: 'bad', reason });

/** Reads the header at the beginning of `bytes`; reads nothing behind it. */
export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  const differs = SIGNATURE.findIndex((byte, at) => at < bytes.length && bytes[at] !== byte);
  if (differs >= 0) return bad(unknownHeaderText(bytes));
  if (bytes.length < FIXED_BYTES) return { kind: 'short', needs: FIXED_BYTES };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const [version, command] = [view.getUint8(12) >> 4, view.getUint8(12) & 0x0f];
  const [family, transport] = [view.getUint8(13) >> 4, view.getUint8(13) & 0x0f];
  if (version !== 2) return bad(`the PROXY header has version ${version}, and only 2 is read`);
  if (command > 1) return bad(`the PROXY header has the unknown command ${command}`);
  const length = FIXED_BYTES + view.getUint16(14);
  if (length > LONGEST_PROXY_HEADER)
    return bad(`the PROXY header has ${length} bytes, more than ${LONGEST_PROXY_HEADER}`);
  if (bytes.length < length) return { kind: 'short', needs: length };
  if (command === 0) return { kind: 'read', length };
  if (family > 3 || transport > 2)
    return bad(`the PROXY header has the unknown family ${family}${transport}`);
  if (transport === 2) return bad('the PROXY header names a datagram, and this is a connection');
  const addresses = ADDRESS_BYTES[family] ?? 0;
  if (length < FIXED_BYTES + addresses)
    return bad(
      `the PROXY header is cut off: its addresses take ${addresses} bytes, and it has ${length - FIXED_BYTES}`,
    );
  const fault = extensionFault(bytes.subarray(0, length), FIXED_BYTES + addresses);
  if (fault !== undefined) return bad(fault);
  if (family === 1) return { kind: 'read', length, source: [...bytes.subarray(16, 20)].join('.') };
  if (family === 2) return { kind: 'read', length, source: ipv6Of(bytes.subarray(16, 32)) };
  // A local socket, or no address at all: what the connection itself says stands (section 2.2).
  return { kind: 'read', length };
}

/** Says what came in place of a header, for it tells which setting is wrong. */
function unknownHeaderText(bytes: Uint8Array): string {
  const begins = (text: string): boolean =>
    [...text].every((sign, at) => bytes[at] === undefined || bytes[at] === sign.charCodeAt(0));
  if (bytes.length >= 5 && begins('PROXY'))
    return 'the load balancer speaks version 1 of the PROXY protocol; switch it to version 2 (HAProxy: send-proxy-v2)';
  const came = bytes[0] === 0x16 ? 'a TLS greeting' : 'something else';
  return `${came} came in place of a PROXY header; let the load balancer send version 2 (HAProxy: send-proxy-v2, and check-send-proxy for its checks), or take its address out of CARILLON_TRUSTED_PROXIES`;
}

/** The fault of the TLVs behind the addresses; a checksum among them must be right (section 2.2.3). */
function extensionFault(header: Uint8Array, from: number): string | undefined {
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  for (let at = from; at < header.length; ) {
    if (at + 3 > header.length) return 'the PROXY header ends inside of an extension';
    const [type, length] = [view.getUint8(at), view.getUint16(at + 1)];
    const value = at + 3;
    if (value + length > header.length) return 'the PROXY header ends inside of an extension';
    if (type === CHECKSUM) {
      if (length !== CHECKSUM_BYTES) return `the PROXY header has a checksum of ${length} bytes`;
      const blank = Uint8Array.from(header);
      blank.fill(0, value, value + CHECKSUM_BYTES);
      if (crc32c(blank) !== view.getUint32(value)) return 'the PROXY header has a wrong checksum';
    }
    at = value + length;
  }
  return undefined;
}

/** Longest run of zeros as `::`, an IPv4 address inside as such: the text that Node gives for the same address. */
function ipv6Of(bytes: Uint8Array): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const groups = Array.from({ length: 8 }, (_, at) => view.getUint16(2 * at));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  if (isMapped) return [...bytes.subarray(12)].join('.');
  const written = groups.map((group) => group.toString(16)).join(':');
  return new URL(`http://[${written}]`).hostname.slice(1, -1);
}

const CRC32C_POLYNOMIAL = 0x82f63b78;

/** CRC-32C (RFC 3720, appendix B.4), bit by bit: headers are short, and few have one. */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? CRC32C_POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
