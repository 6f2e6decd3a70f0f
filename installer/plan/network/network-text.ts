import { isIP } from 'node:net';
import type { NetworkPlanRequest } from './network-request.ts';

const lines = (...all: readonly (string | undefined)[]): string =>
  `${all.filter((line) => line !== undefined && line !== '').join('\n')}\n`;

const HEAD = '# Written by carillon network.';
const quoted = (list: readonly string[]): string => `[${list.map((each) => `"${each}"`).join(', ')}]`;
const isSix = (address: string | undefined): boolean => address?.includes(':') === true;

/** systemd.network(5). Our file stands in place of the one before, so it says what stays, too. */
export function networkdText({
  name,
  address,
  further = [],
  gateway,
  dns,
  search,
  other,
}: NetworkPlanRequest): string {
  const kept = address === undefined ? undefined : other;
  return lines(
    HEAD,
    '[Match]',
    `Name=${name}`,
    '[Network]',
    address === undefined ? 'DHCP=yes' : `Address=${address}`,
    ...further.map((each) => `Address=${each}`),
    gateway && `Gateway=${gateway}`,
    // Dynamic IPv6 addresses come by router advertisements, which networkd follows unless it is configured not to.
    kept?.dynamic === true && isSix(address) ? 'DHCP=ipv4' : undefined,
    ...(kept?.addresses ?? []).map((each) => `Address=${each}`),
    kept?.gateway && `Gateway=${kept.gateway}`,
    ...dns.map((server) => `DNS=${server}`),
    search.length === 0 ? undefined : `Domains=${search.join(' ')}`,
  );
}

/**
 * netplan-yaml(5). netplan puts the files of its folder together: of what is not said here, the others count. From those, what is
 * said here was taken out.
 */
export function netplanText(request: NetworkPlanRequest): string {
  const { name, address, further = [], gateway, dns, search } = request;
  const kept = address === undefined ? undefined : request.other;
  const addresses = address === undefined ? [] : [address, ...further, ...(kept?.addresses ?? [])];
  const via = [gateway, kept?.gateway].filter((each) => each !== undefined);
  const everywhere = (each: string): string => (isSix(each) ? '::/0' : '0.0.0.0/0');
  const dhcp = isSix(address) ? 'dhcp6: false' : `dhcp4: ${address === undefined}`;
  const names = [
    ...(search.length === 0 ? [] : [`search: ${quoted(search)}`]),
    ...(dns.length === 0 ? [] : [`addresses: ${quoted(dns)}`]),
  ];
  return lines(
    HEAD,
    'network:',
    '  version: 2',
    '  ethernets:',
    `    ${name}:`,
    `      ${dhcp}`,
    addresses.length === 0 ? undefined : `      addresses: ${quoted(addresses)}`,
    via.length === 0
      ? undefined
      : `      routes: [${via.map((each) => `{to: "${everywhere(each)}", via: "${each}"}`).join(', ')}]`,
    names.length === 0 ? undefined : `      nameservers: {${names.join(', ')}}`,
  );
}

/** nm-settings-keyfile(5). A section takes name servers of its own family only. */
export function managerText(request: NetworkPlanRequest): string {
  const { name, address, further = [], gateway, other } = request;
  const section = (six: boolean): string => {
    const own = address !== undefined && isSix(address) === six;
    const addresses = own ? [address, ...further] : address === undefined ? [] : (other?.addresses ?? []);
    const via = own ? gateway : addresses.length > 0 ? other?.gateway : undefined;
    // Addresses of its own beside those that the network gives are no contradiction.
    const manual = own || (addresses.length > 0 && other?.dynamic !== true);
    const dns = request.dns.filter((server) => (isIP(server) === 6) === six);
    const search = own || (address === undefined && !six) ? request.search : [];
    return lines(
      six ? '[ipv6]' : '[ipv4]',
      `method=${manual ? 'manual' : 'auto'}`,
      ...addresses.map(
        (each, at) => `address${at + 1}=${at === 0 && via !== undefined ? `${each},${via}` : each}`,
      ),
      dns.length === 0 ? undefined : `dns=${dns.join(';')};`,
      search.length === 0 ? undefined : `dns-search=${search.join(';')};`,
    );
  };
  return [
    lines(
      HEAD,
      '[connection]',
      `id=carillon-${name}`,
      'type=ethernet',
      `interface-name=${name}`,
      'autoconnect-priority=100',
    ),
    section(false),
    section(true),
  ].join('\n');
}
