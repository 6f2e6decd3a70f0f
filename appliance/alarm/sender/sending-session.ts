import type { SendOnward, SendWarning } from '../protocol/index.ts';

/*
 * One event on its way to its receiver, over the mapper's two ways, in any protocol. The sender of the protocol makes the
 * attempts on the wire; this machine decides which way is tried next, and which one report the application gets.
 *
 *   idle --start--> attempting --acknowledged--> over: alarmSent
 *                    |  ^  ^ `--queued--> queued --acknowledged--> over: alarmSent
 *                    |  |  |  alarmQueued    | failed: the call ended before the unit was selected
 *                    |  |  +-----------------+
 *                    |  `- the other way, at once; pauseMs once both ways had their turn
 *                    | failed
 *                    `--> pausing --pause, called--> attempting
 *   any but over --recovered--> attempting, the same way
 *   attempting, queued, pausing: --no attempts left, deadline, cancelled, cannot be expressed--> over: alarmSendFailure
 *
 * The native reference (ref, sequence, string) is made before `start` and is the same in every attempt.
 */

/** The two ways of a target. */
export type SendRoute = 'primary' | 'backup';

export interface SendingSetting {
  readonly hasBackup: boolean;
  /** How often each way is tried; a way has tries of its own within one attempt. */
  readonly rounds: number;
  /** Between two rounds, ms. */
  readonly pauseMs: number;
  /** Longest session, ms (`maxSessionDuration`). */
  readonly deadlineMs: number;
  /** Called when the event cannot be expressed in the protocol of the target. */
  readonly unknownAlarmEventVoiceDestination?: string;
}

/** `Chosen:` two rounds, ten seconds apart: a receiver that restarts is given a second chance. */
export const SENDING_SETTING: SendingSetting = Object.freeze({
  hasBackup: false,
  rounds: 2,
  pauseMs: 10_000,
  deadlineMs: 3_600_000,
});

export type SendingTimer = 'pause' | 'deadline';

export type SendingInput =
  | { readonly type: 'start' }
  /** The receiver has taken it; of a group: has selected the unit. */
  | { readonly type: 'acknowledged'; readonly alarmString: string }
  /** In a group: the event is taken, and the unit waits to be selected. */
  | { readonly type: 'queued'; readonly alarmString: string }
  | {
      readonly type: 'failed';
      readonly warning: SendWarning;
      readonly reason: string;
      /** Absent = alternate. */
      readonly onward?: SendOnward;
    }
  | { readonly type: 'timer'; readonly timer: SendingTimer }
  /** The receiver calls for what waits for it: an attempt that is not counted. */
  | { readonly type: 'called' }
  /** The event is not to be sent any more. */
  | { readonly type: 'cancel'; readonly reason: string }
  /**
   * First input after a restart: what was under way is not known any more, and is sent again the same way. `leftMs`: until
   * the deadline.
   */
  | { readonly type: 'recovered'; readonly leftMs: number };

export type SendingEffect =
  /** Send it this way, from the beginning, with the same native reference. */
  | { readonly type: 'attempt'; readonly way: SendRoute; readonly attempt: number }
  /** End the attempt that runs; nothing of it is to be reported. */
  | { readonly type: 'abandon' }
  | { readonly type: 'startTimer'; readonly timer: SendingTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: SendingTimer }
  | { readonly type: 'alarmQueued'; readonly way: SendRoute; readonly alarmString: string }
  | { readonly type: 'alarmSent'; readonly way: SendRoute; readonly alarmString: string }
  | { readonly type: 'alarmSendFailure'; readonly warning: SendWarning; readonly reason: string }
  /** The event cannot be sent in writing: a person is called. */
  | { readonly type: 'callInstead'; readonly destination: string }
  | { readonly type: 'trace'; readonly text: string };

interface Trouble {
  readonly warning: SendWarning;
  readonly reason: string;
}

export interface SendingSession {
  readonly phase: 'idle' | 'attempting' | 'queued' | 'pausing' | 'over';
  readonly setting: SendingSetting;
  readonly way: SendRoute;
  /** Attempts begun, from 0. */
  readonly attempts: number;
  readonly mostAttempts: number;
  /** alarmQueued is reported once, however often it is sent again. */
  readonly queuedReported: boolean;
  /** The last failure: what alarmSendFailure says when time runs out. */
  readonly trouble?: Trouble;
}

export interface SendingStep {
  readonly state: SendingSession;
  readonly effects: readonly SendingEffect[];
}

export const sendingSession = (setting: Partial<SendingSetting> = {}): SendingSession => {
  const whole = { ...SENDING_SETTING, ...setting };
  return {
    phase: 'idle',
    setting: whole,
    way: 'primary',
    attempts: 0,
    mostAttempts: whole.rounds * (whole.hasBackup ? 2 : 1),
    queuedReported: false,
  };
};

