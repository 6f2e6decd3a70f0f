import type { Profile, STOP_REASONS } from '#shared/contract/feed/index.ts';
import { calm, type Flap, flapped, releaseAt, settled } from './flap.ts';
import {
  LONG_OUTAGE_MS,
  PING_MS,
  STABLE_MS,
  type Timing,
  timingOf,
  UPDATE_LIMIT_MS,
  WILL_GRACE_MS,
} from './profile.ts';

/**
 * Is a host there? (control plane, section 7)
 *
 *                 heartbeat                       silence 3T+5 s, or will
 *     never ───────────────▶ online ─────────────────────────────────────▶ suspect ── ping, 5 s, ping, 5 s ──┐
 *                            ▲    ▲ ◀───────────── heartbeat, pong ────────────┘                             │
 *          2 heartbeats and  │    └── heartbeat ── excused ◀── stop: drain, update (eta)                     ▼
 *          60 s              └──── recovering ◀──────────────── heartbeat ────────────────────────────── offline
 *                                       └──────────────── silence, will ───────────────────────────────────▶
 *
 * One deadline per host, `deadlineOf`; it comes back as input `due`. One that comes early does nothing, so that whoever
 * keeps the deadlines may put them off and ask again.
 */
export type Phase = 'never' | 'online' | 'suspect' | 'offline' | 'recovering' | 'excused';

export interface Presence {
  readonly phase: Phase;
  readonly profile: Profile;
  /** Contact as it was last had: heartbeat, birth or pong. */
  readonly lastSeenMs: number;
  /** Deadline of the phase; `deadlineOf` is what a timer is set to. */
  readonly dueMs: number | undefined;
  /** The id of the current connection. */
  readonly sid: string | undefined;
  /** In `suspect`: pings sent. */
  readonly pings: number;
  /** In `recovering`: since when, and heartbeats since. */
  readonly backSinceMs: number;
  readonly beats: number;
  /** The view of the peers: host down, or only its uplink; undefined = unknown. */
  readonly peer: 'up' | 'down' | undefined;
  /** noHeartbeatReply stands since then. */
  readonly raisedMs: number | undefined;
  readonly flap: Flap;
  /** One has been raised since the host became unstable: the next ones are only counted. */
  readonly reportedUnstable: boolean;
  /** Losses while it is unstable that were not reported. */
  readonly suppressed: number;
}

export type StopReason = (typeof STOP_REASONS)[number];

export type PresenceInput =
  | { readonly kind: 'birth'; readonly atMs: number; readonly sid: string }
  | { readonly kind: 'heartbeat'; readonly atMs: number; readonly sid: string }
  /** `ours`: the judge itself has just come or was held up; that the connection ended says nothing of the host. */
  | { readonly kind: 'will'; readonly atMs: number; readonly sid: string; readonly ours?: boolean }
  | {
      readonly kind: 'stop';
      readonly atMs: number;
      readonly sid: string;
      readonly why: StopReason;
      readonly etaS: number;
    }
  | { readonly kind: 'pong'; readonly atMs: number }
  | { readonly kind: 'peer'; readonly atMs: number; readonly sees: boolean }
  | { readonly kind: 'due'; readonly atMs: number };

export type PresenceEffect =
  | { readonly kind: 'ping' }
  /** Ask another host of the site whether it sees this one. */
  | { readonly kind: 'probe' }
  | { readonly kind: 'raise'; readonly cause: Cause }
  | { readonly kind: 'clear'; readonly afterMs: number }
  | { readonly kind: 'unstable'; readonly on: boolean };

/** Why nothing is heard of the host. */
export type Cause = 'silence' | 'hostDown' | 'uplinkDown' | 'shutdown' | 'poweroff';

export interface PresenceStep {
  readonly state: Presence;
  readonly effects: readonly PresenceEffect[];
}

/** How a host stood when this program last looked. */
export interface Remembered {
  /** One that is suspect is so until it is heard: that it is back would be no transition otherwise, and come into no row. */
  readonly phase: 'online' | 'suspect' | 'offline';
  readonly lastSeenMs: number;
  readonly sid: string | undefined;
  /** The begin of the active alarm. */
  readonly raisedMs: number | undefined;
  /** Its losses of contact until then; absent = calm. */
  readonly damping?: Pick<Presence, 'flap' | 'reportedUnstable' | 'suppressed'>;
}

/** A host not seen yet, or one that was: it is looked at as soon as anybody may be judged. */
export function initialPresence(profile: Profile, from?: Remembered): Presence {
  const never: Presence = {
    phase: 'never',
    profile,
    lastSeenMs: 0,
    dueMs: undefined,
    sid: undefined,
    pings: 0,
    backSinceMs: 0,
    beats: 0,
    peer: undefined,
    raisedMs: undefined,
    flap: calm,
    reportedUnstable: false,
    suppressed: 0,
  };
  if (from === undefined) return never;
  const { phase, lastSeenMs, sid, raisedMs, damping } = from;
  const seen: Presence = { ...never, phase, lastSeenMs, sid, raisedMs, ...damping };
  if (phase !== 'offline') return { ...seen, dueMs: silenceAt(seen) };
  return raisedMs === undefined ? { ...seen, dueMs: lastSeenMs + LONG_OUTAGE_MS } : seen;
}

