import {
  type Bs8521Fields,
  bs8521DeviceCommand,
  type DeviceCommand,
  isBs8521Group,
  leftWaiting,
  nextWaiting,
  selectWaiting,
  type WaitingCall,
} from '#shared/alarm-event/index.ts';
import type { SendFailed } from '../protocol.ts';
import {
  type ReceivedTone,
  type SentCheck,
  type StringSendInput,
  type StringSending,
  type StringTimer,
  stepCallString,
  stringSending,
  type Tone,
} from '../tone/index.ts';
import type { Bs8521Command } from './command.ts';
import { decodeLine, encodeLine } from './line.ts';
import type { Bs8521Profile } from './profile.ts';
import { type Bs8521Reading, readTones } from './reading.ts';

/*
 * One call to a centre, in the role of the device (BS 8521-1 6.4 to 6.7).
 *
 *   alarm --B--> open (acknowledged, speech; of a group: queued) --[A]D--> over (B, hang up)
 *    | string,     | A0RRRR#: acknowledged, speech; [A]9: how many are left; A1: the next; others: B or digits
 *    | four times  `- 130 s without null or acknowledge, or the call ends --> over
 *    `--no request, no B--> over (failed)
 *
 * A data answer that gets lost is asked for again by the centre, which repeats its command.
 *
 * A centre that calls the controller of a scheme (`isCalled`, 6.7) is asked for its identity before it asks us:
 *
 *   idle --start--> asking: B of 1000 ms, every 8 s --its string: B, its request, or four times in vain--> alarm
 *
 * Where nothing waits (`bs8521Idle`), our string names the controller and says that there is no alarm; no unit can be selected.
 */

type Bs8521SendTimer = StringTimer | 'interDigit' | 'loss' | 'identity';

export type Bs8521SendInput =
  /** The centre has answered the call. */
  | { readonly type: 'start' }
  | { readonly type: 'heard'; readonly tone: Pick<ReceivedTone, 'digit' | 'ms'> }
  | { readonly type: 'timer'; readonly timer: Bs8521SendTimer }
  /** Another event of the scheme waits. */
  | { readonly type: 'add'; readonly id: string; readonly fields: Bs8521Fields }
  | { readonly type: 'hungUp' };

export type Bs8521SendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: Bs8521SendTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: Bs8521SendTimer }
  | { readonly type: 'acknowledged'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'queued'; readonly id: string; readonly alarmString: string }
  /** Speech of this event may run. */
  | { readonly type: 'speech'; readonly id: string }
  /** The centre asks this of the device. */
  | { readonly type: 'command'; readonly command: DeviceCommand }
  /** Hang up once what is played has ended. */
  /** `isLost`: the centre has ended nothing, it was heard no more. */
  | { readonly type: 'hangUp'; readonly reason: string; readonly isLost?: true }
  | ({ readonly id: string } & SendFailed)
  | { readonly type: 'trace'; readonly text: string };

export interface Bs8521Sending {
  readonly phase: 'asking' | 'alarm' | 'open' | 'over';
  /** Times that a centre which has called was asked who it is. */
  readonly asked: number;
  readonly profile: Bs8521Profile;
  readonly check: SentCheck | undefined;
  readonly string: StringSending;
  /** Events of the call, the one that is said first. */
  readonly queue: readonly WaitingCall[];
  /** Tones of the centre that are not read yet. */
  readonly tones: readonly Pick<ReceivedTone, 'digit' | 'ms'>[];
}

export interface Bs8521SendStep {
  readonly state: Bs8521Sending;
  readonly effects: readonly Bs8521SendEffect[];
}

/** A caller is asked for its identity this way, so often (protocols 14). */
const IDENTITY = { request: { digit: 'B', ms: 1_000 }, everyMs: 8_000, tries: 4 } as const;

/** `check`: absent = 00, which a centre that verifies will refuse. `isCalled`: the centre has called the controller. */
export function bs8521Sending(
  id: string,
  fields: Bs8521Fields,
  profile: Bs8521Profile,
  check: SentCheck | undefined = profile.sentCheck,
  isCalled = false,
): Bs8521Sending {
  // A caller needs no enquiry tone.
  const { enquiry: _, ...quiet } = profile.sender;
  return {
    phase: isCalled ? 'asking' : 'alarm',
    asked: 0,
    profile,
    check,
    string: stringSending(encodeLine(fields, check), isCalled ? quiet : profile.sender),
    queue: [{ id, fields, selected: false }],
    tones: [],
  };
}

/** `Chosen:` event 057 names a state and is no alarm; 000 would take back an alarm that the centre may still be handling. */
const NO_ALARM = { unitId: '0000', event: '057', location: '00', priority: '0', status: '00' } as const;

