import { fail, ok, type Result } from '#shared/result.ts';

/** The address that the hosts of a site share (VRRP, RFC 5798), with the prefix length of its network. */
export interface SharedAddress {
  readonly address: string;
  readonly prefix: number;
}

/** A host that may have it, by its own address; the higher priority has it when both begin at once. */
export interface SharingHost {
  readonly address: string;
  /** 1 to 254: 255 is for a router whose own address it is (RFC 5798 5.2.4). */
  readonly priority: number;
}

const wrong = (reason: string) => fail('configurationWrong', reason);
const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const HIGHEST_PRIORITY = 254;
const HIGHEST_ID = 255;

/** Both families are set up alike, each with its own addresses (IPv6: RFC 4291). */
export type Family = 'ipv4' | 'ipv6';

export const familyOf = (address: string): Family => (address.includes(':') ? 'ipv6' : 'ipv4');

/** The longest prefix of a family: the address alone. */
export const longestPrefix = (address: string): number => (familyOf(address) === 'ipv6' ? 128 : 32);

/**
 * An address as the kernel writes it; undefined: none that a host can have and share. Link-local ones (fe80::/10) do not say on which
 * interface, multicast ones (ff00::/8) belong to no single host, and IPv4 in IPv6 (::/80) is written as IPv4.
 */
export function addressOf(written: string): string | undefined {
  if (IPV4.test(written)) return written;
  if (!written.includes(':') || !URL.canParse(`http://[${written}]`)) return undefined;
  const address = new URL(`http://[${written}]`).hostname.slice(1, -1);
  return /^(fe[89ab]|ff)/.test(address) || address.startsWith('::') ? undefined : address;
}

/** `192.0.2.10/24` or `2001:db8::10/64`; an empty text: the site has none. */
export function sharedAddress(written: string): Result<SharedAddress | 'off'> {
  if (written === '') return ok('off' as const);
  const [text = '', length = '', rest] = written.split('/');
  const address = addressOf(text);
  const prefix = Number(length);
  const fits = /^\d{1,3}$/.test(length) && prefix >= 1;
  return address !== undefined && fits && prefix <= longestPrefix(address) && rest === undefined
    ? ok({ address, prefix })
    : wrong(`"${written}" is not an ADDRESS/PREFIX; write for example 192.0.2.10/24 or 2001:db8::10/64`);
}

/** `192.0.2.11=150,192.0.2.12=100`: every host that may have the address, the same text on each of them. */
export function sharingHosts(written: string): Result<readonly SharingHost[]> {
  const example = 'write for example 192.0.2.11=150,192.0.2.12=100, the same on every host';
  const hosts: SharingHost[] = [];
  for (const each of written.split(',').map((part) => part.trim())) {
    const [text = '', number = '', rest] = each.split('=');
    const address = addressOf(text);
    const priority = Number(number);
    const fits = /^\d{1,3}$/.test(number) && priority >= 1 && priority <= HIGHEST_PRIORITY;
    if (address === undefined || !fits || rest !== undefined)
      return wrong(
        `"${each}" is not ADDRESS=PRIORITY with a priority of 1 to ${HIGHEST_PRIORITY}; ${example}`,
      );
    if (hosts.some((host) => host.address === address))
      return wrong(`${address} stands there twice; ${example}`);
    const other = hosts.find((host) => familyOf(host.address) !== familyOf(address));
    if (other !== undefined)
      return wrong(
        `${other.address} and ${address} are IPv4 and IPv6; name each host by its address of the same family`,
      );
    const equal = hosts.find((host) => host.priority === priority);
    if (equal !== undefined)
      return wrong(`${equal.address} and ${address} have the same priority ${priority}; give each its own`);
    hosts.push({ address, priority });
  }
  return hosts.length > 1
    ? ok(hosts)
    : wrong(`names one host, and an address is shared by two or more; ${example}`);
}

/** Number of the virtual router, 1 to 255 (VRID, RFC 5798 5.2.3). */
export function routerId(written: string): Result<number> {
  const id = Number(written);
  return /^\d{1,3}$/.test(written) && id >= 1 && id <= HIGHEST_ID
    ? ok(id)
    : wrong(`"${written}" is not a number of 1 to ${HIGHEST_ID}`);
}