export function stepPresence(before: Presence, input: PresenceInput): PresenceStep {
  const released = settled(before.flap, input.atMs);
  const calmed = before.flap.unstable && !released.unstable;
  const fresh: Partial<Presence> = { reportedUnstable: false, suppressed: 0 };
  const state: Presence = { ...before, flap: released, ...(calmed && fresh) };
  const step = react(state, input);
  return calmed ? { ...step, effects: [{ kind: 'unstable', on: false }, ...step.effects] } : step;
}

/** When `due` is wanted: the deadline of the phase, or when an unstable host may be called stable again. */
export function deadlineOf({ dueMs, flap }: Presence): number | undefined {
  const release = releaseAt(flap);
  return release === undefined ? dueMs : Math.min(dueMs ?? release, release);
}

function react(state: Presence, input: PresenceInput): PresenceStep {
  switch (input.kind) {
    case 'birth':
      return contact({ ...state, sid: input.sid }, input.atMs, 0);
    case 'heartbeat':
      if (isLate(state, input)) return still(state);
      // The message is of another connection than was born last: a sign of life, and no more. A host without a birth is asked
      // for one.
      return contact({ ...state, sid: state.sid ?? input.sid }, input.atMs, 1);
    case 'pong':
      return contact(state, input.atMs, 0);
    case 'will':
      // The last word of a connection that has been replaced says nothing.
      return input.sid === state.sid
        ? willed(state, input.atMs, input.ours === true)
        : { state, effects: [] };
    case 'stop':
      return input.sid === state.sid ? stopped(state, input) : { state, effects: [] };
    case 'peer':
      return onPeerReport(state, input.atMs, input.sees);
    case 'due':
      return due(state, input.atMs);
  }
}

const timing = (state: Presence): Timing => timingOf(state.profile);
const silenceAt = (state: Presence): number => state.lastSeenMs + timing(state).silenceMs;
const still = (state: Presence): PresenceStep => ({ state, effects: [] });

/**
 * `Chosen:` a heartbeat that was sent before the last message of its session comes behind it by at most so long: the two take different connections
 * from a broker. Taken for a contact, it would bring back a host that has stopped, and its silence would then be an alarm.
 */
const LATE_MS = 5_000;

const isLate = ({ phase, sid, lastSeenMs }: Presence, heartbeat: { sid: string; atMs: number }): boolean =>
  (phase === 'excused' || phase === 'offline') &&
  heartbeat.sid === sid &&
  heartbeat.atMs - lastSeenMs < LATE_MS;

/** Something was heard of the host. */
function contact(state: Presence, atMs: number, beats: number): PresenceStep {
  const present: Presence = { ...state, lastSeenMs: atMs, peer: undefined };
  switch (state.phase) {
    case 'never':
    case 'online':
    case 'suspect':
    case 'excused':
      return still({ ...present, phase: 'online', pings: 0, dueMs: atMs + timing(state).silenceMs });
    case 'offline':
      // An outage that was not reported needs no report of its end.
      if (state.raisedMs === undefined)
        return still({ ...present, phase: 'online', pings: 0, dueMs: atMs + timing(state).silenceMs });
      return recovering({ ...present, phase: 'recovering', backSinceMs: atMs, beats }, atMs);
    case 'recovering':
      return recovering({ ...present, beats: state.beats + beats }, atMs);
  }
}

function recovering(state: Presence, atMs: number): PresenceStep {
  const stableAt = state.backSinceMs + STABLE_MS;
  if (state.beats >= 2 && atMs >= stableAt) {
    const afterMs = atMs - (state.raisedMs ?? atMs);
    return {
      state: { ...state, phase: 'online', raisedMs: undefined, pings: 0, dueMs: silenceAt(state) },
      effects: [{ kind: 'clear', afterMs }],
    };
  }
  const dueMs = state.beats >= 2 ? Math.min(stableAt, silenceAt(state)) : silenceAt(state);
  return still({ ...state, dueMs });
}

function willed(state: Presence, atMs: number, ours: boolean): PresenceStep {
  switch (state.phase) {
    case 'online': {
      // Pings wait for the usual time: a short outage of the whole uplink is no alarm, unless a peer knows better.
      const waiting: Presence = { ...state, dueMs: Math.max(atMs, silenceAt(state)) };
      if (ours)
        return {
          state: { ...waiting, phase: 'suspect', pings: 0, peer: undefined },
          effects: [{ kind: 'probe' }],
        };
      return suspected(waiting, atMs, [{ kind: 'probe' }]);
    }
    case 'recovering':
      return still({ ...state, phase: 'offline', dueMs: undefined });
    case 'never':
    case 'suspect':
    case 'offline':
    case 'excused':
      return still(state);
  }
}

