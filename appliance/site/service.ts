/**
 * One service of this host (sip, media, alarm, callback, recording, vip): started, looked at, started again.
 *
 *            start                started                     3 failed probes, exited
 *   stopped ───────▶ starting ─────────────▶ up (every 10 s a probe) ───────────────┐
 *      ▲               ▲  │ startFailed                                              │
 *      │ pause         │  ▼                                                          ▼
 *      └─ any    due   └─ waiting (1, 2, 4 … 60 s) ◀─────────────────────────────────┘
 *
 * `serviceStartFailed`: 3 failed starts in 5 min, or a start that takes longer than 60 s. `serviceFailure`: exited, or 3
 * failed probes. Either is over when the service has been healthy for 60 s. A service that was paused is no fault.
 */
export interface ServiceState {
  readonly at: 'stopped' | 'starting' | 'up' | 'waiting';
  /** Monotonic ms of the failed starts of the last five minutes. */
  readonly failedStarts: readonly number[];
  readonly failedProbes: number;
  /** Monotonic ms since when every probe was well; undefined = not healthy. */
  readonly healthySinceMs: number | undefined;
  /** Starts since it was last healthy for a minute; sets the back-off. */
  readonly tries: number;
  readonly raised: readonly ServiceFault[];
  /** The last fault, in words. */
  readonly reason: string;
}

export type ServiceFault = 'serviceStartFailed' | 'serviceFailure';

export type ServiceInput =
  | { readonly kind: 'start'; readonly atMs: number }
  | { readonly kind: 'started'; readonly atMs: number }
  | { readonly kind: 'startFailed'; readonly reason: string; readonly atMs: number }
  /** It ended by itself. */
  | { readonly kind: 'exited'; readonly reason: string; readonly atMs: number }
  /** Answer to `probe`; `fault` undefined = well. */
  | { readonly kind: 'probed'; readonly fault: string | undefined; readonly atMs: number }
  | { readonly kind: 'due'; readonly atMs: number }
  | { readonly kind: 'pause' };

export type ServiceEffect =
  /** Comes back as `started` or `startFailed`. */
  | { readonly kind: 'start' }
  /** Also when it is sick: what runs half must not stand in the way of the next start. */
  | { readonly kind: 'stop' }
  /** Comes back as `probed`. */
  | { readonly kind: 'probe' }
  /** Replaces the timer before it; comes back as `due`. */
  | { readonly kind: 'startTimer'; readonly delayMs: number }
  | { readonly kind: 'stopTimer' }
  | { readonly kind: 'raise'; readonly fault: ServiceFault; readonly message: string }
  | { readonly kind: 'clear'; readonly fault: ServiceFault };

export interface ServiceStep {
  readonly state: ServiceState;
  readonly effects: readonly ServiceEffect[];
}

const PROBE_EVERY_MS = 10_000;
const PROBES = 3;
const SLOW_START_MS = 60_000;
const STARTS = 3;
const STARTS_WITHIN_MS = 300_000;
const HEALTHY_MS = 60_000;
const FIRST_WAIT_MS = 1_000;
const LAST_WAIT_MS = 60_000;

export const stoppedService: ServiceState = {
  at: 'stopped',
  failedStarts: [],
  failedProbes: 0,
  healthySinceMs: undefined,
  tries: 0,
  raised: [],
  reason: '',
};

/** `ok`, or what is wrong, as heartbeats carry it. */
export const serviceWord = ({ at, failedProbes }: ServiceState): string =>
  at === 'up' ? (failedProbes === 0 ? 'ok' : 'sick') : at === 'stopped' ? 'paused' : 'down';

