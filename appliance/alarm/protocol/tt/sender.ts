import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { SendFailed } from '../face.ts';
import {
  type StringSendInput,
  type StringSending,
  type StringTimer,
  stepStringSending,
  stringSending,
  type Tone,
  type ToneHeard,
} from '../tone/index.ts';
import { decodeLine, isGroup } from './line.ts';
import type { TtProfile } from './profile.ts';

/*
 * One call to a centre, in the role of the unit (TT92, TTNEW).
 *
 *   alarm --acknowledge--> open (acknowledged, speech; of a scheme: queued) --# of 2 s--> over (hang up)
 *    | frame,                | UUUB: acknowledged, speech; long tones: commands
 *    | four times            `- the call ends --> over
 *    `--no request, no acknowledge--> over (failed)
 */

export type TtSendInput =
  | { readonly type: 'start' }
  | { readonly type: 'heard'; readonly tone: Pick<ToneHeard, 'digit' | 'ms'> }
  | { readonly type: 'timer'; readonly timer: StringTimer | 'interDigit' }
  | { readonly type: 'hungUp' };

export type TtSendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: StringTimer | 'interDigit'; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: StringTimer | 'interDigit' }
  | { readonly type: 'acknowledged'; readonly alarmString: string }
  | { readonly type: 'queued'; readonly alarmString: string }
  | { readonly type: 'speech' }
  | { readonly type: 'command'; readonly command: DeviceCommand }
  | { readonly type: 'hangUp'; readonly reason: string }
  | SendFailed;

export interface TtSending {
  readonly phase: 'alarm' | 'queued' | 'open' | 'over';
  readonly profile: TtProfile;
  /** How the centre asks and acknowledges. */
  readonly says: { readonly request: string; readonly acknowledge: string };
  readonly isGroup: boolean;
  readonly string: StringSending;
  readonly tones: readonly Pick<ToneHeard, 'digit' | 'ms'>[];
}

export interface TtSendStep {
  readonly state: TtSending;
  readonly effects: readonly TtSendEffect[];
}

const digitsOf = (tones: readonly Tone[]): string =>
  tones.map((tone) => ('digits' in tone && !('stmf' in tone) ? tone.digits : '')).join('');

/** `line`: D# and 22 symbols, as `ttForm` makes them. */
export function ttSending(line: string, profile: TtProfile): TtSending {
  const read = decodeLine(line);
  return {
    phase: 'alarm',
    profile,
    says: { request: digitsOf(profile.trigger.send), acknowledge: digitsOf(profile.ack) },
    isGroup: read.ok && isGroup(read.value.fields),
    string: stringSending(line, profile.sender),
    tones: [],
  };
}

/** One input to completion. */
export function stepTtSending(state: TtSending, input: TtSendInput): TtSendStep {
  if (state.phase === 'over') return to(state);
  switch (input.type) {
    case 'start':
      return string(state, input);
    case 'heard':
      return heard({ ...state, tones: [...state.tones, input.tone] });
    case 'timer':
      if (input.timer === 'interDigit') return read(state);
      return state.phase === 'alarm' ? string(state, { type: 'timer', timer: input.timer }) : to(state);
    case 'hungUp':
      return end(state, 'the call ended');
  }
}

/** A long tone, a request and an acknowledge are read at once; a string of digits at its pause. */
function heard(state: TtSending): TtSendStep {
  const line = lineOf(state);
  const isLong = (state.tones[0]?.ms ?? 0) >= LONG_MS;
  if (isLong || (state.phase === 'alarm' && (line === state.says.request || line === state.says.acknowledge)))
    return read(state);
  return to(state, { type: 'startTimer', timer: 'interDigit', ms: state.profile.collect.interDigitMs });
}

/** `Chosen:` between the 80 ms of a digit and the 500 ms of a command; and between those and the 2 s of clear-down. */
const LONG_MS = 300;
const CLEAR_DOWN_MS = 1000;

