import { AF_INET, AF_INET6, type Libc } from './libc.ts';

/** Room for either `struct sockaddr_in` (16 bytes) or `struct sockaddr_in6` (28), in whole words. */
export const ADDRESS_BYTES = 32;
const IPV4_BYTES = 16;
const IPV6_BYTES = 28;
const PORT_AT = 2;
const IPV4_AT = 4;
const IPV6_AT = 8;
const SCOPE_AT = 24;
/** Longest text of an IPv6 address and of an interface's name, with the zero at the end. */
const TEXT_BYTES = 46;
const NAME_BYTES = 16;

export interface SocketAddress {
  readonly host: string;
  readonly port: number;
}

/**
 * Writes an address as the kernel reads it (ip(7), ipv6(7)) and answers its length; 0 when `host` is no numeric address of
 * this family. A zone (`fe80::1%eth0`, RFC 4007) becomes its interface's number.
 */
export function writeSocketAddress(
  libc: Libc,
  family: 4 | 6,
  { host, port }: SocketAddress,
  into: Uint8Array,
): number {
  const view = new DataView(into.buffer, into.byteOffset, ADDRESS_BYTES);
  into.fill(0, 0, ADDRESS_BYTES);
  view.setUint16(0, family === 6 ? AF_INET6 : AF_INET, true);
  view.setUint16(PORT_AT, port);
  if (family === 4) return libc.inetPton(AF_INET, host, into.subarray(IPV4_AT)) === 1 ? IPV4_BYTES : 0;
  const [address = '', zone] = host.split('%', 2);
  if (libc.inetPton(AF_INET6, address, into.subarray(IPV6_AT)) !== 1) return 0;
  if (zone !== undefined) view.setUint32(SCOPE_AT, Number(zone) || libc.ifNametoindex(zone), true);
  return IPV6_BYTES;
}

/** The opposite; as text the same as Node's. */
export function readSocketAddress(libc: Libc, bytes: Uint8Array): SocketAddress {
  const view = new DataView(bytes.buffer, bytes.byteOffset, ADDRESS_BYTES);
  const port = view.getUint16(PORT_AT);
  if (view.getUint16(0, true) === AF_INET)
    return { host: bytes.subarray(IPV4_AT, IPV4_AT + 4).join('.'), port };
  const host = libc.inetNtop(AF_INET6, bytes.subarray(IPV6_AT), new Uint8Array(TEXT_BYTES), TEXT_BYTES) ?? '';
  const scope = view.getUint32(SCOPE_AT, true);
  const zone = scope === 0 ? null : libc.ifIndextoname(scope, new Uint8Array(NAME_BYTES));
  return { host: zone === null ? host : `${host}%${zone}`, port };
}
