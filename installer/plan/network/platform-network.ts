import { BlockList, isIP } from 'node:net';
import type { InterfaceFact } from '../../preflight/index.ts';
import type { NetworkOwner } from './network-plan.ts';
import type { NetworkPlanRequest, OtherFamily } from './network-request.ts';

/** The request of the control plane: addresses of one family, one length of prefix, neither interface nor gateway. */
export interface PlatformNetworkRequest {
  readonly addresses: readonly string[];
  readonly prefix: number;
}

/** Servers and domains by which an interface is used; they stay when its addresses change. */
export type RetainedNames = Readonly<Record<'dns' | 'search' | 'ntp', readonly string[]>>;

/** The network as it is; `route`: by default, of the family that is asked for. */
export interface PlatformNetworkInfo {
  readonly interfaces: readonly InterfaceFact[];
  readonly route: { readonly name: string; readonly gateway: string | undefined } | undefined;
  /** The names of the interface of the route. */
  readonly names: RetainedNames;
  /** The addresses of that interface in the family that is not asked for. */
  readonly other?: OtherFamily;
}

export type PlatformNetworkStep =
  /** Every address is there already. */
  | { readonly kind: 'inForce' }
  | { readonly kind: 'change'; readonly owner: NetworkOwner; readonly request: NetworkPlanRequest }
  | {
      readonly kind: 'refused';
      readonly why: 'no-address' | 'no-route' | 'no-owner' | 'gateway-outside';
      readonly words: Readonly<Record<string, string>>;
    };

/**
 * Chosen: what an interface has already stays there; the rest goes to the interface of the default route, the one by which the
 * control plane is reached. Gateway, name servers, search domains and the other family stay as they are. A gateway that none of the new networks holds would cut
 * the host off for certain: that is refused before anything is changed, as is an interface that no known program configures.
 */
export function platformNetwork(
  { addresses, prefix }: PlatformNetworkRequest,
  { interfaces, route, names, other }: PlatformNetworkInfo,
): PlatformNetworkStep {
  const family = isIP(addresses[0] ?? '');
  const wrong = addresses.find((each) => isIP(each) === 0 || isIP(each) !== family);
  if (family === 0 || wrong !== undefined || prefix < 1 || prefix > (family === 4 ? 32 : 128))
    return { kind: 'refused', why: 'no-address', words: { address: wrong ?? `/${prefix}` } };
  const wanted = addresses.map((each) => `${each}/${prefix}`);
  const held = new Set(interfaces.flatMap((each) => each.addresses));
  if (wanted.every((each) => held.has(each))) return { kind: 'inForce' };
  const found = interfaces.find(({ name }) => name === route?.name);
  if (route === undefined || found === undefined) return { kind: 'refused', why: 'no-route', words: {} };
  const { name } = found;
  const [owner, ...others] = found.owners;
  if (owner === undefined || owner === 'ifupdown' || others.length > 0)
    return { kind: 'refused', why: 'no-owner', words: { name, owners: found.owners.join(', ') || '-' } };
  const elsewhere = new Set(interfaces.flatMap((each) => (each === found ? [] : each.addresses)));
  const here = wanted.filter((each) => !elsewhere.has(each));
  const { gateway } = route;
  if (gateway !== undefined && !here.some((each) => inNetwork(gateway, each)))
    return { kind: 'refused', why: 'gateway-outside', words: { gateway, addresses: here.join(', ') } };
  const [address, ...further] = here;
  return {
    kind: 'change',
    owner,
    request: {
      name,
      ...names,
      ...(other !== undefined && { other }),
      ...(address !== undefined && { address }),
      ...(further.length > 0 && { further }),
      ...(gateway !== undefined && { gateway }),
    },
  };
}

/** A gateway on the link itself (fe80::/10) is in reach whatever the addresses are. */
function inNetwork(gateway: string, cidr: string): boolean {
  const [network = '', prefix = ''] = cidr.split('/');
  const family = isIP(network) === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family);
  if (family === 'ipv6') list.addSubnet('fe80::', 10, 'ipv6');
  return list.check(gateway, family);
}
