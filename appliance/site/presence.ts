import type { HostState } from '#shared/contract/feed/index.ts';

/**
 * When this host says that it is there: after every CONNACK, when asked, and when the topic of its own state shows
 * something else than what it said, at most once in 5 s.
 *
 *            connected: birth 1                    rebirth, foreign state
 *   away ─────────────────────────▶ present ───────────────────────────────▶ birth n + 1, or a timer for it
 *     ▲                               │ lost
 *     └───────────────────────────────┘            stopping: what is said then is our own announced stop
 */
export interface PresenceState {
  /** The session of the CONNECT in force; undefined = away. */
  readonly sid: string | undefined;
  readonly birthNo: number;
  /** Monotonic ms. */
  readonly lastBirthMs: number;
  /** A birth waits until 5 s have passed since the last. */
  readonly owed: boolean;
  readonly stopping: boolean;
}

export type PresenceInput =
  | { readonly kind: 'connected'; readonly sid: string; readonly atMs: number }
  | { readonly kind: 'rebirth'; readonly atMs: number }
  | { readonly kind: 'ownState'; readonly state: HostState; readonly atMs: number }
  | { readonly kind: 'due'; readonly atMs: number }
  | { readonly kind: 'stopping' }
  | { readonly kind: 'lost' };

export type PresenceEffect =
  | { readonly kind: 'birth'; readonly sid: string; readonly birthNo: number }
  /** Comes back as `due`. */
  | { readonly kind: 'startTimer'; readonly delayMs: number };

export interface PresenceStep {
  readonly state: PresenceState;
  readonly effects: readonly PresenceEffect[];
}

const SPACING_MS = 5_000;

export const initialPresence: PresenceState = {
  sid: undefined,
  birthNo: 0,
  lastBirthMs: 0,
  owed: false,
  stopping: false,
};

export function stepPresence(state: PresenceState, input: PresenceInput): PresenceStep {
  switch (input.kind) {
    case 'connected':
      return born({ ...state, sid: input.sid, birthNo: 0 }, input.atMs);
    case 'rebirth':
      return again(state, input.atMs);
    case 'ownState': {
      const ours = input.state.st === 'on' && input.state.sid === state.sid;
      return ours || state.stopping ? { state, effects: [] } : again(state, input.atMs);
    }
    case 'due':
      return state.owed ? born(state, input.atMs) : { state, effects: [] };
    case 'stopping':
      return { state: { ...state, stopping: true, owed: false }, effects: [] };
    case 'lost':
      return { state: { ...state, sid: undefined, owed: false }, effects: [] };
  }
}

function again(state: PresenceState, atMs: number): PresenceStep {
  if (state.sid === undefined || state.owed || state.stopping) return { state, effects: [] };
  const waitMs = state.lastBirthMs + SPACING_MS - atMs;
  if (waitMs <= 0) return born(state, atMs);
  return { state: { ...state, owed: true }, effects: [{ kind: 'startTimer', delayMs: waitMs }] };
}

function born(state: PresenceState, atMs: number): PresenceStep {
  const { sid } = state;
  if (sid === undefined) return { state, effects: [] };
  const birthNo = state.birthNo + 1;
  return {
    state: { ...state, birthNo, lastBirthMs: atMs, owed: false },
    effects: [{ kind: 'birth', sid, birthNo }],
  };
}
