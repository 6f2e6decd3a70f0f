/*
 * One call of a device to a receiver, from its answer to its alarm. The machine of the tones (`call.ts`) asks, collects,
 * checks and acknowledges; this one decides what the caller is, and so that no caller ends in silence.
 *
 *   waiting --answered: ask--> asking --event--> alarm --storeFailed--> asking: the device says its string again
 *     |                         |  ^ |             ^
 *     | answered, no tones:     |  +-+ nothingRead: ask by the fallback, once
 *     | the call is the event   |                  |
 *     +-------------------------+------------------+
 *       nothingRead, hungUp without an alarm: the call is the event
 *
 *   alarm of the call itself --storeFailed--> unstored --timer--> alarm; after the third time: hang up
 *
 * The alarm is ready for people and commands once its device has its acknowledge; a scheme once a unit listens.
 */

/** `unstored`: the event that the call is by itself is not on the disk. */
export type ToneExchangeName = 'waiting' | 'asking' | 'alarm' | 'unstored';

export interface ToneExchangeState {
  readonly state: ToneExchangeName;
  /** The device has left. */
  readonly isOver: boolean;
  /** The call itself is the alarm. */
  readonly isCall: boolean;
  /** Warnings of the event that the call is by itself. */
  readonly warnings: readonly string[];
  readonly hasFallenBack: boolean;
  /** The voice engine knows of the call. */
  readonly isAttached: boolean;
  /** The device listens. */
  readonly isReady: boolean;
  /** A machine of commands goes on with the call. */
  readonly hasTalk: boolean;
  readonly failures: number;
}

export type ToneExchangeInput =
  /** `isAsked`: there are protocols to ask the caller by. */
  | { readonly type: 'answered'; readonly isAsked: boolean }
  /** A string was taken. `isNext`: another alarm of a scheme waited behind the one that is done. */
  | { readonly type: 'event'; readonly isNext: boolean }
  /** `hasFallback`: there is one more protocol to ask by. */
  | {
      readonly type: 'nothingRead';
      readonly reason: 'noAnswer' | 'noValidString';
      readonly hasFallback: boolean;
    }
  /** The device has its acknowledge. `isScheme`: units wait behind it; `isLink`: its protocol goes on with commands. */
  | { readonly type: 'acknowledged'; readonly isScheme: boolean; readonly isLink: boolean }
  /** A scheme has its acknowledge and is heard. */
  | { readonly type: 'schemeHeard' }
  /** A unit of a scheme listens. */
  | { readonly type: 'selected' }
  /** The event that began the alarm is not on the disk. */
  | { readonly type: 'storeFailed' }
  | { readonly type: 'timer' }
  /** `isClearing`: a scheme is being cleared unit by unit. */
  | { readonly type: 'sessionEnded'; readonly isClearing: boolean }
  | { readonly type: 'hungUp' }
  /** All that it had said before it hung up is read. */
  | { readonly type: 'allRead' };

export type ToneExchangeEffect =
  | { readonly type: 'ask' }
  | { readonly type: 'askFallback' }
  /** Read what was heard until the device hung up; answer with `allRead`. */
  | { readonly type: 'readRest' }
  /** The alarm of a scheme that is done leaves the call; the next one has a session of its own. */
  | { readonly type: 'nextSession' }
  /** Give the string its session. */
  | { readonly type: 'tell' }
  /** Give the call itself a session. */
  | { readonly type: 'tellCall'; readonly warnings: readonly string[]; readonly isOnTheLine: boolean }
  | { readonly type: 'attach'; readonly isReady: boolean }
  | { readonly type: 'openTalk' }
  /** People may be joined. */
  | { readonly type: 'opened' }
  /** Commands that waited for the device to listen. */
  | { readonly type: 'sayWaiting' }
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'hangUp'; readonly reason: string };

export interface ToneExchangeStep {
  readonly state: ToneExchangeState;
  readonly effects: readonly ToneExchangeEffect[];
}

/**
 * Chosen: the event of a call that cannot be stored is tried so often, so far apart; then the call is ended, so that its device calls
 * again or goes to its next receiver. A person on the line hears nothing meanwhile.
 */
export const MOST_UNSTORED = 3;
export const UNSTORED_MS = 2_000;

