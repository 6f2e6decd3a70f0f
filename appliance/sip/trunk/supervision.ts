/**
 * Supervision of one host of a trunk by OPTIONS (RFC 3261 11).
 *
 * ```
 *             answered                    answered
 *   unknown ───────────▶ up ◀──────────────────────────── down
 *      │                  │ failed: probe again soon        ▲
 *      └──────────────────┴── failed `failures` times ──────┘
 * ```
 * Every answer counts as life, also a refusal: only 408, 503 and 504 say that the host cannot serve. Time comes in as
 * the two timers that the machine starts.
 */
export type HostStanding = 'unknown' | 'up' | 'down';

export interface SupervisionState {
  readonly standing: HostStanding;
  /** Failed probes in a row. */
  readonly failures: number;
  readonly probing: boolean;
}

export interface SupervisionRules {
  /** ms between two probes. */
  readonly intervalMs: number;
  /** ms until the next probe after a failed one, while the host is not down yet. */
  readonly retryMs: number;
  /** ms that a probe may take. */
  readonly patienceMs: number;
  /** Failed probes in a row after which a host is down. */
  readonly failures: number;
}

export const DEFAULT_SUPERVISION: Omit<SupervisionRules, 'intervalMs'> = {
  retryMs: 5_000,
  // Chosen: timer F (32 s) is too long to call a host down by; a host that answers later than this is no use in a call.
  patienceMs: 8_000,
  failures: 3,
};

export type SupervisionInput =
  /** The timer `probe` fired, or a call just failed here and we want to know. */
  | { readonly kind: 'probeDue' }
  | { readonly kind: 'answered' }
  /** The timer `patience` fired, the host cannot be reached, or it said that it cannot serve. */
  | { readonly kind: 'failed' };

export type SupervisionEffect =
  | { readonly kind: 'sendOptions' }
  | { readonly kind: 'start'; readonly timer: 'probe' | 'patience'; readonly afterMs: number }
  | { readonly kind: 'stop'; readonly timer: 'patience' }
  | { readonly kind: 'down' }
  /** Only after `down`: a host that was never missed is not announced. */
  | { readonly kind: 'up' };

export interface SupervisionStep {
  readonly state: SupervisionState;
  readonly effects: readonly SupervisionEffect[];
}

export const initialSupervision: SupervisionState = { standing: 'unknown', failures: 0, probing: false };

export function superviseHost(
  state: SupervisionState,
  input: SupervisionInput,
  rules: SupervisionRules,
): SupervisionStep {
  switch (input.kind) {
    case 'probeDue':
      // The answer to the probe under way says the same.
      return state.probing ? still(state) : probe(state, rules);
    case 'answered':
      // An answer behind its patience: the next probe will be answered, too.
      return state.probing ? alive(state, rules) : still(state);
    case 'failed':
      return state.probing ? missed(state, rules) : still(state);
  }
}

const still = (state: SupervisionState): SupervisionStep => ({ state, effects: [] });

const probe = (state: SupervisionState, { patienceMs }: SupervisionRules): SupervisionStep => ({
  state: { ...state, probing: true },
  effects: [{ kind: 'start', timer: 'patience', afterMs: patienceMs }, { kind: 'sendOptions' }],
});

function alive({ standing }: SupervisionState, { intervalMs }: SupervisionRules): SupervisionStep {
  return {
    state: { standing: 'up', failures: 0, probing: false },
    effects: [
      { kind: 'stop', timer: 'patience' },
      { kind: 'start', timer: 'probe', afterMs: intervalMs },
      ...(standing === 'down' ? ([{ kind: 'up' }] as const) : []),
    ],
  };
}

function missed(state: SupervisionState, rules: SupervisionRules): SupervisionStep {
  const failures = state.failures + 1;
  const down = state.standing === 'down' || failures >= rules.failures;
  const falls = down && state.standing !== 'down';
  const afterMs = down ? rules.intervalMs : Math.min(rules.retryMs, rules.intervalMs);
  return {
    state: { standing: down ? 'down' : state.standing, failures, probing: false },
    effects: [
      { kind: 'stop', timer: 'patience' },
      { kind: 'start', timer: 'probe', afterMs },
      ...(falls ? ([{ kind: 'down' }] as const) : []),
    ],
  };
}
