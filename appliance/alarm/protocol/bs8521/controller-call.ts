import { type Bs8521Fields, isBs8521Group } from '#shared/alarm-event/index.ts';
import { LATE_MS, lengthMs, type ReceivedTone, type Tone } from '../tone/index.ts';
import { encodeCommand } from './command.ts';
import { decodeLine, encodeLine } from './line.ts';
import type { Bs8521Profile } from './profile.ts';
import { readTones } from './reading.ts';
import { decodeReply } from './reply.ts';

/*
 * A controller that we call, in the role of the centre (BS 8521-1 6.7): it asks for our identity, and says its own.
 *
 *   listening --B of 500 ms or more--> telling: our string, C = 4 --B--> asking: B of 1000 ms --its string--> B
 *     ^ |                                | four times in vain              | four times in vain        |
 *     | `- one that asks nothing is no   v                                v                           v
 *     |    controller               listening                            open <--no group, no unit-----+
 *     |                                                                    ^                           | of a group
 *     `- it asks every 8 s                                                 +-- 12 digits, B <-- selecting: A0RRRR#
 *
 *   asking --its string names an alarm--> storing --taken: it has its B--> selecting (a group), open (no group)
 *                                           `--not stored, or not known in time--> open: neither acknowledged nor
 *                                              selected, it keeps the alarm and says it again, here or in a call of its own
 *   open --clear--> clearing: [A]9 --0000NN, or four times in vain--> cleared; one that is no group is cleared at once
 */

export type ControllerCallInput =
  | { readonly type: 'heard'; readonly tone: Pick<ReceivedTone, 'digit' | 'ms'> }
  | { readonly type: 'timer' }
  /** The alarm it has said is stored, and it has its acknowledge; or neither. */
  | { readonly type: 'taken' }
  | { readonly type: 'notTaken' }
  /** No person speaks with the unit any more. */
  | { readonly type: 'clear' };

export type ControllerCallEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  /** One timer: starting it again replaces it. */
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  /** It has said who it is, and has its acknowledge. */
  | { readonly type: 'identified'; readonly fields: Bs8521Fields }
  /** It has said an alarm: `taken` or `notTaken` follows once it is stored. `line`: as it was heard. */
  | { readonly type: 'alarm'; readonly line: string }
  /** Commands may be said: the unit listens, or nothing more can be done for that. */
  | { readonly type: 'open' }
  /** Clear-down may follow. */
  | { readonly type: 'cleared' }
  | { readonly type: 'trace'; readonly text: string };

export interface ControllerCall {
  readonly state:
    | 'listening'
    | 'telling'
    | 'asking'
    | 'storing'
    | 'selecting'
    | 'open'
    | 'clearing'
    | 'cleared';
  readonly profile: Bs8521Profile;
  /** Our identity. */
  readonly own: Bs8521Fields;
  /** Four digits of the unit that is to be spoken with. */
  readonly unitId: string | undefined;
  readonly controller: Bs8521Fields | undefined;
  readonly tones: readonly Pick<ReceivedTone, 'digit' | 'ms'>[];
  readonly tries: number;
}

export interface ControllerCallStep {
  readonly state: ControllerCall;
  readonly effects: readonly ControllerCallEffect[];
}

/** For a group, whose unit is to be selected (6.4: at least 500 ms). */
const REQUEST_MS = 1_000;
/** `Chosen:` event 057 names a state and is no alarm. */
const NO_ALARM = '057';

/** `number`: digits that the centre is known by, the last eight count. */
export function controllerCall(
  { number, unitId }: { readonly number: string; readonly unitId?: string | undefined },
  profile: Bs8521Profile,
): ControllerCall {
  const own: Bs8521Fields = {
    systemConfig: '4',
    speechType: '1',
    conformance: '00',
    controllerId: number.replace(/\D/g, '').slice(-8).padStart(8, '0'),
    unitId: '0000',
    event: NO_ALARM,
    location: '00',
    priority: '0',
    status: '00',
  };
  return { state: 'listening', profile, own, unitId, controller: undefined, tones: [], tries: 0 };
}