export const initial: ToneExchangeState = Object.freeze({
  state: 'waiting',
  isOver: false,
  isCall: false,
  warnings: [],
  hasFallenBack: false,
  isAttached: false,
  isReady: false,
  hasTalk: false,
  failures: 0,
});

/** One input to completion. */
export function step(now: ToneExchangeState, input: ToneExchangeInput): ToneExchangeStep {
  switch (input.type) {
    case 'answered':
      if (now.state !== 'waiting' || now.isOver) return to(now);
      return input.isAsked ? to({ ...now, state: 'asking' }, { type: 'ask' }) : callIsAlarm(now, []);
    case 'event': {
      if (!input.isNext) return alarm(now, { type: 'tell' });
      return alarm({ ...now, isAttached: false, isReady: false }, { type: 'nextSession' }, { type: 'tell' });
    }
    case 'nothingRead': {
      const isAskedAgain = input.hasFallback && !now.hasFallenBack && !now.isOver;
      return isAskedAgain
        ? to({ ...now, hasFallenBack: true }, { type: 'askFallback' })
        : callIsAlarm(now, [input.reason]);
    }
    case 'acknowledged':
      return acknowledged(now, input);
    case 'schemeHeard':
      return now.hasTalk ? to(now) : to({ ...now, hasTalk: true }, { type: 'openTalk' });
    case 'selected':
      return to({ ...now, isReady: true }, { type: 'opened' }, { type: 'sayWaiting' });
    case 'storeFailed':
      return storeFailed(now);
    case 'timer':
      return now.state === 'unstored' ? callIsAlarm(now, now.warnings) : to(now);
    case 'sessionEnded': {
      const isDone = now.state === 'alarm' && !now.isOver && !input.isClearing;
      return isDone ? to(now, { type: 'hangUp', reason: 'the alarm session is over' }) : to(now);
    }
    case 'hungUp':
      return now.isOver ? to(now) : to({ ...now, isOver: true }, { type: 'readRest' });
    case 'allRead':
      return now.isOver ? callIsAlarm(now, ['hungUp']) : to(now);
  }
}

/** There is an alarm: the side that speaks with its device hears of it once, as long as the device is on the line. */
function alarm(now: ToneExchangeState, ...effects: readonly ToneExchangeEffect[]): ToneExchangeStep {
  const attaches = !now.isAttached && !now.isOver;
  const state = { ...now, state: 'alarm', isAttached: now.isAttached || attaches } as const;
  return to(state, ...effects, ...(attaches ? [{ type: 'attach', isReady: now.isReady } as const] : []));
}

/** The call itself is the alarm: a person wants help even if the device said nothing of it. */
function callIsAlarm(now: ToneExchangeState, warnings: readonly string[]): ToneExchangeStep {
  if (now.state === 'alarm') return to(now);
  const call = { ...now, isCall: true, isReady: true, warnings };
  return alarm(call, { type: 'tellCall', warnings, isOnTheLine: !now.isOver });
}

function acknowledged(
  now: ToneExchangeState,
  { isScheme, isLink }: Extract<ToneExchangeInput, { type: 'acknowledged' }>,
): ToneExchangeStep {
  if (now.hasTalk) return to(now);
  // A scheme that did not ask for its acknowledge again: its units are listened for before anybody speaks.
  const hasTalk = isScheme || isLink;
  const effects: ToneExchangeEffect[] = [{ type: hasTalk ? 'openTalk' : 'opened' }];
  if (!isScheme) effects.push({ type: 'sayWaiting' });
  return to({ ...now, isReady: !isScheme, hasTalk }, ...effects);
}

/** No string of its device will repeat the event that a call is by itself; a string is said again, and is new then. */
function storeFailed(now: ToneExchangeState): ToneExchangeStep {
  const lost = { ...now, isAttached: false };
  if (!now.isCall) return to({ ...lost, state: now.state === 'waiting' ? 'waiting' : 'asking' });
  if (now.isOver) return to({ ...lost, state: 'unstored' });
  const failures = now.failures + 1;
  const next: ToneExchangeEffect =
    failures < MOST_UNSTORED
      ? { type: 'startTimer', ms: UNSTORED_MS }
      : { type: 'hangUp', reason: 'the alarm could not be stored' };
  return to({ ...lost, state: 'unstored', failures }, next);
}

const to = (state: ToneExchangeState, ...effects: readonly ToneExchangeEffect[]): ToneExchangeStep => ({
  state,
  effects,
});
