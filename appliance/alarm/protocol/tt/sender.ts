import type { DeviceCommand } from '#shared/alarm-event/index.ts';
import type { SendFailed } from '../protocol.ts';
import {
  lengthMs,
  type ReceivedTone,
  type StringForm,
  type StringSendInput,
  type StringSending,
  type StringTimer,
  stepCallString,
  stringSending,
  type Tone,
} from '../tone/index.ts';
import { commandsIn, switchIn } from './command.ts';
import { encodeGroupAlarm, type GroupAlarm, selectedUnit } from './group.ts';
import { decodeLine, isGroup } from './line.ts';
import type { TtProfile } from './profile.ts';
import type { TtForm } from './send-form.ts';
import { digitsIn, formsFor, type SequentialRequest, sequentialRequest } from './sequential.ts';
import { asTaken, GROUP_PAUSE_MS, groupsOf, short } from './unit-tones.ts';

/*
 * One call to a centre, in the role of the unit (TT92, TTNEW), or of the controller of a scheme.
 *
 *   alarm --acknowledge--> open (acknowledged, speech) --# of 2 s--> over (hang up)
 *    | frame,                | long tones: commands
 *    | four times            |
 *    |                       | of a scheme (queued): the waiting units, a group of 8 each
 *    |                       | UUUB: acknowledged, speech; * 0: DDDDDDDB, the next one is the centre's to select
 *    |                       `- the call ends, or 130 s in which none is selected --> over, units that were not selected have failed
 *    `--no request, no acknowledge--> over (failed)
 *
 * A centre that calls the controller (`isCalled`) asks otherwise, and gets the waiting units without a frame:
 *
 *   alarm --DA--> DB, placed --DDDA, a select, or 3 s--> open (queued): the waiting units
 *
 * Where nothing waits (`ttIdle`) none is named; clear and clear-down are answered as ever, and after a minute we hang up.
 *
 * A unit that waits from later on is named as soon as nothing is being said, and before the answer to a clear.
 *
 * A centre of TT92 may ask in sequential tones, too, or in them alone (`dataRequestType` combined; README):
 *
 *   0 in them --0# in DTMF--> frame: by turns in DTMF and in them, as `sequential` says
 *             `--nothing more, so long as its 0# would have taken--> frame in them
 */

export type TtSendTimer = StringTimer | 'interDigit' | 'announce' | 'placed' | 'sequence';

export type TtSendInput =
  | { readonly type: 'start' }
  | { readonly type: 'heard'; readonly tone: Pick<ReceivedTone, 'digit' | 'ms' | 'stmf'> }
  | { readonly type: 'timer'; readonly timer: TtSendTimer }
  /** Another unit of the scheme waits. */
  | { readonly type: 'add'; readonly id: string; readonly unit: GroupAlarm }
  | { readonly type: 'hungUp' };

export type TtSendEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  | { readonly type: 'startTimer'; readonly timer: TtSendTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: TtSendTimer }
  | { readonly type: 'acknowledged'; readonly id: string; readonly alarmString: string }
  | { readonly type: 'queued'; readonly id: string; readonly alarmString: string }
  /** Speech of this event may run. */
  | { readonly type: 'speech'; readonly id: string }
  | { readonly type: 'command'; readonly command: DeviceCommand }
  | { readonly type: 'hangUp'; readonly reason: string }
  | ({ readonly id: string } & SendFailed)
  | { readonly type: 'trace'; readonly text: string };

/** An event of the call; `unit`: of a scheme, which the centre selects. */
interface Waiting {
  readonly id: string;
  readonly unit: GroupAlarm | undefined;
  readonly selected: boolean;
}

export interface TtSending {
  readonly phase: 'alarm' | 'open' | 'over';
  readonly profile: TtProfile;
  /** How the centre asks and acknowledges. */
  readonly says: { readonly request: string; readonly acknowledge: string };
  /** How it asks in sequential tones; absent: they are not listened for. */
  readonly asks?: SequentialRequest;
  /** Digits that were heard in them, without a pause. */
  readonly sequence: string;
  readonly isGroup: boolean;
  /** The call is the centre's. */
  readonly isCalled: boolean;
  /** It has asked as one that calls a controller. */
  readonly isPlaced: boolean;
  readonly string: StringSending;
  readonly queue: readonly Waiting[];
  /** Units that the centre has not been named yet. */
  readonly unnamed: readonly GroupAlarm[];
  readonly tones: readonly Pick<ReceivedTone, 'digit' | 'ms'>[];
  /** Length of what was said last: nothing else is said into it. */
  readonly lastMs: number;
}

