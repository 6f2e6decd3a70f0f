import ipaddr from 'ipaddr.js';

/** An address and port on which this program listens; the wildcard address stands for all of its own. */
export interface OwnListener {
  readonly address: string;
  readonly port: number;
}

export interface AddressPolicySetting {
  /** CIDR blocks of `CARILLON_ALLOW_PRIVATE`, e.g. `192.168.10.0/24`; a single address is a block of one. */
  readonly allowPrivate: readonly string[];
  /** The listeners that must never be called, whatever is allowed; read again each time, since a virtual IP moves. */
  readonly listeners: () => readonly OwnListener[];
  /** Addresses of this machine's interfaces. */
  readonly ownAddresses: () => readonly string[];
}

/** Why a callback must not go to `address`:`port`, or undefined when it may. */
export type AddressPolicy = (address: string, port: number) => string | undefined;

type Ip = ipaddr.IPv4 | ipaddr.IPv6;
type Block = [Ip, number];

const globalUnicast = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number];
const any4 = ipaddr.parse('0.0.0.0').toNormalizedString();
const any6 = ipaddr.parse('::').toNormalizedString();

/**
 * Which addresses an outgoing callback may reach (decisions 4.1, control plane 12): public unicast ones, and the
 * networks that the operator has listed. An IPv4-mapped address is judged as the IPv4 address that it is. Throws
 * when a listed block is not an address block: that is a mistake in the configuration.
 */
export function addressPolicy(setting: AddressPolicySetting): AddressPolicy {
  const allowed = setting.allowPrivate.map(parseBlock);
  return (text, port) => {
    if (!ipaddr.isValid(text)) return `${text} is no IP address`;
    const address = ipaddr.process(text);
    if (isOwnListener(address, port, setting)) return `${text} port ${port} is this program itself`;
    if (isPublic(address) || allowed.some((block) => inBlock(address, block))) return undefined;
    return `${text} is ${address.range()}, not a public address and not in CARILLON_ALLOW_PRIVATE`;
  };
}

/** An address as the system writes it; IPv4 written as IPv6 (`::ffff:192.0.2.1`) is that IPv4 address (RFC 4291 2.5.5.2). */
export const plainIp = (text: string): string =>
  ipaddr.isValid(text) ? ipaddr.process(text).toString() : text;

/** `::7f00:1` counts as unicast for the library: IPv6 is public inside 2000::/3 only. */
function isPublic(address: Ip): boolean {
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || address.match(globalUnicast);
}

function isOwnListener(address: Ip, port: number, setting: AddressPolicySetting): boolean {
  const text = address.toNormalizedString();
  const own = (): boolean =>
    address.range() === 'loopback' ||
    address.range() === 'unspecified' ||
    setting.ownAddresses().some((mine) => normal(mine) === text);
  return setting.listeners().some((listener) => {
    if (listener.port !== port) return false;
    const listening = normal(listener.address);
    // A listener on 127.0.0.1 is reached by 0.0.0.0 as well, one on the wildcard by every address of the machine.
    return listening === text || text === any4 || text === any6 || (isAny(listening) && own());
  });
}

const isAny = (text: string): boolean => text === any4 || text === any6;

function normal(text: string): string {
  const bare = text.replace(/%.*$/, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare).toNormalizedString() : bare;
}

function parseBlock(text: string): Block {
  const whole = text.includes('/') ? text : `${text}/${text.includes(':') ? 128 : 32}`;
  return ipaddr.parseCIDR(whole);
}

function inBlock(address: Ip, [network, bits]: Block): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}
