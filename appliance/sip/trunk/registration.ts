/**
 * Registration of a trunk at one of its hosts (RFC 3261 10.2), with the back-off of RFC 5626 4.5.
 *
 * ```
 *   idle ── due ──▶ registering ── 2xx ──▶ registered ── due (before it runs out) ──▶ registering
 *                     │      ▲
 *                     │ 401, 407: once with credentials ── again in the same state
 *                     │ 423: once with Min-Expires ────── again in the same state
 *                     └── anything else, nothing ──▶ failed ── due (back-off) ──▶ registering
 *   any ── stop ──▶ leaving: expires 0, once
 * ```
 */
export type RegistrationPhase = 'idle' | 'registering' | 'registered' | 'failed' | 'leaving';

export interface TrunkRegistration {
  readonly phase: RegistrationPhase;
  readonly cseq: number;
  /** Seconds asked for. */
  readonly expires: number;
  /** Attempts that failed in a row. */
  readonly failures: number;
  /** A challenge was answered in this attempt; a second one means that the password is wrong. */
  readonly challenged: boolean;
}

export const initialRegistration: TrunkRegistration = {
  phase: 'idle',
  cseq: 0,
  expires: 3_600,
  failures: 0,
  challenged: false,
};

export type RegistrationInput =
  | { readonly kind: 'due' }
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** Seconds granted, in a 2xx. */
      readonly granted?: number;
      /** Min-Expires of a 423. */
      readonly minExpires?: number;
      /** The challenge can be answered: algorithm and qop are known. */
      readonly answerable?: boolean;
    }
  /** No answer came, or the host cannot be reached. */
  | { readonly kind: 'failed' }
  | { readonly kind: 'stop' };

export type RegistrationEffect =
  | {
      readonly kind: 'sendRegister';
      readonly cseq: number;
      readonly expires: number;
      readonly withCredentials: boolean;
    }
  | { readonly kind: 'start'; readonly timer: 'register'; readonly afterMs: number }
  | { readonly kind: 'stop'; readonly timer: 'register' }
  | { readonly kind: 'registered'; readonly expires: number }
  /** Reported once per outage. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface RegistrationStep {
  readonly state: TrunkRegistration;
  readonly effects: readonly RegistrationEffect[];
}

/** Longest registration we ask for, s: a Min-Expires beyond it is a mistake of the peer. */
const MOST_EXPIRES = 86_400;
/** RFC 5626 4.5: base-time of a sole flow, and max-time. */
const BASE_MS = 30_000;
const MOST_MS = 1_800_000;

/** `random` spreads the retries: half to all of the wait. */
export function stepRegistration(
  state: TrunkRegistration,
  input: RegistrationInput,
  random: () => number,
): RegistrationStep {
  switch (input.kind) {
    case 'due':
      // The answer under way decides when to ask next; who left asks no more.
      if (state.phase === 'registering' || state.phase === 'leaving') return { state, effects: [] };
      return send({ ...state, phase: 'registering', challenged: false }, false);
    case 'answered':
      return answered(state, input, random);
    case 'failed':
      return state.phase === 'registering'
        ? failed(state, 'nobody answered', random)
        : { state, effects: [] };
    case 'stop':
      return state.phase === 'registered' || state.phase === 'registering'
        ? leave(state)
        : { state: { ...state, phase: 'leaving' }, effects: [STOP] };
  }
}

const STOP: RegistrationEffect = { kind: 'stop', timer: 'register' };

function send(state: TrunkRegistration, withCredentials: boolean): RegistrationStep {
  const next = { ...state, cseq: state.cseq + 1 };
  return {
    state: next,
    effects: [{ kind: 'sendRegister', cseq: next.cseq, expires: next.expires, withCredentials }],
  };
}

function leave(state: TrunkRegistration): RegistrationStep {
  const leaving = send({ ...state, phase: 'leaving', expires: 0, challenged: false }, false);
  return { state: leaving.state, effects: [STOP, ...leaving.effects] };
}

function answered(
  state: TrunkRegistration,
  input: RegistrationInput & { readonly kind: 'answered' },
  random: () => number,
): RegistrationStep {
  const { status } = input;
  // A late answer to a request that was given up.
  if (state.phase !== 'registering' && state.phase !== 'leaving') return { state, effects: [] };
  if ((status === 401 || status === 407) && input.answerable === true && !state.challenged)
    return send({ ...state, challenged: true }, true);
  if (state.phase === 'leaving') return { state, effects: [] };
  if (status >= 200 && status < 300) return registered(state, input.granted ?? state.expires);
  const { minExpires = 0 } = input;
  if (status === 423 && minExpires > state.expires && minExpires <= MOST_EXPIRES)
    return send({ ...state, expires: minExpires, challenged: false }, false);
  return failed(state, reasonOf(status, state.challenged, input.answerable), random);
}

function registered(state: TrunkRegistration, granted: number): RegistrationStep {
  // Half of a short time, else a minute before its end: a retry and a lost packet must still fit in.
  const seconds = Math.max(1, granted > 120 ? granted - 60 : granted / 2);
  return {
    state: { ...state, phase: 'registered', failures: 0 },
    effects: [
      { kind: 'start', timer: 'register', afterMs: seconds * 1_000 },
      { kind: 'registered', expires: granted },
    ],
  };
}

function failed(state: TrunkRegistration, reason: string, random: () => number): RegistrationStep {
  const upperMs = Math.min(MOST_MS, BASE_MS * 2 ** Math.min(state.failures, 10));
  const afterMs = upperMs * (0.5 + random() / 2);
  return {
    state: { ...state, phase: 'failed', failures: state.failures + 1 },
    effects: [
      { kind: 'start', timer: 'register', afterMs },
      ...(state.failures === 0 ? ([{ kind: 'refused', reason }] as const) : []),
    ],
  };
}

function reasonOf(status: number, challenged: boolean, answerable: boolean | undefined): string {
  if (status !== 401 && status !== 407) return `the host answered ${status}`;
  if (challenged) return 'the host refuses username and password';
  return answerable === false
    ? 'the host asks for a kind of authentication that is not spoken here'
    : `the host answered ${status}`;
}