function suspected(state: Presence, atMs: number, effects: readonly PresenceEffect[]): PresenceStep {
  const flap = flapped(state.flap, atMs);
  const turned = flap.unstable && !state.flap.unstable;
  return {
    state: {
      ...state,
      phase: 'suspect',
      pings: 0,
      peer: undefined,
      flap,
      reportedUnstable: turned ? state.raisedMs !== undefined : state.reportedUnstable,
      // Reported with the loss that made it unstable; from then on they are counted.
      suppressed: flap.unstable && !turned ? state.suppressed + 1 : 0,
    },
    effects: turned ? [...effects, { kind: 'unstable', on: true }] : effects,
  };
}

function stopped(state: Presence, input: PresenceInput & { kind: 'stop' }): PresenceStep {
  const { atMs, why, etaS } = input;
  const seen: Presence = { ...state, lastSeenMs: atMs };
  switch (why) {
    case 'drain':
      return still({ ...seen, phase: 'excused', dueMs: undefined });
    case 'update': {
      const waitMs = Math.min(etaS * 1000, UPDATE_LIMIT_MS);
      return still({ ...seen, phase: 'excused', dueMs: atMs + waitMs });
    }
    case 'shutdown':
    case 'poweroff':
      return seen.phase === 'offline' ? still(seen) : toOffline(seen, atMs, why);
  }
}

function onPeerReport(state: Presence, atMs: number, sees: boolean): PresenceStep {
  if (state.phase !== 'suspect') return still(state);
  const peer = sees ? 'up' : 'down';
  const soon = atMs + WILL_GRACE_MS;
  const earlier = peer === 'down' && state.pings === 0 && state.dueMs !== undefined && soon < state.dueMs;
  return still({ ...state, peer, ...(earlier ? { dueMs: soon } : {}) });
}

function due(state: Presence, atMs: number): PresenceStep {
  // Not yet: the deadline was that of an unstable host, or everything was put off.
  if (state.dueMs === undefined || atMs < state.dueMs) return still(state);
  switch (state.phase) {
    case 'online': {
      const at = silenceAt(state);
      if (atMs < at) return still({ ...state, dueMs: at });
      const { state: suspect, effects } = suspected(state, atMs, [{ kind: 'probe' }, { kind: 'ping' }]);
      return { state: { ...suspect, pings: 1, dueMs: atMs + PING_MS }, effects };
    }
    case 'suspect':
      if (state.pings < 2)
        return {
          state: { ...state, pings: state.pings + 1, dueMs: atMs + PING_MS },
          effects: [{ kind: 'ping' }],
        };
      return toOffline(state, atMs, causeOf(state));
    case 'excused': {
      const { state: suspect, effects } = suspected(state, atMs, [{ kind: 'ping' }]);
      return { state: { ...suspect, pings: 1, dueMs: atMs + PING_MS }, effects };
    }
    case 'recovering':
      if (atMs >= silenceAt(state)) return still({ ...state, phase: 'offline', dueMs: undefined });
      return recovering(state, atMs);
    case 'offline':
      return state.raisedMs === undefined && atMs - state.lastSeenMs >= LONG_OUTAGE_MS
        ? raised(state, atMs, causeOf(state))
        : still({ ...state, dueMs: undefined });
    case 'never':
      return still({ ...state, dueMs: undefined });
  }
}

const causeOf = ({ peer }: Presence): Cause =>
  peer === 'up' ? 'uplinkDown' : peer === 'down' ? 'hostDown' : 'silence';

/** The host is offline; its past decides whether that is reported. */
function toOffline(state: Presence, atMs: number, cause: Cause): PresenceStep {
  const offline: Presence = { ...state, phase: 'offline', pings: 0, dueMs: undefined };
  if (state.raisedMs !== undefined) return still(offline);
  const damped = state.flap.unstable && state.reportedUnstable;
  if (damped) return still({ ...offline, dueMs: state.lastSeenMs + LONG_OUTAGE_MS });
  return raised(offline, atMs, cause);
}

function raised(state: Presence, atMs: number, cause: Cause): PresenceStep {
  return {
    state: {
      ...state,
      raisedMs: atMs,
      dueMs: undefined,
      reportedUnstable: state.flap.unstable,
      suppressed: Math.max(0, state.suppressed - 1),
    },
    effects: [{ kind: 'raise', cause }],
  };
}

/** The observed axis as the API and the rows know it. */
export function connectivityOf({
  phase,
  flap,
}: Presence): 'never' | 'online' | 'suspect' | 'offline' | 'unstable' {
  switch (phase) {
    case 'never':
    case 'offline':
      return phase;
    case 'online':
    case 'suspect':
      return flap.unstable ? 'unstable' : phase;
    case 'recovering':
      return 'suspect';
    case 'excused':
      return 'offline';
  }
}
