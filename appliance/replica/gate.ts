import type { FeedScope } from '#shared/contract/feed/index.ts';

/**
 * The health gate: a committed configuration is good when no engine is sick that was well before.
 *
 *            committed                well
 *   closed ───────────▶ open (60 s) ───────▶ closed, good
 *                        │  ▲ committed: the window begins again, 5 min in all
 *                        │  └─
 *                        └─ time over: closed, bad — the last known good comes back
 *
 * Without a last known good there is nothing to return to: the gate stays open until the engines are well.
 */
export interface GateState {
  /** Revisions under test; empty = closed. */
  readonly testing: Partial<Readonly<Record<FeedScope, number>>>;
  /** Engines that were sick before the first of them. */
  readonly sickBefore: readonly string[];
  /** Monotonic ms. */
  readonly firstMs: number;
  readonly windowMs: number;
}

export type GateInput =
  | {
      readonly kind: 'committed';
      readonly scope: FeedScope;
      readonly rev: number;
      readonly sickBefore: readonly string[];
      readonly nowMs: number;
    }
  /** Answer to `check`. */
  | {
      readonly kind: 'health';
      readonly sick: readonly string[];
      readonly hasGood: boolean;
      readonly nowMs: number;
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

const WINDOW_MS = 60_000;
const LONGEST_MS = 300_000;
/** Time for the engines to take up what changed. */
const SETTLE_MS = 250;
const AGAIN_MS = 5_000;

export const closedGate: GateState = { testing: {}, sickBefore: [], firstMs: 0, windowMs: 0 };

export const isOpen = ({ testing }: GateState): boolean => Object.keys(testing).length > 0;

export function stepGate(state: GateState, input: GateInput): GateStep {
  if (input.kind === 'committed') {
    const open = isOpen(state);
    return {
      state: {
        testing: { ...state.testing, [input.scope]: input.rev },
        sickBefore: open ? state.sickBefore : input.sickBefore,
        firstMs: open ? state.firstMs : input.nowMs,
        windowMs: input.nowMs,
      },
      effects: [{ kind: 'check', delayMs: SETTLE_MS }],
    };
  }
  // An answer to a question asked before the gate closed.
  if (!isOpen(state)) return { state, effects: [] };
  const revisions = Object.entries(state.testing) as [FeedScope, number][];
  const sick = input.sick.filter((part) => !state.sickBefore.includes(part));
  if (sick.length === 0) return { state: closedGate, effects: [{ kind: 'good', revisions }] };
  const endMs = Math.min(state.windowMs + WINDOW_MS, state.firstMs + LONGEST_MS);
  if (input.nowMs < endMs || !input.hasGood) {
    return { state, effects: [{ kind: 'check', delayMs: AGAIN_MS }] };
  }
  return { state: closedGate, effects: [{ kind: 'bad', revisions, sick }] };
}