const LONG: Readonly<Record<string, DeviceCommand>> = {
  C: 'speak',
  '*': 'listen',
  '1': 'volumeUp',
  '2': 'volumeDown',
  '3': 'releaseDoorLock1',
};
const SWITCHES: Readonly<Record<string, DeviceCommand>> = {
  '701': 'switchToDuplex',
  '702': 'switchToSimplex',
};

function read(before: TtSending): TtSendStep {
  const [first] = before.tones;
  if (first === undefined) return to(before);
  const line = lineOf(before);
  const state = { ...before, tones: [] };
  const quiet: TtSendEffect = { type: 'stopTimer', timer: 'interDigit' };
  if (state.phase === 'alarm') {
    // TTNEW asks and acknowledges alike: what comes before the frame is a request.
    const isRequest =
      line === state.says.request && (state.string.phase === 'waiting' || line !== state.says.acknowledge);
    if (isRequest) return after(string(state, { type: 'request' }), quiet);
    return line === state.says.acknowledge
      ? after(string(state, { type: 'acknowledge' }), quiet)
      : to(state, quiet);
  }
  if (first.ms >= LONG_MS) {
    if (first.digit === '#' && first.ms >= CLEAR_DOWN_MS)
      return after(end(state, 'the centre has cleared the call', true), quiet);
    const command = LONG[first.digit];
    return command === undefined ? to(state, quiet) : to(state, quiet, { type: 'command', command });
  }
  const play = (digits: string): TtSendEffect => ({
    type: 'play',
    tones: [{ digits, onMs: state.profile.commands.shortMs, offMs: state.profile.commands.shortMs }],
  });
  const unit = state.isGroup ? /^([1-9D]{3})B$/.exec(line)?.[1] : undefined;
  if (unit !== undefined) {
    const first: readonly TtSendEffect[] =
      state.phase === 'queued' ? [{ type: 'acknowledged', alarmString: state.string.line }] : [];
    return to({ ...state, phase: 'open' }, quiet, play(`1DDD${unit}A`), ...first, { type: 'speech' });
  }
  const switched = Object.hasOwn(SWITCHES, line) ? SWITCHES[line] : undefined;
  return switched === undefined
    ? to(state, quiet)
    : to(state, quiet, play(line), { type: 'command', command: switched });
}

function string(state: TtSending, input: StringSendInput): TtSendStep {
  const step = stepStringSending(state.string, input);
  const next = { ...state, string: step.state };
  const effects = step.effects.flatMap((effect): readonly TtSendEffect[] => {
    if (effect.type === 'failed') return [effect, { type: 'hangUp', reason: effect.reason }];
    if (effect.type !== 'acknowledged') return [effect];
    const alarmString = state.string.line;
    return state.isGroup
      ? [{ type: 'queued', alarmString }]
      : [{ type: 'acknowledged', alarmString }, { type: 'speech' }];
  });
  const phase = effects.some(({ type }) => type === 'failed')
    ? 'over'
    : effects.some(({ type }) => type === 'queued')
      ? 'queued'
      : effects.some(({ type }) => type === 'acknowledged')
        ? 'open'
        : state.phase;
  return to({ ...next, phase }, ...effects);
}

function end(state: TtSending, reason: string, hangUp = false): TtSendStep {
  const timers = ['enquiry', 'answer', 'interDigit'] as const;
  const failed: readonly TtSendEffect[] =
    state.phase === 'open'
      ? []
      : [
          {
            type: 'failed',
            warning: 'noAnswer',
            reason: `${reason} before the centre had taken the alarm`,
            onward: 'alternate',
          },
        ];
  return to(
    { ...state, phase: 'over' },
    ...timers.map((timer) => ({ type: 'stopTimer', timer }) as const),
    ...failed,
    ...(hangUp ? [{ type: 'hangUp', reason } as const] : []),
  );
}

const lineOf = ({ tones }: TtSending): string => tones.map(({ digit }) => digit).join('');

const after = (step: TtSendStep, before: TtSendEffect): TtSendStep => ({
  state: step.state,
  effects: [before, ...step.effects],
});

const to = (state: TtSending, ...effects: readonly TtSendEffect[]): TtSendStep => ({ state, effects });