/** A centre has called a controller for which nothing waits. `fields`: of any event of its scheme. */
export const bs8521Idle = (fields: Bs8521Fields, profile: Bs8521Profile): Bs8521Sending => ({
  ...bs8521Sending('', { ...fields, ...NO_ALARM }, profile, profile.sentCheck, true),
  queue: [],
});

/** One input to completion. */
export function stepBs8521Sending(state: Bs8521Sending, input: Bs8521SendInput): Bs8521SendStep {
  if (state.phase === 'over') return to(state, { type: 'trace', text: `${input.type} ignored: over` });
  switch (input.type) {
    case 'start':
      return state.phase === 'asking' ? askIdentity(state) : string(state, input);
    case 'heard':
      return readOrWait({ ...state, tones: [...state.tones, input.tone] });
    case 'timer':
      if (input.timer === 'loss') return lost(state);
      if (input.timer === 'interDigit') return read(state);
      if (input.timer === 'identity') return state.phase === 'asking' ? askIdentity(state) : to(state);
      return state.phase === 'alarm' ? string(state, { type: 'timer', timer: input.timer }) : to(state);
    case 'add':
      return to({
        ...state,
        queue: [...state.queue, { id: input.id, fields: input.fields, selected: false }],
      });
    case 'hungUp':
      return end(state, 'the call ended', false);
  }
}

/** Asks again, a limited number of times: a centre that does not give its identity may still ask us. */
function askIdentity(state: Bs8521Sending): Bs8521SendStep {
  // It is saying who it is: what it says is heard to its end.
  const isSaying = state.tones.length > 0;
  if (!isSaying && state.asked >= IDENTITY.tries) return identified(state);
  const again: Bs8521SendEffect = { type: 'startTimer', timer: 'identity', ms: IDENTITY.everyMs };
  return isSaying
    ? to(state, again)
    : to({ ...state, asked: state.asked + 1 }, { type: 'play', tones: [IDENTITY.request] }, again);
}

/** It asks for our string from now on. */
const identified = (state: Bs8521Sending, ...effects: readonly Bs8521SendEffect[]): Bs8521SendStep =>
  after(string({ ...state, phase: 'alarm' }, { type: 'start' }), ...effects, {
    type: 'stopTimer',
    timer: 'identity',
  });

/** Undefined: neither who it is nor a request. */
function readIdentity(
  state: Bs8521Sending,
  { kind }: Bs8521Reading,
  line: string,
): Bs8521SendStep | undefined {
  if (kind === 'dataRequest') {
    const asked = identified(state);
    return after(string(asked.state, { type: 'request' }), ...asked.effects);
  }
  const read = decodeLine(line);
  if (!read.ok) return undefined;
  const { controllerId, unitId } = read.value.fields;
  return identified(
    state,
    { type: 'trace', text: `the centre that has called is ${controllerId}${unitId}` },
    { type: 'play', tones: state.profile.ack },
  );
}

/** B and a whole command are read at once: the centre waits 600 ms. */
function readOrWait(state: Bs8521Sending): Bs8521SendStep {
  const { tones, profile } = state;
  const line = tones.map(({ digit }) => digit).join('');
  const isLongA = (tones[0]?.ms ?? 0) > profile.classify.longAMinMs;
  const isWhole =
    line === 'B' || (line.startsWith('A') && (isLongA ? tones.length === 2 : line.endsWith('#')));
  if (isWhole) return read(state);
  return to(state, { type: 'startTimer', timer: 'interDigit', ms: profile.collect.interDigitMs });
}

function read(before: Bs8521Sending): Bs8521SendStep {
  if (before.tones.length === 0) return to(before);
  const reading = readTones(before.tones, before.profile);
  const state = { ...before, tones: [] };
  const quiet: Bs8521SendEffect = { type: 'stopTimer', timer: 'interDigit' };
  if (state.phase === 'asking') {
    const line = before.tones.map(({ digit }) => digit).join('');
    const step = readIdentity(state, reading, line);
    return step === undefined ? to(state, quiet) : after(step, quiet);
  }
  const isAlarm = state.phase === 'alarm';
  switch (reading.kind) {
    case 'dataRequest':
      return isAlarm ? after(string(state, { type: 'request' }), quiet) : to(state, quiet);
    case 'acknowledge':
      return isAlarm ? after(string(state, { type: 'acknowledge' }), quiet) : to(state, quiet, watch(state));
    case 'command':
      return isAlarm ? to(state, quiet) : after(obey(state, reading.command), quiet, watch(state));
    case 'unknown':
      return to(state, quiet, { type: 'trace', text: `not understood: ${reading.line.slice(0, 40)}` });
  }
}