/** Nothing was selected, so that nothing is to be cleared. */
const isUncleared = ({ state }: ControllerCall): boolean => state === 'storing' || state === 'cleared';

/** Whether tones of the controller belong to this machine now, and commands have to wait. */
export const isOccupied = ({ state }: ControllerCall): boolean =>
  state !== 'listening' && state !== 'open' && state !== 'cleared';

/** One input to completion. */
export function stepControllerCall(call: ControllerCall, input: ControllerCallInput): ControllerCallStep {
  switch (input.type) {
    case 'heard':
      return readOrWait({ ...call, tones: [...call.tones, input.tone] });
    case 'timer':
      return call.tones.length > 0 ? read(call) : again(call, 'nothing was heard');
    case 'taken':
      return call.state === 'storing' ? isTaken(call) : to(call);
    case 'notTaken':
      return call.state === 'storing' ? again(call, 'it is not stored') : to(call);
    case 'clear':
      if (call.controller === undefined || !isBs8521Group(call.controller) || isUncleared(call))
        return to({ ...call, state: 'cleared' }, { type: 'cleared' });
      return say({ ...call, state: 'clearing', tries: 0 });
  }
}

/** B, a whole string and a whole answer are read at once, everything else at its pause. */
function readOrWait(call: ControllerCall): ControllerCallStep {
  const line = lineOf(call);
  if (line === 'B' || (line.startsWith('A') && line.endsWith('#'))) return read(call);
  if (!isOccupied(call)) return to({ ...call, tones: [] });
  return to(call, { type: 'startTimer', ms: call.profile.collect.interDigitMs + LATE_MS });
}

function read(before: ControllerCall): ControllerCallStep {
  const line = lineOf(before);
  const { kind } = readTones(before.tones, before.profile);
  const call = { ...before, tones: [] };
  // It asks who we are, in the beginning or because it has missed our answer.
  if (kind === 'dataRequest' && (call.state === 'listening' || call.state === 'telling'))
    return call.state === 'listening' ? say({ ...call, state: 'telling', tries: 0 }) : again(call, 'it asks');
  switch (call.state) {
    case 'telling':
      return kind === 'acknowledge' ? say({ ...call, state: 'asking', tries: 0 }) : again(call, line);
    case 'asking': {
      const string = decodeLine(line);
      if (!string.ok) return again(call, `${line.slice(0, 40)} is no string`);
      const controller = string.value.fields;
      if (controller.event !== NO_ALARM) return saysAlarm({ ...call, controller }, line);
      const known: ControllerCall = { ...call, controller };
      const taken: readonly ControllerCallEffect[] = [{ type: 'identified', fields: controller }];
      const selects = isBs8521Group(controller) && call.unitId !== undefined;
      return selects
        ? after(say({ ...known, state: 'selecting', tries: 0 }, call.profile.ack), ...taken)
        : to({ ...known, state: 'open' }, ...taken, ...acknowledged(call), { type: 'open' });
    }
    case 'storing':
      // It has not heard its acknowledge.
      return decodeLine(line).ok ? saysAlarm(call, line) : to(call);
    case 'selecting': {
      const string = decodeLine(line);
      if (string.ok && string.value.fields.event !== NO_ALARM) return saysAlarm(call, line);
      const reply = decodeReply('selectUnit', line);
      if (!reply.ok && kind !== 'acknowledge') return again(call, `${line.slice(0, 40)} is no answer`);
      return to({ ...call, state: 'open' }, ...acknowledged(call), { type: 'open' });
    }
    case 'clearing':
      return decodeReply('clear', line).ok
        ? to({ ...call, state: 'cleared' }, ...acknowledged(call), { type: 'cleared' })
        : again(call, `${line.slice(0, 40)} is no answer`);
    case 'listening':
    case 'open':
    case 'cleared':
      return to(call);
  }
}