/** One input to completion. An input that does not belong to the phase is traced and changes nothing. */
export function stepSendingSession(state: SendingSession, input: SendingInput): SendingStep {
  const { phase, setting } = state;
  const isRunning = phase === 'attempting' || phase === 'queued';
  if (phase === 'over') return ignored(state, input);
  switch (input.type) {
    case 'start':
      if (phase !== 'idle') return ignored(state, input);
      return after(
        [{ type: 'startTimer', timer: 'deadline', ms: setting.deadlineMs }],
        attempt(state, 'primary'),
      );
    case 'acknowledged':
      if (!isRunning) return ignored(state, input);
      return over(state, { type: 'alarmSent', way: state.way, alarmString: input.alarmString });
    case 'queued':
      return phase === 'attempting' ? queued(state, input.alarmString) : ignored(state, input);
    case 'failed':
      // An event that cannot be expressed fails before the first attempt, too.
      return isRunning || (phase === 'idle' && input.onward === 'never')
        ? failed(state, input)
        : ignored(state, input);
    case 'timer':
      if (input.timer === 'pause')
        return phase === 'pausing' ? attempt(state, state.way) : ignored(state, input);
      return phase === 'idle' ? ignored(state, input) : expired(state);
    case 'called':
      return phase === 'pausing' || phase === 'attempting' ? called(state) : ignored(state, input);
    case 'recovered':
      return recovered(state, input.leftMs);
    case 'cancel':
      return over(state, ...abandoned(state), {
        type: 'alarmSendFailure',
        warning: 'timeout',
        reason: input.reason,
      });
  }
}

function attempt(state: SendingSession, route: SendRoute): SendingStep {
  const attempts = state.attempts + 1;
  return to(
    { ...state, phase: 'attempting', way: route, attempts },
    { type: 'attempt', way: route, attempt: attempts },
  );
}

function called(state: SendingSession): SendingStep {
  const before = { ...state, attempts: Math.max(0, state.attempts - 1) };
  return after([...abandoned(state), { type: 'stopTimer', timer: 'pause' }], attempt(before, state.way));
}

/** The attempt that was cut short counts as the one that is made now. */
function recovered(state: SendingSession, leftMs: number): SendingStep {
  if (leftMs <= 0) return expired(state);
  const attempts = state.phase === 'pausing' || state.phase === 'idle' ? state.attempts : state.attempts - 1;
  return after(
    [{ type: 'startTimer', timer: 'deadline', ms: leftMs }],
    attempt({ ...state, attempts }, state.way),
  );
}

function queued(state: SendingSession, alarmString: string): SendingStep {
  const waiting: SendingSession = { ...state, phase: 'queued', queuedReported: true };
  return state.queuedReported
    ? to(waiting)
    : to(waiting, { type: 'alarmQueued', way: state.way, alarmString });
}

function failed(
  before: SendingSession,
  { warning, reason, onward = 'alternate' }: Extract<SendingInput, { type: 'failed' }>,
): SendingStep {
  const state = { ...before, trouble: { warning, reason } };
  if (onward === 'never') {
    const { unknownAlarmEventVoiceDestination: destination } = state.setting;
    const call: readonly SendingEffect[] =
      warning === 'notExpressible' && destination !== undefined ? [{ type: 'callInstead', destination }] : [];
    return over(state, ...call, { type: 'alarmSendFailure', warning, reason });
  }
  const other: SendRoute = state.setting.hasBackup && state.way === 'primary' ? 'backup' : 'primary';
  const isLast = state.attempts >= state.mostAttempts;
  // A request that the receiver found faulty is tried once the other way, and not a second time.
  if (isLast || (onward === 'once' && other === state.way))
    return over(state, { type: 'alarmSendFailure', warning, reason });
  const next = onward === 'once' ? { ...state, mostAttempts: state.attempts + 1 } : state;
  if (other === 'backup' || onward === 'once') return attempt(next, other);
  return to(
    { ...next, phase: 'pausing', way: other },
    { type: 'startTimer', timer: 'pause', ms: state.setting.pauseMs },
  );
}

function expired(state: SendingSession): SendingStep {
  const { deadlineMs } = state.setting;
  const time =
    deadlineMs < 120_000 ? `${Math.round(deadlineMs / 1_000)} s` : `${Math.round(deadlineMs / 60_000)} min`;
  const last = state.trouble === undefined ? '' : `; before that: ${state.trouble.reason}`;
  return over(state, ...abandoned(state), {
    type: 'alarmSendFailure',
    warning: state.trouble?.warning ?? 'timeout',
    reason: `not acknowledged within ${time}${last}`,
  });
}

const abandoned = ({ phase }: SendingSession): readonly SendingEffect[] =>
  phase === 'attempting' || phase === 'queued' ? [{ type: 'abandon' }] : [];

/** Timers are stopped whether they run or not. */
const over = (state: SendingSession, ...effects: readonly SendingEffect[]): SendingStep =>
  to(
    { ...state, phase: 'over' },
    { type: 'stopTimer', timer: 'pause' },
    { type: 'stopTimer', timer: 'deadline' },
    ...effects,
  );

const ignored = (state: SendingSession, { type }: SendingInput): SendingStep =>
  to(state, { type: 'trace', text: `${type} ignored: ${state.phase}` });

const after = (effects: readonly SendingEffect[], step: SendingStep): SendingStep => ({
  state: step.state,
  effects: [...effects, ...step.effects],
});

const to = (state: SendingSession, ...effects: readonly SendingEffect[]): SendingStep => ({ state, effects });