export interface TtSendStep {
  readonly state: TtSending;
  readonly effects: readonly TtSendEffect[];
}

/** `isCalled`: the centre has called the controller of a scheme. */
export function ttSending(
  id: string,
  { line, unit }: TtForm,
  profile: TtProfile,
  isCalled = false,
): TtSending {
  const read = decodeLine(line);
  const asks = isCalled ? undefined : sequentialRequest(profile);
  return {
    phase: 'alarm',
    profile,
    says: { request: digitsIn(profile.trigger.send), acknowledge: digitsIn(profile.ack) },
    isGroup: read.ok && isGroup(read.value.fields),
    isCalled,
    isPlaced: false,
    ...(asks !== undefined && { asks }),
    sequence: '',
    string: stringSending(line, { ...profile.sender, ...(profile.stmf && { stmf: profile.stmf }) }),
    queue: [{ id, unit, selected: false }],
    unnamed: unit === undefined ? [] : [unit],
    tones: [],
    lastMs: 0,
  };
}

/** A centre has called a controller for which nothing waits. `form`: of any event of its scheme. */
export const ttIdle = (form: TtForm, profile: TtProfile): TtSending => ({
  ...ttSending('', form, profile, true),
  queue: [],
  unnamed: [],
});

/** The string that identifies an event of the call: the frame, and in a scheme the group that names its unit. */
export const ttAlarmString = ({ line, unit }: TtForm): string =>
  unit === undefined ? line : `${line} ${encodeGroupAlarm(unit)}`;

/** One input to completion. */
export function stepTtSending(state: TtSending, input: TtSendInput): TtSendStep {
  if (state.phase === 'over') return to(state);
  switch (input.type) {
    case 'start':
      return string(state, input);
    case 'heard':
      return input.tone.stmf === undefined
        ? readOrWait({ ...state, tones: [...state.tones, input.tone] })
        : collectSequence(state, input.tone.digit);
    case 'timer':
      if (input.timer === 'interDigit') return read(state);
      if (input.timer === 'sequence') return readSequence(state);
      if (input.timer === 'announce') return announce(state);
      if (input.timer === 'placed') return state.phase === 'alarm' ? acknowledged(state) : unasked(state);
      return state.phase === 'alarm' ? string(state, { type: 'timer', timer: input.timer }) : to(state);
    case 'add': {
      const { id, unit } = input;
      const queue = [...state.queue, { id, unit, selected: false }];
      return announceSoon({ ...state, queue, unnamed: [...state.unnamed, unit] }, state.lastMs);
    }
    case 'hungUp':
      return end(state, 'the call ended');
  }
}

/** `Chosen:` between the 80 ms of a digit and the 500 ms of a command; and between those and the 2 s of clear-down. */
const LONG_MS = 300;
const CLEAR_DOWN_MS = 1000;
/** `Chosen:` after the * of a clear (500 ms), its 0 of 1 s has been heard by then. */
const CLEAR_WAIT_MS = 1500;

/** Calls placed by the centre (protocols 6). `Chosen:` a centre that says nothing more gets the units 3 s later. */
const PLACED = { request: 'DA', acknowledge: 'DB', all: 'DDDA', waitMs: 3_000 } as const;

/** `Chosen:` by then the centre wants nothing more of a controller for which nothing waits. */
const IDLE_MS = 60_000;

/** Protocols 14: a centre that selects no unit for so long has left. While it speaks with a unit it may say nothing. */
const UNSELECTED_MS = 130_000;
const watch: TtSendEffect = { type: 'startTimer', timer: 'placed', ms: UNSELECTED_MS };

const unasked = (state: TtSending): TtSendStep =>
  end(state, isIdle(state) ? 'nothing waits any more' : 'nothing was heard of the centre', true);

const isIdle = ({ queue }: TtSending): boolean => queue.length === 0;

/** A long tone, a request and an acknowledge are read at once; a string of digits at its pause. */
function readOrWait(state: TtSending): TtSendStep {
  const { tones, phase, says, isGroup: scheme, profile } = state;
  const line = lineOf(state);
  const isLong = (tones[0]?.ms ?? 0) >= LONG_MS;
  // In a scheme it may be the first half of a clear.
  if (isLong && scheme && phase === 'open' && line === '*')
    return to(state, { type: 'startTimer', timer: 'interDigit', ms: CLEAR_WAIT_MS });
  const isAsked = state.isCalled && (line === PLACED.request || line === PLACED.all);
  if (isLong || (phase === 'alarm' && (isAsked || line === says.request || line === says.acknowledge)))
    return read(state);
  return to(state, { type: 'startTimer', timer: 'interDigit', ms: profile.collect.interDigitMs });
}

