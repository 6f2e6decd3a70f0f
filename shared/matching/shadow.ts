import { ARRIVAL_KINDS, type ArrivalKind, type Receiver, takes } from './arrival.ts';
import { byOrderThenId, type DestinationMatcher } from './destination-matcher.ts';
import { exampleTexts } from './example-text.ts';
import { compilePattern, type Pattern } from './pattern.ts';

/** Kinds that distinguish receivers; a receiver takes a stray call only where no receiver takes it as a call. */
const KINDS = ARRIVAL_KINDS.filter((kind) => kind !== 'strayCall');
/** A device may be provisioned with the protocol that its receiver asks it for. */
const MAY_SPEAK = 'lacs';

/** The receiver of one kind of arrival at a destination. */
export interface Taking<R> {
  readonly kind: ArrivalKind;
  readonly receiver: R;
}

/** A receiver that gets nothing of some kinds, because another goes before it. */
export interface Shadow<R> {
  readonly receiver: R;
  readonly by: R;
  readonly kinds: readonly ArrivalKind[];
  /** A destination that both match. */
  readonly destination: string;
}

/** The kinds of arrival and their receivers at this destination. */
export function takingsAt<R extends Receiver>(
  matcher: Pick<DestinationMatcher<R>, 'all'>,
  destination: string,
): readonly Taking<R>[] {
  const matching = matcher.all(destination);
  const first = (kind: ArrivalKind): Taking<R>[] => {
    const receiver = matching.find((each) => takes(each, kind));
    return receiver === undefined ? [] : [{ kind, receiver }];
  };
  const taken = KINDS.flatMap(first);
  return taken.some(({ kind }) => kind === 'call') ? taken : [...taken, ...first('strayCall')];
}

/** Receivers that match this destination and do not get what they could take, each with the receiver that gets it. */
export function shadowsAt<R extends Receiver>(
  matcher: Pick<DestinationMatcher<R>, 'all'>,
  destination: string,
): readonly Shadow<R>[] {
  const matching = matcher.all(destination);
  return matching.flatMap((receiver, place) =>
    shadowsOf(receiver, matching.slice(0, place)).map((shadow) => ({ ...shadow, destination })),
  );
}

/**
 * Receivers that get nothing of a kind at any destination, because one before them matches all that they match.
 *
 * Chosen: found by examples of the later pattern, each tried with the earlier one. A narrow receiver before a wide one shadows
 * a part of it only, which is what `order` is for, and is not reported.
 */
export const shadowsAmong = <R extends Receiver>(receivers: readonly R[]): readonly Shadow<R>[] =>
  shadows(receivers, () => true);

/** Those of these shadows that one receiver casts or stands in. */
export const shadowsAbout = <R extends Receiver>(receivers: readonly R[], id: string): readonly Shadow<R>[] =>
  shadows(receivers, (one) => one.id === id).filter(({ by, receiver }) => by.id === id || receiver.id === id);

/** `concerns`: one of the two, at least, must be such a receiver. */
function shadows<R extends Receiver>(
  receivers: readonly R[],
  concerns: (receiver: R) => boolean,
): readonly Shadow<R>[] {
  const patterns = new Map<R, Pattern | undefined>();
  const patternOf = (receiver: R): Pattern | undefined => {
    if (!patterns.has(receiver)) {
      const compiled = compilePattern(receiver.destinationMatch);
      patterns.set(receiver, compiled.ok ? compiled.value : undefined);
    }
    return patterns.get(receiver);
  };
  const inOrder = receivers.toSorted(byOrderThenId);
  return inOrder.flatMap((receiver, place) => {
    const earlier = inOrder.slice(0, place);
    if (!concerns(receiver) && !earlier.some(concerns)) return [];
    const before = earlier.filter((one) => KINDS.some((kind) => isShared(one, receiver, kind)));
    const pattern = before.length === 0 ? undefined : patternOf(receiver);
    const examples = pattern === undefined ? [] : exampleTexts(pattern);
    const [destination] = examples;
    if (destination === undefined) return [];
    const wider = before.filter((one) => examples.every((text) => patternOf(one)?.test(text) === true));
    return shadowsOf(receiver, wider).map((shadow) => ({ ...shadow, destination }));
  });
}

const isShared = (earlier: Receiver, later: Receiver, kind: ArrivalKind): boolean =>
  takes(earlier, kind) && takes(later, kind, MAY_SPEAK);

/** By the first of `before` that takes each kind: one entry for each of them. */
function shadowsOf<R extends Receiver>(
  receiver: R,
  before: readonly R[],
): readonly Omit<Shadow<R>, 'destination'>[] {
  const by = new Map<R, ArrivalKind[]>();
  for (const kind of KINDS) {
    const earlier = before.find((one) => isShared(one, receiver, kind));
    if (earlier !== undefined) by.set(earlier, [...(by.get(earlier) ?? []), kind]);
  }
  return [...by].map(([one, kinds]) => ({ receiver, by: one, kinds }));
}
