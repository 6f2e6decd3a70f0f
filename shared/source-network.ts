/**
 * The network that counts as one source of requests: an IPv6 network of 64 bits, for the owner of one address of it has them all
 * (RFC 6177); an IPv4 address also where a dual-stack socket wrote it as IPv6.
 */
export function networkOf(address: string): string {
  const plain = unmapped(address);
  return plain.includes(':') ? `${leadingGroups(plain).join(':')}::/64` : plain;
}

/**
 * The neighbourhood of an address, as budgets count it: /24 of IPv4, /56 of IPv6. Chosen: a rented server has a /64 to a /56, and
 * neighbours in a /24 mostly have one owner (RFC 6177, RIPE-690).
 */
export function neighbourhoodOf(address: string): string {
  const plain = unmapped(address);
  if (!plain.includes(':')) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  const groups = leadingGroups(plain).map((group) => group.padStart(4, '0'));
  return `${groups.join(':').slice(0, 17)}00::/56`;
}

const unmapped = (address: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

/** The first 64 bits of an IPv6 address, as four groups. */
function leadingGroups(address: string): readonly string[] {
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].slice(0, 4);
}