/** On its way to the disk. A controller without an answer repeats its string: the store has the time of that. */
const saysAlarm = (call: ControllerCall, line: string): ControllerCallStep =>
  to(
    { ...call, state: 'storing' },
    { type: 'startTimer', ms: call.profile.sender.resendMs + lengthMs([sentAs(call, line)]) },
    { type: 'alarm', line },
  );

/** Its acknowledge is being said: what is next to be said waits for the end of it. */
function isTaken(call: ControllerCall): ControllerCallStep {
  const { controller, profile, unitId } = call;
  if (controller === undefined) return to(call);
  const taken: ControllerCallEffect = { type: 'identified', fields: controller };
  if (!isBs8521Group(controller) || unitId === undefined)
    return to({ ...call, state: 'open' }, taken, { type: 'stopTimer' }, { type: 'open' });
  const ms = lengthMs(profile.ack) + profile.commands.ackWaitMs;
  return to({ ...call, state: 'selecting', tries: 0 }, taken, { type: 'startTimer', ms });
}

/** Says the tones of the state, after `first`, and starts the time of the answer. */
function say(call: ControllerCall, first: readonly Tone[] = []): ControllerCallStep {
  const { profile, unitId = '' } = call;
  const said: Readonly<Record<string, readonly Tone[]>> = {
    telling: [{ silenceMs: profile.sender.delayMs }, line(call)],
    asking: [{ silenceMs: profile.settleMs }, { digit: 'B', ms: REQUEST_MS }],
    selecting: encodeCommand({ kind: 'selectUnit', unitId }, profile),
    clearing: encodeCommand({ kind: 'clear' }, profile),
  };
  const between: readonly Tone[] = first.length === 0 ? [] : [{ silenceMs: profile.commands.ackWaitMs }];
  const tones = [...first, ...between, ...(said[call.state] ?? [])];
  // Its string takes four seconds: each digit of it gives it more time.
  const waitMs = call.state === 'asking' ? profile.sender.resendMs : profile.commands.ackWaitMs;
  return to(
    { ...call, tones: [], tries: call.tries + 1 },
    { type: 'play', tones },
    { type: 'startTimer', ms: lengthMs(tones) + waitMs },
  );
}

/** Says it again. After enough times the next step is tried: a person waits for speech. */
function again(call: ControllerCall, reason: string): ControllerCallStep {
  if (!isOccupied(call)) return to(call);
  if (call.state !== 'storing' && call.tries < call.profile.commands.max) return say(call);
  const text = `${call.state} in vain: ${reason}`;
  const left = { ...call, tones: [] };
  const stopped: readonly ControllerCallEffect[] = [{ type: 'trace', text }, { type: 'stopTimer' }];
  // Without its acknowledge it is no controller of ours to select or clear.
  if (call.state === 'storing')
    return to({ ...left, state: 'open', controller: undefined }, ...stopped, { type: 'open' });
  if (call.state === 'telling') return to({ ...left, state: 'listening' }, ...stopped, { type: 'open' });
  if (call.state === 'clearing') return to({ ...left, state: 'cleared' }, ...stopped, { type: 'cleared' });
  return to({ ...left, state: 'open' }, ...stopped, { type: 'open' });
}

const acknowledged = ({ profile }: ControllerCall): readonly ControllerCallEffect[] => [
  { type: 'stopTimer' },
  { type: 'play', tones: profile.ack },
];

const line = (call: ControllerCall): Tone => sentAs(call, encodeLine(call.own, call.profile.sentCheck));

const sentAs = ({ profile }: ControllerCall, digits: string): Tone => ({
  digits,
  onMs: profile.sender.onMs,
  offMs: profile.sender.offMs,
});

const lineOf = ({ tones }: ControllerCall): string => tones.map(({ digit }) => digit).join('');

const after = (step: ControllerCallStep, ...before: readonly ControllerCallEffect[]): ControllerCallStep => ({
  state: step.state,
  effects: [...before, ...step.effects],
});

const to = (state: ControllerCall, ...effects: readonly ControllerCallEffect[]): ControllerCallStep => ({
  state,
  effects,
});