/** Before the frame is acknowledged; afterwards such tones are in many voices. */
function collectSequence(state: TtSending, digit: string): TtSendStep {
  const { asks, phase, sequence } = state;
  if (asks === undefined || phase !== 'alarm') return to(state);
  // More than it asks with is our own frame coming back.
  return to(
    { ...state, sequence: `${sequence}${digit}`.slice(0, asks.digits.length + 1) },
    { type: 'startTimer', timer: 'sequence', ms: asks.restMs },
  );
}

/** Nothing has followed in DTMF. */
function readSequence(state: TtSending): TtSendStep {
  const isRequest = state.asks?.digits === state.sequence && state.phase === 'alarm';
  return isRequest ? requested(state, ['stmf']) : to({ ...state, sequence: '' });
}

/** `askedForms`: what it has asked in. */
function requested(state: TtSending, askedForms: readonly StringForm[]): TtSendStep {
  const forms = formsFor(state.asks, askedForms);
  const asked = { ...state, sequence: '', string: { ...state.string, forms } };
  const quiet: readonly TtSendEffect[] =
    state.sequence === '' ? [] : [{ type: 'stopTimer', timer: 'sequence' }];
  return after(string(asked, { type: 'request' }), ...quiet);
}

function read(before: TtSending): TtSendStep {
  const [first] = before.tones;
  const last = before.tones.at(-1);
  if (first === undefined || last === undefined) return to(before);
  const line = lineOf(before);
  const state = { ...before, tones: [] };
  const quiet: TtSendEffect = { type: 'stopTimer', timer: 'interDigit' };
  if (state.phase === 'alarm' && state.isCalled) {
    const placed = readPlaced(state, line);
    if (placed !== undefined) return after(placed, quiet);
  }
  if (state.phase === 'alarm') {
    // TTNEW asks and acknowledges alike: what comes before the frame is a request.
    const isRequest =
      line === state.says.request && (state.string.phase === 'waiting' || line !== state.says.acknowledge);
    // Its frame would be an alarm; what else a unit says there is not public.
    if (isRequest && isIdle(state))
      return to(state, quiet, { type: 'trace', text: 'the centre asks for a frame, and nothing waits' });
    if (isRequest)
      return after(
        requested(state, state.asks?.digits === state.sequence ? ['dtmf', 'stmf'] : ['dtmf']),
        quiet,
      );
    return line === state.says.acknowledge
      ? after(string(state, { type: 'acknowledge' }), quiet)
      : to(state, quiet);
  }
  if (first.ms >= LONG_MS) {
    if (last.digit === '#' && last.ms >= CLEAR_DOWN_MS)
      return after(end(state, 'the centre has cleared the call', true), quiet);
    if (state.isGroup && line === '*0') return after(cleared(state), quiet);
    const commands = commandsIn(before.tones.filter(({ ms }) => ms >= LONG_MS));
    return to(state, quiet, ...commands.map((command) => ({ type: 'command', command }) as const));
  }
  const unit = state.isGroup ? selectedUnit(line) : undefined;
  if (unit !== undefined) return after(select(state, unit), quiet);
  const switched = switchIn(line);
  if (switched === undefined) return to(state, quiet);
  const { state: said, effects } = say(state, short(state, line));
  return to(said, quiet, ...effects, { type: 'command', command: switched });
}

/** Undefined: it asks as a centre that was called. */
function readPlaced(state: TtSending, line: string): TtSendStep | undefined {
  if (line === PLACED.request) {
    const { state: said, effects } = say({ ...state, isPlaced: true }, short(state, PLACED.acknowledge));
    const ms = said.lastMs + PLACED.waitMs;
    return to(said, { type: 'stopTimer', timer: 'answer' }, ...effects, {
      type: 'startTimer',
      timer: 'placed',
      ms,
    });
  }
  if (!state.isPlaced) return undefined;
  const unit = selectedUnit(line);
  if (line !== PLACED.all && unit === undefined) return to(state);
  const open = after(acknowledged(state), { type: 'stopTimer', timer: 'placed' });
  return unit === undefined ? open : after(select(open.state, unit), ...open.effects);
}

function string(state: TtSending, input: StringSendInput): TtSendStep {
  const { string, outcome, effects } = stepCallString(state.string, input, state.queue);
  const next = { ...state, string };
  if (outcome === 'acknowledged') return after(acknowledged(next), ...effects);
  return to(outcome === 'failed' ? { ...next, phase: 'over' } : next, ...effects);
}

