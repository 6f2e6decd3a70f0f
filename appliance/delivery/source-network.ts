/**
 * Network that an address belongs to, as far as budgets are concerned: /24 of IPv4, /56 of IPv6. Chosen: whoever rents a
 * server gets a /64 to a /56, and neighbours in a /24 mostly have one owner (RFC 6177, RIPE-690).
 */
export function sourceNetwork(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  if (!mapped.includes(':')) return `${mapped.split('.').slice(0, 3).join('.')}.0/24`;
  const [left = [], right = []] = mapped
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  const groups = [...left, ...zeros, ...right].slice(0, 4).map((group) => group.padStart(4, '0'));
  return `${groups.join(':').slice(0, 17)}00::/56`;
}
