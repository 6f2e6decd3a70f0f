import { type FeedScope, type Pointer, SCOPES } from '#shared/contract/feed/index.ts';
import type { Standing, Standings } from './replica-store.ts';

/**
 * The next fetch, and its time. One fetch at a time; scopes in the order in which they need each other.
 *
 *          wanted names something new        due
 *   idle ─────────────────────────▶ waiting ─────▶ fetching ──applied, nothing more──▶ idle
 *                                      ▲              │  │
 *                                      └── back-off ──┘  └── applied, more to do: fetching
 *
 * A back-off ends early when the management connection opens, or when a person asks: both say that the cloud may be there again.
 * A delta whose result is not the cloud's is followed by a snapshot at once. A refused revision is left alone until a newer one
 * exists or a person asks for it again.
 */
export interface PullState {
  readonly at: 'idle' | 'waiting' | 'fetching';
  readonly standing: Standings;
  /** Pointers of the newest twin. */
  readonly wanted: Readonly<Record<FeedScope, Pointer>> | undefined;
  /** Revision per scope that was answered with NACK. */
  readonly refused: Partial<Readonly<Record<FeedScope, number>>>;
  /** Scopes of which everything is fetched next. */
  readonly whole: ReadonlySet<FeedScope>;
  readonly failures: number;
}

export type PullInput =
  | {
      readonly kind: 'wanted';
      readonly pointers: Readonly<Record<FeedScope, Pointer>>;
      readonly jitterS: number;
      readonly fetchS?: number | undefined;
      readonly random: number;
    }
  /** The wait is over. */
  | { readonly kind: 'due' }
  | { readonly kind: 'applied'; readonly scope: FeedScope; readonly standing: Standing }
  /** Nothing was decided: no network, or an answer from before. */
  | { readonly kind: 'failed'; readonly random: number }
  /** The cloud may answer again: an end to the back-off, and the next one is short. `spreadMs` keeps hosts apart. */
  | { readonly kind: 'hurry'; readonly spreadMs: number; readonly random: number }
  /** The rows after the change would not be the cloud's. */
  | { readonly kind: 'mismatch'; readonly scope: FeedScope }
  | { readonly kind: 'refused'; readonly scope: FeedScope; readonly rev: number }
  /** The last known good configuration came back; `refused` is what had replaced it. */
  | {
      readonly kind: 'returned';
      readonly standing: Standings;
      readonly refused: readonly (readonly [FeedScope, number])[];
    }
  /** A person, or the hourly look at our own rows, asks for everything of these scopes. */
  | { readonly kind: 'resync'; readonly scopes: readonly FeedScope[]; readonly force: boolean };

export type PullEffect =
  /** Replaces the timer before it; comes back as `due`. */
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  /** Comes back as `applied`, `failed`, `mismatch` or `refused`. `since` 0 = everything. */
  | { readonly kind: 'fetch'; readonly scope: FeedScope; readonly since: number; readonly wantedRev: number };

export interface PullStep {
  readonly state: PullState;
  readonly effects: readonly PullEffect[];
}

const BASE_MS = 1_000;
const CAP_MS = 60_000;
const SMALL_SPREAD_MS = 500;

/** `refused`: revisions that an earlier life answered with NACK. */
export const initialPull = (standing: Standings, refused: PullState['refused'] = {}): PullState => ({
  at: 'idle',
  standing,
  wanted: undefined,
  refused,
  whole: new Set(),
  failures: 0,
});

/** Revisions that the newest twin names and that are not in force, over all scopes. */
export const revisionsBehind = ({ standing, wanted }: PullState): number =>
  wanted === undefined
    ? 0
    : SCOPES.reduce((sum, scope) => sum + Math.max(0, wanted[scope].rev - standing[scope].rev), 0);

