import { longestWaitMs, OWNER_WAIT_S, STABLE_CONNECTION_MS } from '#shared/contract/feed/index.ts';

/**
 * The connection of this host to the broker, and when to try again.
 *
 *            start                 opened
 *   closed ────────▶ connecting ──────────▶ connected
 *                      ▲     │ failed          │ lost
 *               retry  │     ▼                 ▼
 *                      └── waiting ◀───────────┘
 *
 * With several brokers each attempt goes to the next one, and so does a host whose broker has had no owner for a while.
 *
 * One timer, one connection, no suffixes: two half-open attempts of one client id would throw each other out.
 */
export interface UplinkState {
  readonly at: 'closed' | 'connecting' | 'connected' | 'waiting';
  /** Failed attempts since the connection was last stable; sets the back-off. */
  readonly failures: number;
  /** Monotonic ms when the connection was lost or first failed; the cap grows with the outage. */
  readonly downSinceMs: number;
  /** Monotonic ms of the last CONNACK. */
  readonly upSinceMs: number;
  /** The owner of the shard has announced its stop on cp/state. */
  readonly shutdownAnnounced: boolean;
  /** Spread of reconnects in s, computed by the cloud from the size of the fleet. */
  readonly jitterS: number;
  /** Connections that came to an end: each attempt goes to the next broker in the order of this host. */
  readonly turn: number;
  /** The broker says that no owner of the shard is connected to it. */
  readonly ownerAway: boolean;
  /** Brokers that were left since an owner was last there; sets the wait before the next is left. */
  readonly hops: number;
}

export type UplinkInput =
  | { readonly kind: 'start'; readonly atMs: number }
  | { readonly kind: 'opened'; readonly atMs: number }
  | { readonly kind: 'failed'; readonly atMs: number; readonly random: number }
  | { readonly kind: 'lost'; readonly atMs: number; readonly random: number }
  | { readonly kind: 'retry'; readonly atMs: number }
  | { readonly kind: 'shutdownAnnounced'; readonly announced: boolean }
  | { readonly kind: 'jitter'; readonly seconds: number }
  /** The word on cp/state, where there is another broker to go to. */
  | { readonly kind: 'owner'; readonly present: boolean; readonly random: number }
  | { readonly kind: 'stop' };

export type UplinkEffect =
  | { readonly kind: 'connect' }
  /** Replaces the timer before it; comes back as `retry`. */
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  /** CONNACK has come: subscribe, then publish the birth. */
  | { readonly kind: 'greet' }
  | { readonly kind: 'disconnect' };

export interface UplinkStep {
  readonly state: UplinkState;
  readonly effects: readonly UplinkEffect[];
}

const BASE_MS = 1_000;
const UNCLEAN_SPREAD_S = 15;
/** An owner whose connection broke is back sooner; hosts must not move for that. */
const OWNER_WAIT_MS = OWNER_WAIT_S * 1_000;
const MOST_HOPS = 4;

export const initialUplink = (): UplinkState => ({
  at: 'closed',
  failures: 0,
  downSinceMs: 0,
  upSinceMs: 0,
  shutdownAnnounced: false,
  jitterS: 1,
  turn: 0,
  ownerAway: false,
  hops: 0,
});

/** `random` is a number in [0, 1). */
export function stepUplink(state: UplinkState, input: UplinkInput): UplinkStep {
  switch (input.kind) {
    case 'start':
      return state.at === 'closed'
        ? connect({ ...state, downSinceMs: input.atMs, failures: 0 })
        : unchanged(state);
    case 'opened':
      // An answer that arrives after `stop` belongs to a connection that is being closed.
      if (state.at !== 'connecting') return unchanged(state);
      return {
        state: {
          ...state,
          at: 'connected',
          upSinceMs: input.atMs,
          shutdownAnnounced: false,
          ownerAway: false,
        },
        effects: [{ kind: 'greet' }],
      };
    case 'failed':
      if (state.at !== 'connecting') return unchanged(state);
      return wait({ ...state, failures: state.failures + 1, turn: state.turn + 1 }, backOffMs(state, input));
    case 'lost':
      return state.at === 'connected' ? afterLoss(state, input) : unchanged(state);
    case 'retry':
      if (state.at === 'connected' && state.ownerAway) return leave(state, input.atMs);
      return state.at === 'waiting' ? connect(state) : unchanged(state);
    case 'owner':
      return onOwner(state, input);
    case 'shutdownAnnounced':
      return unchanged({ ...state, shutdownAnnounced: input.announced });
    case 'jitter':
      return unchanged({ ...state, jitterS: input.seconds });
    case 'stop':
      return { state: { ...state, at: 'closed' }, effects: [{ kind: 'disconnect' }] };
  }
}

const unchanged = (state: UplinkState): UplinkStep => ({ state, effects: [] });

const connect = (state: UplinkState): UplinkStep => ({
  state: { ...state, at: 'connecting' },
  effects: [{ kind: 'connect' }],
});

const wait = (state: UplinkState, delayMs: number): UplinkStep => ({
  state: { ...state, at: 'waiting' },
  effects: [{ kind: 'startTimer', delayMs: Math.round(delayMs) }],
});

/**
 * A broker without an owner passes heartbeats on to no one, while the owner may be well at another broker. The wait grows with each
 * broker that was left in vain: where no owner lives at all, the fleet must not wander.
 */
function onOwner(state: UplinkState, { present, random }: UplinkInput & { kind: 'owner' }): UplinkStep {
  if (present) return unchanged({ ...state, ownerAway: false, hops: 0 });
  if (state.at !== 'connected' || state.ownerAway) return unchanged(state);
  const delayMs = OWNER_WAIT_MS * 2 ** Math.min(state.hops, MOST_HOPS) * (1 + random);
  return {
    state: { ...state, ownerAway: true },
    effects: [{ kind: 'startTimer', delayMs: Math.round(delayMs) }],
  };
}

/** To the next broker, and from this one first: one connection at a time. The back-off of an earlier outage ended with a stable connection. */
function leave(state: UplinkState, atMs: number): UplinkStep {
  const rested = isStable(state, atMs) ? { downSinceMs: atMs, failures: 0 } : {};
  const turn = state.turn + 1;
  const { state: next, effects } = connect({
    ...state,
    ...rested,
    turn,
    hops: state.hops + 1,
    ownerAway: false,
  });
  return { state: next, effects: [{ kind: 'disconnect' }, ...effects] };
}

const isStable = ({ upSinceMs }: UplinkState, atMs: number): boolean =>
  atMs - upSinceMs >= STABLE_CONNECTION_MS;

/** A whole fleet loses its broker at one moment: the first try is spread, whatever the back-off says. */
function afterLoss(
  state: UplinkState,
  input: { readonly atMs: number; readonly random: number },
): UplinkStep {
  const stable = isStable(state, input.atMs);
  const lost = {
    ...state,
    turn: state.turn + 1,
    downSinceMs: stable ? input.atMs : state.downSinceMs,
    failures: stable ? 0 : state.failures + 1,
  };
  if (!stable) return wait(lost, backOffMs(state, input));
  const spreadS = state.shutdownAnnounced ? state.jitterS : Math.min(state.jitterS, UNCLEAN_SPREAD_S);
  return wait(lost, input.random * spreadS * 1_000);
}

/** Full jitter: anything between nothing and the step, so that hosts do not come back in waves. */
function backOffMs(state: UplinkState, input: { readonly atMs: number; readonly random: number }): number {
  const capMs = longestWaitMs(input.atMs - state.downSinceMs);
  return input.random * Math.min(capMs, BASE_MS * 2 ** Math.min(state.failures, 20));
}
