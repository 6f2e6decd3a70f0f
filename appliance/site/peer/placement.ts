import type { Hello } from '#shared/contract/peer/index.ts';
import { leaderOf, type SiteView } from './site-view.ts';

/** Services of one host that want a place elsewhere, each with the one that it has. */
export interface PlacementRequest {
  readonly of: string;
  readonly labels: readonly string[];
  readonly services: readonly { readonly service: string; readonly to?: string | null | undefined }[];
}

/** A host that serves. */
export interface Candidate {
  readonly uid: string;
  readonly labels: readonly string[];
  /** Undefined: an older host, which does not say. */
  readonly memory: { readonly freeMb: number; readonly freePct: number } | undefined;
  /** Services that are not well there. */
  readonly sick: readonly string[];
}

/** Where the service `service` of the host `of` goes. */
export interface Place {
  readonly of: string;
  readonly service: string;
  /** uid; null: no host may take it. */
  readonly to: string | null;
}

/** Below these a host is short of memory (control plane 7): it takes nothing more. */
const LEAST_FREE_MB = 256;
const LEAST_FREE_PCT = 10;
/** Labels that a host says of itself; `svc=` among those it was given is a rule, not a likeness. */
const OWN_WORDS = /^(?:role|svc|arch|ver)=/;

/**
 * Where services go whose hosts are drained (control plane 6, step 2: "by labels, free RAM and spread"). Chosen:
 *
 * - **labels**: a host that was given labels `svc=NAME` takes these services and no others. Among those that may, the ones
 *   that share the most of the other labels with the host that is drained come first: `room=b` stays in room b.
 * - **free RAM and spread**: of these the one that has most free memory left for each service placed there. So a host
 *   with twice the memory gets twice the services, and two alike share.
 * - A host short of memory, or where the service is not well, takes none. A service that no host may take blocks its drain:
 *   never a false success.
 * - A service with a place keeps it as long as that host may have it. Order of the site decides between equals.
 */
export function placeServices(
  requests: readonly PlacementRequest[],
  candidates: readonly Candidate[],
): readonly Place[] {
  const load = new Map<string, number>();
  const places: Place[] = [];
  const put = (of: string, service: string, to: string | null): void => {
    if (to !== null) load.set(to, (load.get(to) ?? 0) + 1);
    places.push({ of, service, to });
  };
  const open: { readonly request: PlacementRequest; readonly service: string }[] = [];
  for (const request of requests) {
    for (const { service, to } of request.services) {
      const kept = candidates.find((each) => each.uid === to);
      if (kept !== undefined && mayTake(kept, service)) put(request.of, service, kept.uid);
      else open.push({ request, service });
    }
  }
  for (const { request, service } of open) {
    const able = candidates.filter((each) => mayTake(each, service));
    const best = able
      .map((each) => ({ each, likeness: likeness(request, each), left: memoryLeft(each, load) }))
      .sort((a, b) => b.likeness - a.likeness || b.left - a.left)[0];
    put(request.of, service, best?.each.uid ?? null);
  }
  return places;
}

function mayTake({ labels, memory, sick }: Candidate, service: string): boolean {
  const kept = labels.filter((label) => label.startsWith('svc='));
  if (kept.length > 0 && !kept.includes(`svc=${service}`)) return false;
  if (memory !== undefined && (memory.freeMb < LEAST_FREE_MB || memory.freePct < LEAST_FREE_PCT))
    return false;
  return !sick.includes(service);
}

const likeness = (request: PlacementRequest, { labels }: Candidate): number =>
  new Set(request.labels.filter((label) => !OWN_WORDS.test(label) && labels.includes(label))).size;

/** MiB for each service if one more came. */
const memoryLeft = ({ uid, memory }: Candidate, load: ReadonlyMap<string, number>): number =>
  (memory?.freeMb ?? LEAST_FREE_MB) / ((load.get(uid) ?? 0) + 1);

type OwnHello = Omit<Hello, 'v' | 'uid' | 'epoch' | 'owner' | 'placed'>;

/** The placement by the leader of the site: the services of all hosts that are drained, itself among them. */
export function placesOfSite(view: SiteView, own: OwnHello): readonly Place[] {
  const known = view.members.flatMap(({ uid }) => {
    const link = view.links[uid];
    const hello = uid === view.self ? own : link?.at === 'up' ? link.hello : undefined;
    return hello === undefined ? [] : [{ uid, hello }];
  });
  const requests = known.flatMap(({ uid, hello: { labels = [], moving = [] } }): PlacementRequest[] =>
    moving.length === 0 ? [] : [{ of: uid, labels, services: moving }],
  );
  const candidates = known.flatMap(({ uid, hello }): Candidate[] => {
    const { labels = [], memory, sick = [], ready, serving } = hello;
    return ready && serving ? [{ uid, labels, memory, sick }] : [];
  });
  return placeServices(requests, candidates);
}

/**
 * Places of our own services, by name: as the leader of the site says, or as we say when we lead. Absent: it has not been
 * heard yet. A leader of an older version places nothing, and then whoever is drained does it.
 */
export function ownPlaces(view: SiteView, own: OwnHello): ReadonlyMap<string, string | null> {
  const leader = leaderOf(view, own);
  const said = leader === undefined || leader === view.self ? undefined : view.links[leader]?.hello?.placed;
  const wanted = new Set(own.moving?.map(({ service }) => service));
  const places = (said ?? placesOfSite(view, own)).filter(
    ({ of, service }) => of === view.self && wanted.has(service),
  );
  return new Map(places.map(({ service, to }) => [service, to]));
}