export function stepService(state: ServiceState, input: ServiceInput): ServiceStep {
  switch (input.kind) {
    case 'start':
      return state.at === 'stopped' ? starting(state) : unchanged(state);
    case 'started':
      if (state.at !== 'starting') return unchanged(state);
      return {
        state: { ...state, at: 'up', failedProbes: 0, healthySinceMs: input.atMs },
        effects: [{ kind: 'startTimer', delayMs: PROBE_EVERY_MS }],
      };
    case 'startFailed':
      return state.at === 'starting' ? startFailed(state, input.reason, input.atMs) : unchanged(state);
    case 'exited':
      return state.at === 'up' ? failed(state, input.reason) : unchanged(state);
    case 'probed':
      return state.at === 'up' ? probed(state, input.fault, input.atMs) : unchanged(state);
    case 'due':
      return due(state);
    case 'pause':
      return {
        state: { ...stoppedService },
        effects: [
          { kind: 'stopTimer' },
          { kind: 'stop' },
          ...state.raised.map((fault) => ({ kind: 'clear', fault }) as const),
        ],
      };
  }
}

const unchanged = (state: ServiceState): ServiceStep => ({ state, effects: [] });

const starting = (state: ServiceState): ServiceStep => ({
  state: { ...state, at: 'starting' },
  effects: [{ kind: 'start' }, { kind: 'startTimer', delayMs: SLOW_START_MS }],
});

function due(state: ServiceState): ServiceStep {
  if (state.at === 'up') return { state, effects: [{ kind: 'probe' }] };
  if (state.at === 'waiting') return starting(state);
  // The start goes on: a service that is only slow shall come up, and a person shall know.
  if (state.at === 'starting') return raise(state, 'serviceStartFailed', 'the start takes longer than 60 s');
  return unchanged(state);
}

function startFailed(state: ServiceState, reason: string, atMs: number): ServiceStep {
  const failedStarts = [...state.failedStarts.filter((failedMs) => atMs - failedMs < STARTS_WITHIN_MS), atMs];
  const next = waiting({ ...state, failedStarts, reason });
  if (failedStarts.length < STARTS) return next;
  const message = `${failedStarts.length} starts failed in 5 min: ${reason}`;
  return joined(next, raise(next.state, 'serviceStartFailed', message));
}

function failed(state: ServiceState, reason: string): ServiceStep {
  const next = waiting({ ...state, reason });
  const stopped = { ...next, effects: [{ kind: 'stop' } as const, ...next.effects] };
  return joined(stopped, raise(next.state, 'serviceFailure', reason));
}

function probed(state: ServiceState, fault: string | undefined, atMs: number): ServiceStep {
  const again = { kind: 'startTimer', delayMs: PROBE_EVERY_MS } as const;
  if (fault !== undefined) {
    const failedProbes = state.failedProbes + 1;
    const sick = { ...state, failedProbes, healthySinceMs: undefined, reason: fault };
    if (failedProbes >= PROBES) return failed(sick, `${PROBES} probes failed: ${fault}`);
    return { state: sick, effects: [again] };
  }
  const healthySinceMs = state.healthySinceMs ?? atMs;
  const well = { ...state, failedProbes: 0, healthySinceMs };
  if (atMs - healthySinceMs < HEALTHY_MS) return { state: well, effects: [again] };
  const over = state.raised.map((each) => ({ kind: 'clear', fault: each }) as const);
  return { state: { ...well, tries: 0, raised: [], reason: '' }, effects: [...over, again] };
}

function waiting(state: ServiceState): ServiceStep {
  const delayMs = Math.min(LAST_WAIT_MS, FIRST_WAIT_MS * 2 ** Math.min(state.tries, 10));
  return {
    state: { ...state, at: 'waiting', tries: state.tries + 1, failedProbes: 0, healthySinceMs: undefined },
    effects: [{ kind: 'startTimer', delayMs }],
  };
}

/** Once: what is raised stays so until it is cleared. */
function raise(state: ServiceState, fault: ServiceFault, message: string): ServiceStep {
  if (state.raised.includes(fault)) return { state: { ...state, reason: message }, effects: [] };
  return {
    state: { ...state, raised: [...state.raised, fault], reason: message },
    effects: [{ kind: 'raise', fault, message }],
  };
}

const joined = (first: ServiceStep, second: ServiceStep): ServiceStep => ({
  state: second.state,
  effects: [...first.effects, ...second.effects],
});