function acknowledged(state: TtSending): TtSendStep {
  const open: TtSending = { ...state, phase: 'open' };
  if (isIdle(state)) return to(open, { type: 'startTimer', timer: 'placed', ms: IDLE_MS });
  if (state.unnamed.length > 0) {
    const queued = state.queue.map(
      (one): TtSendEffect => ({ type: 'queued', id: one.id, alarmString: stringOf(state, one) }),
    );
    return after(announceSoon(open, state.profile.settleMs), ...queued, watch);
  }
  // A unit by itself, and a scheme that names none: there is nothing to select.
  const taken = state.queue.map((one) => ({ ...one, selected: true }));
  return to(
    { ...open, queue: taken },
    ...taken.flatMap((one): readonly TtSendEffect[] => [
      { type: 'acknowledged', id: one.id, alarmString: stringOf(state, one) },
      { type: 'speech', id: one.id },
    ]),
  );
}

/** A unit that is selected again answers the same. */
function select(state: TtSending, unit: string): TtSendStep {
  const ofUnit = state.queue.filter((one) => one.unit === undefined || one.unit.unit === unit);
  const call = ofUnit.find(({ selected }) => !selected) ?? ofUnit.at(-1);
  if (call === undefined)
    return to(state, { type: 'trace', text: `unit ${unit} was selected and has no alarm` });
  const first: readonly TtSendEffect[] = call.selected
    ? []
    : [{ type: 'acknowledged', id: call.id, alarmString: stringOf(state, call) }];
  const queue = state.queue.map((one) => (one === call ? { ...one, selected: true } : one));
  const digits = `1DDD${unit.replaceAll('0', 'D')}A`;
  const { state: said, effects } = say({ ...state, queue }, asTaken(state, digits));
  const unwatched = { type: 'stopTimer', timer: 'placed' } as const;
  return to(said, unwatched, ...effects, ...first, { type: 'speech', id: call.id });
}

/** The unit is done with; what the centre does not know yet is named before it hears so. */
function cleared(state: TtSending): TtSendStep {
  const groups = groupsOf(state);
  const between: readonly Tone[] = groups.length === 0 ? [] : [{ silenceMs: GROUP_PAUSE_MS }];
  const said = say({ ...state, unnamed: [] }, [...groups, ...between, ...asTaken(state, 'DDDDDDDB')]);
  return isIdle(state) ? said : after(said, watch);
}

function announce(state: TtSending): TtSendStep {
  if (state.phase !== 'open' || state.unnamed.length === 0) return to(state);
  // The centre is saying something.
  if (state.tones.length > 0) return announceSoon(state, CLEAR_WAIT_MS);
  return say({ ...state, unnamed: [] }, groupsOf(state));
}

const announceSoon = (state: TtSending, ms: number): TtSendStep =>
  state.phase === 'open'
    ? to(state, { type: 'startTimer', timer: 'announce', ms: ms + GROUP_PAUSE_MS })
    : to(state);

/** Said; what waits to be named waits for the end of it. */
function say(state: TtSending, tones: readonly Tone[]): TtSendStep {
  const lastMs = lengthMs(tones);
  const { state: next, effects } = state.unnamed.length > 0 ? announceSoon(state, lastMs) : to(state);
  return to({ ...next, lastMs }, { type: 'play', tones }, ...effects);
}

/** A centre that has called hears no frame. */
const stringOf = ({ string: { line }, isPlaced }: TtSending, { unit }: Waiting): string =>
  isPlaced && unit !== undefined ? encodeGroupAlarm(unit) : ttAlarmString({ line, ...(unit && { unit }) });

function end(state: TtSending, reason: string, hangUp = false): TtSendStep {
  const timers = ['enquiry', 'answer', 'interDigit', 'announce', 'placed', 'sequence'] as const;
  const left = state.queue.filter(({ selected }) => !selected);
  return to(
    { ...state, phase: 'over' },
    ...timers.map((timer) => ({ type: 'stopTimer', timer }) as const),
    ...left.map(
      ({ id }): TtSendEffect => ({
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

const lineOf = ({ tones }: TtSending): string => tones.map(({ digit }) => digit).join('');

const after = (step: TtSendStep, ...before: readonly TtSendEffect[]): TtSendStep => ({
  state: step.state,
  effects: [...before, ...step.effects],
});

const to = (state: TtSending, ...effects: readonly TtSendEffect[]): TtSendStep => ({ state, effects });
