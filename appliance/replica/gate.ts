import type { FeedScope } from '#shared/contract/feed/index.ts';

/**
 * The health gate: a committed configuration is good when no engine that was well before was sick with it for 60 s.
 *
 *            committed                60 s without a sick engine
 *   closed ───────────▶ open ────────────────────────────────────▶ closed, good
 *                        │  ▲ committed, sick: the 60 s begin again, 5 min in all
 *                        │  └─
 *                        ├─ sick for 30 s, or sick in the time and 5 min over ─▶ closed, bad
 *                        └─ the program began for the third time in here ──────▶ the last known good comes back
 *
 * Chosen: the first configuration of a scope is good as soon as the engines are well: there is nothing to return to, and a
 * host comes into service by it. An engine that restarts has 30 s for that. Without a last known good the gate stays
 * open until the engines are well.
 */
export interface GateState {
  /** Revisions under test; empty = closed. */
  readonly testing: Partial<Readonly<Record<FeedScope, number>>>;
  /** Engines that were sick before the first of them. */
  readonly sickBefore: readonly string[];
  /** Monotonic ms. */
  readonly firstMs: number;
  /** Since when everything is well, at the earliest since the last commit. */
  readonly wellMs: number;
  readonly sickMs: number | undefined;
  /** Something was sick since the last commit. */
  readonly faltered: boolean;
  /** There is something to return to. */
  readonly returnable: boolean;
}

export type GateInput =
  | {
      readonly kind: 'committed';
      readonly scope: FeedScope;
      readonly rev: number;
      readonly sickBefore: readonly string[];
      /** The last known good has an earlier revision of this scope. */
      readonly hasEarlier: boolean;
      readonly atMs: number;
    }
  /** The program begins inside the gate, for the so many-th time. */
  | { readonly kind: 'restarted'; readonly lives: number; readonly hasGood: boolean }
  /** Answer to `check`. */
  | {
      readonly kind: 'health';
      readonly sick: readonly string[];
      readonly hasGood: boolean;
      readonly atMs: number;
    };

export type GateEffect =
  /** Replaces the timer before it; then ask the engines, and come back as `health`. */
  | { readonly kind: 'check'; readonly delayMs: number }
  | { readonly kind: 'good'; readonly revisions: readonly (readonly [FeedScope, number])[] }
  | {
      readonly kind: 'bad';
      readonly revisions: readonly (readonly [FeedScope, number])[];
      readonly sick: readonly string[];
    };

export interface GateStep {
  readonly state: GateState;
  readonly effects: readonly GateEffect[];
}

const WELL_MS = 60_000;
const SICK_MS = 30_000;
const LONGEST_MS = 300_000;
const MOST_LIVES = 3;
/** Time for the engines to take up what changed. */
const SETTLE_MS = 250;
const AGAIN_MS = 5_000;

export const closedGate: GateState = {
  testing: {},
  sickBefore: [],
  firstMs: 0,
  wellMs: 0,
  sickMs: undefined,
  faltered: false,
  returnable: false,
};

export const isOpen = ({ testing }: GateState): boolean => Object.keys(testing).length > 0;

export function stepGate(state: GateState, input: GateInput): GateStep {
  switch (input.kind) {
    case 'committed':
      return committed(state, input);
    case 'restarted':
      // A fault that ends the program itself is never seen as a sick service.
      return isOpen(state) && input.hasGood && input.lives >= MOST_LIVES
        ? bad(state, ['program'])
        : { state, effects: [] };
    case 'health':
      // Closed: an answer to a question asked before.
      return isOpen(state) ? looked(state, input) : { state, effects: [] };
  }
}

function committed(state: GateState, input: Extract<GateInput, { kind: 'committed' }>): GateStep {
  const open = isOpen(state);
  return {
    state: {
      testing: { ...state.testing, [input.scope]: input.rev },
      sickBefore: open ? state.sickBefore : input.sickBefore,
      firstMs: open ? state.firstMs : input.atMs,
      wellMs: input.atMs,
      sickMs: undefined,
      faltered: false,
      returnable: state.returnable || input.hasEarlier,
    },
    effects: [{ kind: 'check', delayMs: SETTLE_MS }],
  };
}

function looked(state: GateState, input: Extract<GateInput, { kind: 'health' }>): GateStep {
  const { atMs, hasGood } = input;
  const sick = input.sick.filter((part) => !state.sickBefore.includes(part));
  const over = atMs >= state.firstMs + LONGEST_MS;
  if (sick.length > 0) {
    const sickMs = state.sickMs ?? atMs;
    if (hasGood && (over || atMs - sickMs >= SICK_MS)) return bad(state, sick);
    return {
      state: { ...state, sickMs, faltered: true },
      effects: [{ kind: 'check', delayMs: AGAIN_MS }],
    };
  }
  const wellMs = state.sickMs === undefined ? state.wellMs : atMs;
  const leftMs = wellMs + WELL_MS - atMs;
  if (leftMs > 0 && state.returnable) {
    if (over) return state.faltered && hasGood ? bad(state, ['steadiness']) : good(state);
    return {
      state: { ...state, wellMs, sickMs: undefined },
      effects: [{ kind: 'check', delayMs: Math.min(AGAIN_MS, leftMs) }],
    };
  }
  return good(state);
}

const good = (state: GateState): GateStep => ({
  state: closedGate,
  effects: [{ kind: 'good', revisions: revisionsOf(state) }],
});

const bad = (state: GateState, sick: readonly string[]): GateStep => ({
  state: closedGate,
  effects: [{ kind: 'bad', revisions: revisionsOf(state), sick }],
});

const revisionsOf = ({ testing }: GateState) => Object.entries(testing) as [FeedScope, number][];
