import type { Member } from './member.ts';
import type { SiteView } from './site-view.ts';

/** This host's view of the other hosts of the site; it is alone where there are none. */
export interface PeerView {
  /** hostId of a host that could serve in our place. */
  readonly target: string | undefined;
  /** hostId of the host that takes each service, null: no host may; absent: the leader of the site has not said yet. */
  readonly places: Readonly<Record<string, string | null>>;
  readonly hasPeers: boolean;
  /** hostId of the holder of the site's address; undefined: the site has none. */
  readonly vip: string | undefined;
  /** hostId of each other host, and whether it answers. */
  readonly answering: Readonly<Record<string, boolean>>;
}

/** A site of one host. */
export const alone: PeerView = {
  target: undefined,
  places: {},
  hasPeers: false,
  vip: undefined,
  answering: {},
};

/** The link to the other hosts, as it stands now. */
export interface PeerLink {
  readonly view: Pick<SiteView, 'self' | 'links'>;
  readonly substitute: Pick<Member, 'hostId'> | undefined;
  readonly places: PeerView['places'];
  /** hostId of each other host and how its link is: `ok`, `lost`, `dead`, `unknown`. */
  readonly words: Readonly<Record<string, string>>;
}

/** The view of a host that has others, from its link to them. */
export function viewOfPeers(
  { view, substitute, places, words }: PeerLink,
  { members, own }: { readonly members: readonly Member[]; readonly own: string | undefined },
): PeerView {
  const theirs = members.find(({ uid }) => view.links[uid]?.hello?.vip === true)?.hostId;
  return {
    target: substitute?.hostId,
    places,
    hasPeers: true,
    vip: own ?? theirs,
    answering: Object.fromEntries(Object.entries(words).map(([hostId, word]) => [hostId, word === 'ok'])),
  };
}

/** The link to this host is up; undefined: this host knows no such other one. */
export function seesHost(view: Pick<SiteView, 'links'> | undefined, uid: string): boolean | undefined {
  const link = view?.links[uid];
  return link === undefined ? undefined : link.at === 'up';
}

/** The roles of this host. A host that is alone leads nothing. */
export const rolesOf = ({
  hasAddress,
  hasOthers,
  leads,
}: {
  readonly hasAddress: boolean;
  readonly hasOthers: boolean;
  readonly leads: boolean;
}): readonly string[] => [...(hasAddress ? ['vip'] : []), ...(hasOthers && leads ? ['leader'] : [])];

/**
 * One host of the site registers at the carriers: two registrations would take calls from each other. `leads` is undefined until
 * this host has a link to the others.
 */
export const registersAtCarriers = (hasOthers: boolean, leads: boolean | undefined): boolean =>
  !hasOthers || (leads ?? true);