function string(state: Bs8521Sending, input: StringSendInput): Bs8521SendStep {
  const { string, outcome, effects } = stepCallString(state.string, input, state.queue);
  const next = { ...state, string };
  if (outcome === 'acknowledged') return after(acknowledged(next), ...effects);
  return to(outcome === 'failed' ? { ...next, phase: 'over' } : next, ...effects);
}

function acknowledged(state: Bs8521Sending): Bs8521SendStep {
  const [first, ...rest] = state.queue;
  // Nothing waits: it may ask for what it wants and clear the call.
  if (first === undefined) return to({ ...state, phase: 'open' }, watch(state));
  const said = { id: first.id, alarmString: state.string.line };
  if (isBs8521Group(first.fields)) {
    // In a group the centre now selects each waiting event.
    const others = rest.map(({ id, fields }) => queued(id, encodeLine(fields, state.check)));
    return to({ ...state, phase: 'open' }, queued(said.id, said.alarmString), ...others, watch(state));
  }
  return to(
    { ...state, phase: 'open', queue: [{ ...first, selected: true }, ...rest] },
    { type: 'acknowledged', ...said },
    { type: 'speech', id: first.id },
    watch(state),
  );
}

function obey(state: Bs8521Sending, command: Bs8521Command): Bs8521SendStep {
  const { commands } = state.profile;
  const acknowledge: Bs8521SendEffect = { type: 'play', tones: state.profile.ack };
  const answer = (digits: string): Bs8521SendEffect => ({
    type: 'play',
    tones: [{ digits: `A${digits}#`, onMs: commands.onMs, offMs: commands.offMs }],
  });
  switch (command.kind) {
    case 'null':
      return to(state, acknowledge);
    case 'clearDown':
      return after(end(state, 'the centre has cleared the call', true), acknowledge);
    case 'clear':
      return to(state, answer(`0000${String(leftWaiting(state.queue)).padStart(2, '0')}`));
    case 'nextOutstanding':
      return to(state, answer(nextWaiting(state.queue, command.unitId)));
    case 'selectUnit': {
      const { call, queue, answer: digits } = selectWaiting(state.queue, command.unitId);
      if (call === undefined) return to(state, answer(digits));
      const { id, fields, selected } = call;
      const first: readonly Bs8521SendEffect[] = selected
        ? []
        : [{ type: 'acknowledged', id, alarmString: encodeLine(fields, state.check) }];
      return to({ ...state, queue }, answer(digits), ...first, { type: 'speech', id });
    }
    case 'output': {
      const known = bs8521DeviceCommand(command);
      if (known === undefined) return to(state, answer('0000'));
      return to(state, answer(`00${command.control}`), { type: 'command', command: known });
    }
    case 'speech':
    case 'speak':
    case 'listen': {
      const known = bs8521DeviceCommand(command);
      return known === undefined ? to(state) : to(state, acknowledge, { type: 'command', command: known });
    }
    case 'setParameter':
    case 'readParameter':
    case 'programmingMode':
      return to(state, {
        type: 'trace',
        text: `${command.kind} is not answered: the device is not ours to set`,
      });
  }
}

/** Events that the centre has not selected, or asked for, have failed in this call and are sent in a new one. */
function end(state: Bs8521Sending, reason: string, hangUp: boolean): Bs8521SendStep {
  const left = state.queue.filter(({ selected }) => !selected);
  const timers = ['enquiry', 'answer', 'interDigit', 'loss', 'identity'] as const;
  return to(
    { ...state, phase: 'over' },
    ...timers.map((timer) => ({ type: 'stopTimer', timer }) as const),
    ...left.map(
      ({ id }): Bs8521SendEffect => ({
        type: 'failed',
        id,
        warning: 'noAnswer',
        reason: `${reason} before the centre had taken the alarm`,
        onward: 'alternate',
      }),
    ),
    ...(hangUp ? [{ type: 'hangUp', reason } as const] : []),
  );
}

function lost(state: Bs8521Sending): Bs8521SendStep {
  const reason = 'nothing was heard of the centre';
  const { state: over, effects } = end(state, reason, false);
  return to(over, ...effects, { type: 'hangUp', reason, isLost: true });
}

const queued = (id: string, alarmString: string): Bs8521SendEffect => ({ type: 'queued', id, alarmString });

const watch = ({ profile }: Bs8521Sending): Bs8521SendEffect => ({
  type: 'startTimer',
  timer: 'loss',
  ms: profile.keepAlive.lossMs,
});

const after = (step: Bs8521SendStep, ...before: readonly Bs8521SendEffect[]): Bs8521SendStep =>
  step.state.phase === 'over'
    ? { state: step.state, effects: [...before.filter((one) => one.type !== 'startTimer'), ...step.effects] }
    : { state: step.state, effects: [...before, ...step.effects] };

const to = (state: Bs8521Sending, ...effects: readonly Bs8521SendEffect[]): Bs8521SendStep => ({
  state,
  effects,
});