/** `random` is a number in [0, 1). */
export function stepPull(state: PullState, input: PullInput): PullStep {
  switch (input.kind) {
    case 'wanted': {
      const next = { ...state, wanted: input.pointers };
      // The fetch under way reads the new pointers when it comes back.
      if (state.at !== 'idle' || nextScope(next) === undefined) return { state: next, effects: [] };
      return wait(next, spreadMs(next, input));
    }
    case 'due':
      return state.at === 'waiting' ? proceed(state) : { state, effects: [] };
    case 'applied': {
      const standing = { ...state.standing, [input.scope]: input.standing };
      return proceed({ ...state, standing, whole: without(state.whole, input.scope), failures: 0 });
    }
    case 'failed': {
      const capMs = Math.min(CAP_MS, BASE_MS * 2 ** Math.min(state.failures, 10));
      return wait({ ...state, failures: state.failures + 1 }, capMs * (0.5 + input.random / 2));
    }
    case 'hurry':
      if (state.at !== 'waiting' || state.failures === 0) return { state, effects: [] };
      return wait({ ...state, failures: 0 }, input.spreadMs * input.random);
    case 'mismatch':
      return proceed({ ...state, whole: new Set(state.whole).add(input.scope) });
    case 'refused': {
      const refused = { ...state.refused, [input.scope]: input.rev };
      return proceed({ ...state, refused, whole: without(state.whole, input.scope) });
    }
    case 'returned': {
      const refused = { ...state.refused, ...Object.fromEntries(input.refused) };
      const next = { ...state, standing: input.standing, refused };
      return state.at === 'idle' ? proceed(next) : { state: next, effects: [] };
    }
    case 'resync': {
      const refused = input.force
        ? Object.fromEntries(
            Object.entries(state.refused).filter(([scope]) => !input.scopes.some((each) => each === scope)),
          )
        : state.refused;
      const next = { ...state, refused, whole: new Set([...state.whole, ...input.scopes]) };
      return state.at === 'idle' ? proceed(next) : { state: next, effects: [] };
    }
  }
}

function proceed(state: PullState): PullStep {
  const scope = nextScope(state);
  if (scope === undefined) return { state: { ...state, at: 'idle' }, effects: [] };
  const standing = state.standing[scope];
  const since = state.whole.has(scope) || sameRevOtherRows(state, scope) ? 0 : standing.rev;
  const wantedRev = state.wanted?.[scope].rev ?? 0;
  return { state: { ...state, at: 'fetching' }, effects: [{ kind: 'fetch', scope, since, wantedRev }] };
}

/** The first scope that is not as the twin wants it, and was not refused at that revision. */
function nextScope(state: PullState): FeedScope | undefined {
  const { wanted } = state;
  if (wanted === undefined) return undefined;
  return SCOPES.find((scope) => {
    if (state.refused[scope] === wanted[scope].rev) return false;
    // Revision 0 has no rows: there is nothing to fetch again.
    if (wanted[scope].rev === 0) return false;
    return (
      wanted[scope].rev > state.standing[scope].rev ||
      state.whole.has(scope) ||
      sameRevOtherRows(state, scope)
    );
  });
}

function sameRevOtherRows({ wanted, standing }: PullState, scope: FeedScope): boolean {
  const pointer = wanted?.[scope];
  const here = standing[scope];
  return pointer !== undefined && pointer.rev > 0 && pointer.rev === here.rev && pointer.h !== here.h;
}

const wait = (state: PullState, delayMs: number): PullStep => ({
  state: { ...state, at: 'waiting' },
  effects: [{ kind: 'startTimer', delayMs: Math.round(delayMs) }],
});

/**
 * A host without any configuration waits for nothing; what has changed for all hosts is fetched over the spread of all, anything else
 * over that of the tenant. Chosen: a spread of 1 s stands for so few hosts that half a second is enough.
 */
function spreadMs(
  { standing, wanted }: PullState,
  {
    jitterS,
    fetchS = jitterS,
    random,
  }: Pick<PullInput & { kind: 'wanted' }, 'jitterS' | 'fetchS' | 'random'>,
): number {
  if (SCOPES.every((scope) => standing[scope].rev === 0)) return 0;
  const isForAll = wanted !== undefined && wanted.platform.rev > standing.platform.rev;
  const seconds = isForAll ? jitterS : fetchS;
  return random * (seconds <= 1 ? Math.min(SMALL_SPREAD_MS, seconds * 1_000) : seconds * 1_000);
}

function without(scopes: ReadonlySet<FeedScope>, scope: FeedScope): ReadonlySet<FeedScope> {
  const rest = new Set(scopes);
  rest.delete(scope);
  return rest;
}
