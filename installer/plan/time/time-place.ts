import type { TimePlace } from './time-text.ts';

/** The request of a person for the clock. */
export interface TimeRequest {
  /** `auto`: chrony where it runs already. */
  readonly keeper: 'auto' | 'chrony' | 'off';
  /** Undefined: no setting names any; those of the network count. */
  readonly servers: readonly string[] | undefined;
  readonly hosts: readonly string[] | undefined;
  /** Hosts that share an address also share the time, unless other hosts are named. */
  readonly sharing: readonly string[];
}

export interface TimeInfo {
  readonly chrony: 'missing' | 'stopped' | 'running';
  /** chronyd reads the folder of our drop-in. */
  readonly readsFolder: boolean;
  /** Whose the file of our name is. */
  readonly configuration: 'none' | 'ours' | 'foreign';
  /** Another service that sets the clock now. */
  readonly other: string | undefined;
  /** Addresses of this machine. */
  readonly addresses: readonly string[];
  /** Gateways of the default routes; one of the link alone with its interface (`fe80::1%eth0`). */
  readonly gateways: readonly string[];
  /** Time servers by which the network is used now. */
  readonly servers: readonly string[];
}

/** Why the request cannot be: the texts `check.<why>.what` and `.do`, filled with `words`. */
export type TimeRefusal = 'time-missing' | 'time-other' | 'time-folder' | 'time-foreign' | 'time-not-here';

export type TimeStep =
  | { readonly kind: 'place'; readonly place: TimePlace }
  /** The machine keeps its time as it did. */
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly why: TimeRefusal; readonly words: Readonly<Record<string, string>> };

const none: TimeStep = { kind: 'none' };

/**
 * The source of this host's time. The plan never replaces a time service by another one: a machine without chrony, or with
 * another service, stays as it is, and a person who asked for chrony there hears why not.
 */
export function timePlace({ keeper, servers, hosts, sharing }: TimeRequest, facts: TimeInfo): TimeStep {
  if (keeper === 'off') return none;
  const isAsked = keeper === 'chrony' || (servers?.length ?? 0) > 0 || (hosts?.length ?? 0) > 0;
  const refused = (why: TimeRefusal, words: Readonly<Record<string, string>> = {}): TimeStep =>
    isAsked ? { kind: 'refused', why, words } : none;
  if (facts.chrony === 'missing') return refused('time-missing');
  if (facts.configuration === 'foreign') return refused('time-foreign');
  if (!facts.readsFolder) return refused('time-folder');
  // A person has stopped it for a reason; where the drop-in is ours it is we who want it to run.
  if (facts.chrony === 'stopped' && facts.other !== undefined)
    return refused('time-other', { other: facts.other });
  if (facts.chrony === 'stopped' && !isAsked && facts.configuration !== 'ours') return none;
  const site = hosts ?? sharing;
  const isHere = site.some((host) => facts.addresses.includes(host));
  if (site.length > 0 && !isHere && hosts !== undefined)
    return refused('time-not-here', { hosts: site.join(', ') });
  const peers = isHere ? site.filter((host) => !facts.addresses.includes(host)) : [];
  const named = (servers ?? facts.servers).filter((server) => !peers.includes(server));
  const gateways = facts.gateways.filter((gateway) => ![...named, ...peers].includes(gateway));
  // A host without named servers and without a gateway needs no file of ours.
  if (named.length + gateways.length + peers.length === 0) return none;
  return { kind: 'place', place: { servers: named, gateways, peers } };
}
