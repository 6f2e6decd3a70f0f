import type { Hello } from '#shared/contract/peer/index.ts';
import type { Member } from './member.ts';
import type { SiteView } from './site-view.ts';

/** The conditions that decide whether this host takes alarms, and whether it may have the address of the site. */
export interface Readiness {
  /** Everything listens. */
  readonly listens: boolean;
  readonly admittance: 'open' | 'cordoned' | 'closed';
  /** Why this host cannot serve; empty: it can. */
  readonly faults: readonly string[];
  /** Another host could serve in its place. */
  readonly hasSubstitute: boolean;
}

/** May this host have the address of the site? A cordoned host keeps it until another one can have it. */
export function mayHaveAddress({ listens, admittance, faults, hasSubstitute }: Readiness): boolean {
  if (!listens || faults.length > 0) return false;
  return admittance === 'open' || (admittance === 'cordoned' && !hasSubstitute);
}

/** Another host that says it has the address of the site, and answers. */
export const holderOfAddress = ({ links }: SiteView, members: readonly Member[]): Member | undefined =>
  members.find(({ uid }) => links[uid]?.at === 'up' && links[uid]?.hello?.vip === true);

/** Hosts that answer and say that they take alarms, by hostId. */
export const servingHosts = ({ links }: SiteView, members: readonly Member[]): readonly string[] =>
  members.flatMap(({ uid, hostId }) =>
    links[uid]?.at === 'up' && links[uid]?.hello?.serving === true ? [hostId] : [],
  );

export type Revisions = NonNullable<Hello['cfg']>;

/** Another host has a revision that this one has not. */
const isBehind = (own: Revisions, theirs: Revisions): boolean =>
  theirs.tenant > own.tenant || theirs.site > own.site || theirs.platform > own.platform;

/** A configuration that another host has may be refused here: the same one is asked for again after this time. */
const ASK_AGAIN_MS = 30_000;

/** The last request by way of the peers. */
export interface CatchUp {
  readonly wanted: string;
  /** Monotonic ms. */
  readonly againMs: number;
}

export const initialCatchUp: CatchUp = { wanted: '', againMs: 0 };

export interface CatchUpInput {
  readonly own: Revisions;
  /** Undefined: an older program does not say. */
  readonly theirs: Revisions | undefined;
  /** The cloud reaches this host. */
  readonly isConnected: boolean;
  readonly atMs: number;
}

/**
 * A host that the cloud does not reach learns from the others that there is something newer, and asks for it by way of
 * them. `asks` is false when nothing is newer, or when it was asked for a moment ago.
 */
export function stepCatchUp(
  state: CatchUp,
  { own, theirs, isConnected, atMs }: CatchUpInput,
): { readonly state: CatchUp; readonly asks: boolean } {
  if (theirs === undefined || isConnected || !isBehind(own, theirs)) return { state, asks: false };
  const wanted = JSON.stringify(theirs);
  if (wanted === state.wanted && atMs < state.againMs) return { state, asks: false };
  return { state: { wanted, againMs: atMs + ASK_AGAIN_MS }, asks: true };
}
