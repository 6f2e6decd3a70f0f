import ipaddr from 'ipaddr.js';

/**
 * The fault of a block of addresses that a setting lets in, or undefined: an IPv4 address in four parts or an IPv6
 * address, alone or with a prefix length (RFC 4632, RFC 4291 2.3). A block of everything is none.
 */
export function addressBlockFault(text: string): string | undefined {
  const [address = '', bits, ...more] = text.split('/');
  const known = ipaddr.IPv4.isValidFourPartDecimal(address) || ipaddr.IPv6.isValid(address);
  if (!known || more.length > 0) return 'must be an IP address or a CIDR block such as 192.0.2.0/24';
  if (bits === undefined) return undefined;
  const longest = address.includes(':') ? 128 : 32;
  if (/^[1-9]\d*$/.test(bits) && Number(bits) <= longest) return undefined;
  return bits === '0' ? 'must not admit every address' : `must have a prefix length from 1 to ${longest}`;
}
