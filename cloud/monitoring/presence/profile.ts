import {
  HEARTBEAT_S,
  longestWaitMs,
  OWNER_KEEPALIVE_S,
  OWNER_WAIT_S,
  type Profile,
} from '#shared/contract/feed/index.ts';

/** Times of supervision, milliseconds (control plane, section 7). */
export interface Timing {
  /** T: a heartbeat is due this often. */
  readonly everyMs: number;
  /** Without heartbeat for so long a host is suspect: 3 T + 5 s. */
  readonly silenceMs: number;
}

export const timingOf = (profile: Profile): Timing => {
  const everyMs = HEARTBEAT_S[profile] * 1000;
  return { everyMs, silenceMs: 3 * everyMs + 5_000 };
};

/** Between the two pings, and from the second one to the verdict. */
export const PING_MS = 5_000;
/** A will counts so long after it before pings, if a peer says that the host is down. */
export const WILL_GRACE_MS = 20_000;
/** Recovered: two heartbeats and this long. */
export const STABLE_MS = 60_000;
/** After a cold start no host is judged before 3 T and this. */
export const COLD_START_MS = 60_000;

/**
 * The longest wait of hosts between two tries beyond the 3 T that each host gets, by how long they have tried. Chosen: added to the time
 * of grace, for a host that was asked to wait 300 s cannot be blamed for being back after 300 s.
 */
export const reconnectMs = (awayMs: number): number => {
  const waitMs = longestWaitMs(awayMs);
  return waitMs > longestWaitMs(0) ? waitMs : 0;
};

/**
 * How long a host stays unheard at a broker that its owner does not reach: until the broker misses the owner (one keepalive and
 * a half, MQTT 3.1.1, 3.1.2.10), the longest wait of the host, and a connection to another broker.
 */
export const MOVE_MS = 1_000 * (1.5 * OWNER_KEEPALIVE_S + 2 * OWNER_WAIT_S + 10);

/** An announced update is waited for at most so long. */
export const UPDATE_LIMIT_MS = 900_000;

/** Flap damping: what each loss adds, how fast it halves, where a host becomes unstable and where no longer. */
export const FLAP = { step: 1_000, halfLifeMs: 15 * 60_000, unstable: 3_000, stable: 750 } as const;
/** While unstable, an unbroken outage of this length is still reported. */
export const LONG_OUTAGE_MS = 5 * 60_000;
