import type { SendFailed } from '../protocol.ts';
import { lengthMs, type StmfTimes, type Tone } from './tone.ts';

/*
 * A string of tones on its way to a centre, in the role of the device. The protocol says how a request and an acknowledge
 * sound.
 *
 *   idle --start--> waiting --request--> sent --acknowledge--> over (acknowledged)
 *                    | ^ enquiry tone      | ^ request, or no acknowledge: the same string again
 *                    |                     | `-+
 *                    `--requestWaitMs------`--tries used up--> over (failed)
 */

export interface StringSendSetting {
  /** Played while the centre asks nothing; absent = silence. */
  readonly enquiry?: { readonly hz: number; readonly ms: number; readonly everyMs: number };
  readonly requestWaitMs: number;
  /** From the end of the request to the string (`sendAlarmStringDelay`). */
  readonly delayMs: number;
  readonly onMs: number;
  readonly offMs: number;
  /** Times of a string in sequential tones; absent = the protocol has none. */
  readonly stmf?: StmfTimes;
  /** From the end of the string: time an acknowledge has, and when the string is said again (`resendAlarmInterval`). */
  readonly ackWaitMs: number;
  readonly resendMs: number;
  readonly tries: number;
}

export type StringTimer = 'enquiry' | 'answer';

/** DTMF, or row and column tones in turn. */
export type StringForm = 'dtmf' | 'stmf';

export interface StringSending {
  readonly phase: 'idle' | 'waiting' | 'sent' | 'over';
  readonly line: string;
  readonly setting: StringSendSetting;
  /** How it is said, one try after the other, from the beginning again. */
  readonly forms: readonly StringForm[];
  readonly tried: number;
}

export type StringSendInput =
  /** The call is answered. */
  | { readonly type: 'start' }
  | { readonly type: 'request' }
  | { readonly type: 'acknowledge' }
  | { readonly type: 'timer'; readonly timer: StringTimer };

type StringSendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: StringTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: StringTimer }
  | { readonly type: 'acknowledged' }
  | SendFailed;

interface Step {
  readonly state: StringSending;
  readonly effects: readonly StringSendEffect[];
}

export const stringSending = (line: string, setting: StringSendSetting): StringSending => ({
  phase: 'idle',
  line,
  setting,
  forms: ['dtmf'],
  tried: 0,
});

const formOf = ({ forms }: StringSending, place: number): StringForm => forms[place % forms.length] ?? 'dtmf';

/** How it was said last; before the first try as in DTMF. */
export const formSaid = (state: StringSending): StringForm =>
  state.tried === 0 ? 'dtmf' : formOf(state, state.tried - 1);

function stepStringSending(state: StringSending, input: StringSendInput): Step {
  const { phase, setting, tried } = state;
  switch (input.type) {
    case 'start':
      if (phase !== 'idle') return to(state);
      return to(
        { ...state, phase: 'waiting' },
        { type: 'startTimer', timer: 'answer', ms: setting.requestWaitMs },
        ...enquire(setting),
      );
    case 'request':
      if (phase !== 'waiting' && phase !== 'sent') return to(state);
      return tried < setting.tries ? say(state, setting.delayMs) : unanswered(state);
    case 'acknowledge':
      if (phase !== 'sent') return to(state);
      return to(
        { ...state, phase: 'over' },
        { type: 'stopTimer', timer: 'answer' },
        { type: 'acknowledged' },
      );
    case 'timer':
      if (input.timer === 'enquiry') return phase === 'waiting' ? to(state, ...enquire(setting)) : to(state);
      if (phase === 'waiting') return failed(state, 'the centre did not ask for the alarm');
      if (phase !== 'sent') return to(state);
      return tried < setting.tries ? say(state, 0) : unanswered(state);
  }
}

/** A call that carries events, each known by its session; all of them are behind the one string. */
export interface CallStringStep {
  readonly string: StringSending;
  readonly outcome: 'open' | 'acknowledged' | 'failed';
  /** With those of a failure: each event has failed, and the call is to be hung up. */
  readonly effects: readonly (
    | Exclude<StringSendEffect, SendFailed | { readonly type: 'acknowledged' }>
    | ({ readonly id: string } & SendFailed)
    | { readonly type: 'hangUp'; readonly reason: string }
  )[];
}

/** One input to completion; the result of the string is reported for each event of `queue`. */
export function stepCallString(
  before: StringSending,
  input: StringSendInput,
  queue: readonly { readonly id: string }[],
): CallStringStep {
  const { state: string, effects: all } = stepStringSending(before, input);
  const last = all.at(-1);
  const effects = all.filter(
    (one): one is Exclude<typeof one, SendFailed | { type: 'acknowledged' }> =>
      one.type !== 'failed' && one.type !== 'acknowledged',
  );
  if (last?.type === 'acknowledged') return { string, outcome: 'acknowledged', effects };
  if (last?.type !== 'failed') return { string, outcome: 'open', effects };
  const failures = queue.map(({ id }) => ({ ...last, id }));
  const hangUp = { type: 'hangUp', reason: last.reason } as const;
  return { string, outcome: 'failed', effects: [...effects, ...failures, hangUp] };
}

const enquire = ({ enquiry }: StringSendSetting): readonly StringSendEffect[] =>
  enquiry === undefined
    ? []
    : [
        { type: 'play', tones: [{ hz: enquiry.hz, ms: enquiry.ms }] },
        { type: 'startTimer', timer: 'enquiry', ms: enquiry.everyMs },
      ];

function say(state: StringSending, delayMs: number): Step {
  const { onMs, offMs, stmf, ackWaitMs, resendMs } = state.setting;
  const isSequential = stmf !== undefined && formOf(state, state.tried) === 'stmf';
  const string: Tone = isSequential
    ? { stmf: true, digits: state.line, times: stmf }
    : { digits: state.line, onMs, offMs };
  const tones = delayMs === 0 ? [string] : [{ silenceMs: delayMs }, string];
  return to(
    { ...state, phase: 'sent', tried: state.tried + 1 },
    { type: 'stopTimer', timer: 'enquiry' },
    { type: 'play', tones },
    { type: 'startTimer', timer: 'answer', ms: lengthMs(tones) + Math.max(ackWaitMs, resendMs) },
  );
}

const unanswered = (state: StringSending): Step =>
  failed(state, `no acknowledge of ${state.tried} tries of the string`);

const failed = (state: StringSending, reason: string): Step =>
  to(
    { ...state, phase: 'over' },
    { type: 'stopTimer', timer: 'enquiry' },
    { type: 'stopTimer', timer: 'answer' },
    { type: 'failed', warning: 'noAnswer', reason, onward: 'alternate' },
  );

const to = (state: StringSending, ...effects: readonly StringSendEffect[]): Step => ({ state, effects });
