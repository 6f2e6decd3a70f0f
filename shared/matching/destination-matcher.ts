import { literalHead } from './literal-head.ts';
import { compilePattern, type Pattern, type PatternFailure, SUBJECT_MAX_LENGTH } from './pattern.ts';

/** The fields that the choice reads; any resource with these fields can be chosen. */
export interface Destination {
  readonly id: string;
  /** RE2, found anywhere in the destination unless anchored. */
  readonly destinationMatch: string;
  /** Lowest wins; absent counts as 1000. */
  readonly order?: number | undefined;
}

export interface DestinationMatcher<D extends Destination> {
  /** The resource that takes calls and messages to `destination`; those that `accepts` refuses do not compete. */
  match(destination: string, accepts?: (resource: D) => boolean): D | undefined;
  /** Every resource whose pattern finds `destination`, the first choice first. */
  all(destination: string): readonly D[];
  /** Resources whose pattern does not compile; they never match. */
  readonly refused: readonly { readonly id: string; readonly error: PatternFailure }[];
}

const DEFAULT_ORDER = 1000;

/** A resource with its compiled pattern; the lower the rank, the earlier it is chosen. */
interface Ranked<D> {
  readonly rank: number;
  readonly resource: D;
  readonly pattern: Pattern;
}

/**
 * Decides which resource takes a destination: the lowest `order`, then the lowest id, among those whose
 * pattern finds it. The same function answers testconfiguration in the cloud and routes on the appliance.
 *
 * Most patterns are `^literal$` or begin with a literal, and are found by looking the destination up; only
 * the others are tried one by one, and only those that could still win.
 */
export function destinationMatcher<D extends Destination>(resources: readonly D[]): DestinationMatcher<D> {
  const exact = new Map<string, Ranked<D>[]>();
  const byHead = new Map<string, Ranked<D>[]>();
  const others: Ranked<D>[] = [];
  const refused: { id: string; error: PatternFailure }[] = [];
  let longestHead = 0;

  for (const [rank, resource] of resources.toSorted(byOrderThenId).entries()) {
    const compiled = compilePattern(resource.destinationMatch);
    if (!compiled.ok) {
      refused.push({ id: resource.id, error: compiled.error });
      continue;
    }
    const ranked = { rank, resource, pattern: compiled.value };
    const head = literalHead(resource.destinationMatch);
    if (head === undefined) others.push(ranked);
    else if (head.whole) add(exact, head.text, ranked);
    else {
      add(byHead, head.text, ranked);
      longestHead = Math.max(longestHead, head.text.length);
    }
  }

  const match = (destination: string, accepts: (resource: D) => boolean = () => true): D | undefined => {
    if (destination.length > SUBJECT_MAX_LENGTH) return undefined;
    let best = exact.get(destination)?.find(({ resource }) => accepts(resource));
    const better = (candidates: readonly Ranked<D>[] | undefined) => {
      for (const candidate of candidates ?? []) {
        if (best !== undefined && candidate.rank > best.rank) return;
        if (candidate.pattern.test(destination) && accepts(candidate.resource)) best = candidate;
      }
    };
    for (let length = 1; length <= Math.min(longestHead, destination.length); length++) {
      better(byHead.get(destination.slice(0, length)));
    }
    better(others);
    return best?.resource;
  };
  const all = (destination: string): readonly D[] => {
    if (destination.length > SUBJECT_MAX_LENGTH) return [];
    const found = [...(exact.get(destination) ?? [])];
    const search = (candidates: readonly Ranked<D>[] | undefined) =>
      found.push(...(candidates ?? []).filter(({ pattern }) => pattern.test(destination)));
    for (let length = 1; length <= Math.min(longestHead, destination.length); length++)
      search(byHead.get(destination.slice(0, length)));
    search(others);
    return found.toSorted((a, b) => a.rank - b.rank).map(({ resource }) => resource);
  };
  return { match, all, refused };
}

function add<D>(map: Map<string, Ranked<D>[]>, text: string, ranked: Ranked<D>): void {
  const same = map.get(text);
  if (same === undefined) map.set(text, [ranked]);
  else same.push(ranked);
}

/** The order of choice: the lowest `order`, then the lowest id. */
export function byOrderThenId(
  a: Pick<Destination, 'id' | 'order'>,
  b: Pick<Destination, 'id' | 'order'>,
): number {
  const byOrder = (a.order ?? DEFAULT_ORDER) - (b.order ?? DEFAULT_ORDER);
  if (byOrder !== 0) return byOrder;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
