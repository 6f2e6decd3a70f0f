/** The connectivity of a host as the API spells it; `unknown`: nothing was kept. */
type State = string;

interface Change {
  /** Epoch ms. */
  readonly at: number;
  readonly before: State;
  readonly after: State;
}

/** A time in which the connectivity of a host was one and the same. */
export interface ContactSpan {
  /** Epoch ms. */
  readonly from: number;
  readonly to: number;
  readonly state: State;
}

const DAY_MS = 86_400_000;
/** The API keeps no more changes of one host. */
export const MOST_CHANGES = 2_000;

/**
 * The spans between `from` and `to` (epoch ms), the oldest first. `changes`: newest first, as the API lists them. `now`: the
 * present state, and since when.
 */
export function spansOf(
  changes: readonly Change[],
  now: { readonly state: State; readonly since: number },
  from: number,
  to: number,
): readonly ContactSpan[] {
  const sorted = changes.toSorted((a, b) => a.at - b.at);
  const [oldest] = sorted;
  const isKnownBefore =
    oldest !== undefined && oldest.before !== oldest.after && sorted.length < MOST_CHANGES;
  const begins = [
    { at: Number.NEGATIVE_INFINITY, state: isKnownBefore ? oldest.before : 'unknown' },
    ...sorted.map(({ at, after }) => ({ at, state: after })),
    // A change that is shown already, or one that the list does not have yet.
    ...(sorted.some(({ at }) => at >= now.since) ? [] : [{ at: now.since, state: now.state }]),
  ];
  return begins.flatMap(({ at, state }, index) => {
    const begin = Math.max(from, at);
    const end = Math.min(to, begins[index + 1]?.at ?? to);
    return end > begin ? [{ from: begin, to: end, state }] : [];
  });
}

/** A day of the strip: how long each state lasted, ms, and how often contact was lost. */
export interface ContactDay {
  /** Begin, epoch ms. */
  readonly begin: number;
  readonly onlineMs: number;
  /** Late, or lost again and again. */
  readonly unsteadyMs: number;
  readonly offlineMs: number;
  readonly losses: number;
}

const UNSTEADY: ReadonlySet<State> = new Set(['suspect', 'unstable']);

/** The last `count` days, the oldest first; `midnight`: begin of today, epoch ms. */
export function contactDays(
  spans: readonly ContactSpan[],
  midnight: number,
  count: number,
): readonly ContactDay[] {
  return Array.from({ length: count }, (_, index) => {
    const begin = midnight - (count - 1 - index) * DAY_MS;
    const end = begin + DAY_MS;
    const lasted = (isOf: (state: State) => boolean): number =>
      spans
        .filter(({ state }) => isOf(state))
        .reduce((sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)), 0);
    return {
      begin,
      onlineMs: lasted((state) => state === 'online'),
      unsteadyMs: lasted((state) => UNSTEADY.has(state)),
      offlineMs: lasted((state) => state === 'offline'),
      losses: spans.filter(
        ({ state, from }, at) => state === 'offline' && at > 0 && from >= begin && from < end,
      ).length,
    };
  });
}

/** The share of the known time in which the host was reachable, 0 to 1; undefined: nothing is known. */
export function reachableShare(spans: readonly ContactSpan[]): number | undefined {
  const known = spans.filter(({ state }) => state !== 'unknown' && state !== 'never');
  const sum = (of: readonly ContactSpan[]): number =>
    of.reduce((total, { from, to }) => total + to - from, 0);
  const whole = sum(known);
  return whole === 0 ? undefined : sum(known.filter(({ state }) => state !== 'offline')) / whole;
}

/** The outages, the newest first. */
export const outagesOf = (spans: readonly ContactSpan[]): readonly ContactSpan[] =>
  spans.filter(({ state }) => state === 'offline').toReversed();
