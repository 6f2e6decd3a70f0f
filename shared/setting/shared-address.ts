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
const MOST_PREFIX = 32;
const HIGHEST_PRIORITY = 254;
const HIGHEST_ID = 255;

/** `192.0.2.10/24`; an empty text: the site has none. */
export function sharedAddress(written: string): Result<SharedAddress | 'off'> {
  if (written === '') return ok('off' as const);
  const [address = '', length = '', rest] = written.split('/');
  const prefix = Number(length);
  const fits = /^\d{1,2}$/.test(length) && prefix >= 1 && prefix <= MOST_PREFIX;
  return IPV4.test(address) && fits && rest === undefined
    ? ok({ address, prefix })
    : wrong(`"${written}" is not an IPv4 ADDRESS/PREFIX; write for example 192.0.2.10/24`);
}

/** `192.0.2.11=150,192.0.2.12=100`: every host that may have the address, the same text on each of them. */
export function sharingHosts(written: string): Result<readonly SharingHost[]> {
  const example = 'write for example 192.0.2.11=150,192.0.2.12=100, the same on every host';
  const hosts: SharingHost[] = [];
  for (const each of written.split(',').map((part) => part.trim())) {
    const [address = '', number = '', rest] = each.split('=');
    const priority = Number(number);
    const fits = /^\d{1,3}$/.test(number) && priority >= 1 && priority <= HIGHEST_PRIORITY;
    if (!IPV4.test(address) || !fits || rest !== undefined)
      return wrong(
        `"${each}" is not ADDRESS=PRIORITY with a priority of 1 to ${HIGHEST_PRIORITY}; ${example}`,
      );
    if (hosts.some((other) => other.address === address))
      return wrong(`${address} stands there twice; ${example}`);
    const equal = hosts.find((other) => other.priority === priority);
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
