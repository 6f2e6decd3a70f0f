import ipaddr from 'ipaddr.js';
import type { Trunk } from './trunk.ts';

/** The signs of origin in an inbound request. */
export interface TrunkClaim {
  /** Address of the sender as the socket saw it. */
  readonly address: string;
  /** X-Terminating-Trunk-Group-Id and X-Trunk-Key, when they stand in the request. */
  readonly groupId?: string;
  readonly key?: string;
}

/** Compares in a time that does not depend on where the texts differ. */
export type Equal = (a: string, b: string) => boolean;

type Block = [address: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

const MOST_KNOWN = 1_000;

/**
 * Which trunk an inbound request belongs to (decisions 3). A key names one trunk and goes before addresses, which
 * several trunks of a carrier may share. Made once per configuration: reading address blocks is not for every packet.
 */
export class TrunkAdmission {
  readonly #equal: Equal;
  readonly #keyed: readonly Trunk[];
  readonly #listed: readonly { readonly trunk: Trunk; readonly blocks: readonly Block[] }[];

  readonly #known = new Map<string, readonly Trunk[]>();

  constructor(trunks: readonly Trunk[], equal: Equal) {
    this.#equal = equal;
    const inbound = trunks.filter(({ direction }) => direction !== 'out');
    this.#keyed = inbound.filter(({ trunkKey }) => trunkKey !== undefined);
    this.#listed = inbound
      .map((trunk) => ({ trunk, blocks: trunk.ipAllowList.flatMap(blockOf) }))
      .filter(({ blocks }) => blocks.length > 0);
  }

  identify(claim: TrunkClaim): Trunk | undefined {
    return this.#byKey(claim) ?? this.#byAddress(claim);
  }

  /** Every key is compared, also behind the right one: the time tells nothing. */
  #byKey({ groupId, key }: TrunkClaim): Trunk | undefined {
    if (key === undefined || groupId === undefined) return undefined;
    let found: Trunk | undefined;
    for (const trunk of this.#keyed) {
      const right = this.#equal(trunk.trunkKey ?? '', key);
      if (right && trunk.terminatingTrunkGroupId === groupId) found ??= trunk;
    }
    return found;
  }

  /** The trunk with this address whose group the request names, else the first one with it. */
  #byAddress({ address, groupId }: TrunkClaim): Trunk | undefined {
    if (this.#listed.length === 0) return undefined;
    const matching = this.#admitted(address);
    const named = matching.find((trunk) => trunk.terminatingTrunkGroupId === groupId);
    return groupId === undefined ? matching[0] : (named ?? matching[0]);
  }

  /** Carriers call from a handful of addresses: what was found for one is kept. */
  #admitted(address: string): readonly Trunk[] {
    const known = this.#known.get(address);
    if (known !== undefined) return known;
    const source = ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
    const found =
      source === undefined
        ? []
        : this.#listed
            .filter(({ blocks }) => blocks.some((block) => contains(block, source)))
            .map(({ trunk }) => trunk);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(address, found);
    return found;
  }
}

/** Is the address in the trunk's `ipAllowList`? */
export function allowsAddress({ ipAllowList }: Trunk, address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const source = ipaddr.process(address);
  return ipAllowList.flatMap(blockOf).some((block) => contains(block, source));
}

const contains = ([network, bits]: Block, source: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  network.kind() === source.kind() && source.match(network, bits);

/** A block that cannot be read admits no address; provisioning refuses it before. */
function blockOf(text: string): Block[] {
  const [address = '', bits] = text.split('/');
  if (!ipaddr.isValid(address)) return [];
  const network = ipaddr.process(address);
  const longest = network.kind() === 'ipv4' ? 32 : 128;
  const length = bits === undefined ? longest : Number(bits);
  return Number.isInteger(length) && length > 0 && length <= longest ? [[network, length]] : [];
}
