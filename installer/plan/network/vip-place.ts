import { BlockList } from 'node:net';
import { familyOf, longestPrefix, type SharedAddress, type SharingHost } from '#shared/setting/index.ts';
import type { VipPlace } from './vip-text.ts';

/** The request of a person for the shared address. */
export interface VipRequest {
  readonly vip: SharedAddress;
  readonly hosts: readonly SharingHost[] | undefined;
  readonly routerId: number;
  readonly webPort: number;
  /** Where the service listens: for SIP, the ones that are on, and for HTTPS, by which the hosts ask each other. */
  readonly listening: { readonly sip: readonly string[]; readonly web: readonly string[] };
}

export interface VipInfo {
  /** Programs that the shared address needs and that are not there. */
  readonly missing: readonly string[];
  /** Whose `/etc/keepalived/keepalived.conf` is. */
  readonly configuration: 'none' | 'ours' | 'foreign';
  readonly interfaces: readonly { readonly name: string; readonly addresses: readonly string[] }[];
  /** Hardware addresses of those who answer on the network, by IP address. */
  readonly answering: ReadonlyMap<string, string>;
}

/** Why a host can have no part in it: the texts `check.<why>.what` and `.do`, filled with `words`. */
export type VipRefusal =
  | 'vip-hosts'
  | 'vip-mixed'
  | 'vip-listen'
  | 'vip-missing'
  | 'vip-foreign'
  | 'vip-not-here'
  | 'vip-outside'
  | 'vip-own'
  | 'vip-taken';

export type VipStep =
  | { readonly kind: 'place'; readonly place: VipPlace }
  | { readonly kind: 'refused'; readonly why: VipRefusal; readonly words: Readonly<Record<string, string>> };

/** Where this host stands in the shared address, or the first reason why it cannot. */
export function vipPlace({ vip, hosts, routerId, webPort, listening }: VipRequest, facts: VipInfo): VipStep {
  const { address, prefix } = vip;
  const refused = (why: VipRefusal, words: Readonly<Record<string, string>> = {}): VipStep => ({
    kind: 'refused',
    why,
    words: { vip: address, ...words },
  });
  if (hosts === undefined) return refused('vip-hosts');
  const mixed = hosts.find((host) => familyOf(host.address) !== familyOf(address));
  if (mixed !== undefined) return refused('vip-mixed', { host: mixed.address });
  if (familyOf(address) === 'ipv6' && !listensOnSix(listening)) return refused('vip-listen');
  if (facts.missing.length > 0) return refused('vip-missing', { programs: facts.missing.join(' ') });
  if (facts.configuration === 'foreign') return refused('vip-foreign');
  const held = facts.interfaces.flatMap(({ name, addresses }) => addresses.map((cidr) => ({ name, cidr })));
  const here = held.find(({ cidr }) => hosts.some((host) => cidr.startsWith(`${host.address}/`)));
  if (here === undefined)
    return refused('vip-not-here', { hosts: hosts.map((host) => host.address).join(', ') });
  const own = here.cidr.split('/')[0] ?? '';
  // One that keepalived has put there by our configuration is none of the machine's own.
  const fixed = held.some(({ cidr }) => cidr.startsWith(`${address}/`)) && facts.configuration !== 'ours';
  const named = hosts.find((host) => host.address === address);
  if (fixed || named !== undefined) return refused('vip-own', { owner: named?.address ?? here.name });
  if (!inNetwork(address, here.cidr) || !sameNetwork(here.cidr, prefix))
    return refused('vip-outside', { network: here.cidr, name: here.name });
  const holder = facts.answering.get(address);
  const peers = hosts.map((host) => facts.answering.get(host.address));
  if (holder !== undefined && !peers.includes(holder)) return refused('vip-taken', { holder });
  return {
    kind: 'place',
    place: { vip: `${address}/${prefix}`, interface: here.name, routerId, own, hosts, webPort },
  };
}

/** A service on 0.0.0.0 hears no caller of an IPv6 address, and keepalived would still show the address. */
const listensOnSix = ({ sip, web }: VipRequest['listening']): boolean =>
  [sip, web].every((hosts) => hosts.some((host) => familyOf(host) === 'ipv6'));

/** Alone (32, 128), or with the neighbours of the host: under any other it would reach some of them by a road of its own. */
const sameNetwork = (cidr: string, prefix: number): boolean =>
  prefix === longestPrefix(cidr.split('/')[0] ?? '') || Number(cidr.split('/')[1]) === prefix;

function inNetwork(address: string, cidr: string): boolean {
  const [network = '', prefix = ''] = cidr.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), familyOf(network));
  return list.check(address, familyOf(address));
}
