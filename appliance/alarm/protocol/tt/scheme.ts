import { collect, LATE_MS, lengthMs, lineOf, type ReceivedTone, type Tone } from '../tone/index.ts';
import { CLEAR_UNIT, encodeCommand } from './command.ts';
import { decodeGroupAlarms, decodeSelected, type GroupAlarm, isCleared, selectUnit } from './group.ts';
import { decodeLine } from './line.ts';
import type { TtProfile } from './profile.ts';

/*
 * The call of a scheme (generic 2 or 3) after the acknowledge of its frame, in the role of the centre. The controller names
 * the units that wait, eight symbols each; they are spoken with one after the other.
 *
 *   listening --the last group, 1 s--> storing --stored--> selecting: UUUB --8 symbols, A--> talking
 *       | none within 3.5 s: talking      ^                    | four times without an answer: talking as well
 *                                         |                                                    | finish
 *                      the next one waits |                                                    v
 *   ending: # of 2 s <--no unit waits-----+----------- DDDDDDDB, or four times silence --- clearing: * 0
 *      `--the scheme hangs up, or 7 s--> closed
 *
 * A frame that is repeated is acknowledged again. A group that comes during speech waits with the others.
 */

export type TtSchemeTimer = 'interDigit' | 'ack' | 'hangUp';

export type TtSchemeInput =
  | { readonly type: 'opened' }
  | { readonly type: 'heard'; readonly tone: ReceivedTone }
  | { readonly type: 'timer'; readonly timer: TtSchemeTimer }
  /** The alarm of the unit is on the disk, or not. */
  | { readonly type: 'stored' }
  | { readonly type: 'storeFailed' }
  /** No person speaks with the unit any more. */
  | { readonly type: 'finish' }
  | { readonly type: 'hungUp' };

export type TtSchemeEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  /** The unit is selected, or there is none to select. */
  | { readonly type: 'speech' }
  /** The unit of the alarm that has opened the call, or (`isNext`) the one behind it. Answer with `stored` or `storeFailed`. */
  | { readonly type: 'unit'; readonly alarm: GroupAlarm; readonly isNext: boolean }
  | { readonly type: 'hangUp'; readonly reason: string }
  | { readonly type: 'startTimer'; readonly timer: TtSchemeTimer; readonly ms: number }
  | { readonly type: 'stopTimer'; readonly timer: TtSchemeTimer };

export interface TtScheme {
  readonly state:
    | 'new'
    | 'listening'
    | 'storing'
    | 'selecting'
    | 'talking'
    | 'clearing'
    | 'ending'
    | 'closed';
  readonly name: 'tt92' | 'ttnew';
  readonly profile: TtProfile;
  /** The frame that has opened the call, without D#. */
  readonly frame: string;
  readonly unit: GroupAlarm | null;
  readonly waiting: readonly GroupAlarm[];
  /** Units so far: a group that is said twice is one. */
  readonly known: readonly string[];
  readonly tones: readonly ReceivedTone[];
  /** Times that the unit was selected or cleared. */
  readonly tries: number;
}

export interface TtSchemeStep {
  readonly state: TtScheme;
  readonly effects: readonly TtSchemeEffect[];
}

/** `frame`: the line as it was read. */
export const ttScheme = (name: 'tt92' | 'ttnew', profile: TtProfile, frame: string): TtScheme => ({
  state: 'new',
  name,
  profile,
  frame: frame.replace(/^D?#/, ''),
  unit: null,
  waiting: [],
  known: [],
  tones: [],
  tries: 0,
});

/** One input to completion. */
export function stepTtScheme(scheme: TtScheme, input: TtSchemeInput): TtSchemeStep {
  if (scheme.state === 'closed') return to(scheme);
  switch (input.type) {
    case 'opened':
      return scheme.state === 'new'
        ? to({ ...scheme, state: 'listening' }, listen(scheme.profile.group.firstWaitMs))
        : to(scheme);
    case 'heard':
      return to(
        { ...scheme, tones: collect(scheme.tones, input.tone).slice(-MOST_SYMBOLS) },
        // It is answering: its time is over when it has done.
        { type: 'stopTimer', timer: 'ack' },
        listen(scheme.profile.collect.interDigitMs + LATE_MS),
      );
    case 'timer':
      if (input.timer === 'interDigit') return lineEnded({ ...scheme, tones: [] }, lineOf(scheme.tones));
      return input.timer === 'ack'
        ? unanswered(scheme)
        : close(scheme, 'the scheme did not hang up after clear-down');
    case 'stored':
      return scheme.state === 'storing' ? select({ ...scheme, tries: 0 }) : to(scheme);
    case 'storeFailed':
      // It stays in the scheme, which calls again.
      return scheme.state === 'storing' ? clearDown(scheme) : to(scheme);
    case 'finish':
      if (scheme.state !== 'talking') return to(scheme);
      return scheme.unit === null ? clearDown(scheme) : clear({ ...scheme, tries: 0 });
    case 'hungUp':
      return to({ ...scheme, state: 'closed' }, ...STOPPED);
  }
}

const MOST_SYMBOLS = 64;

/** Symbols and then a pause; or the time in which none came. */
function lineEnded(scheme: TtScheme, line: string): TtSchemeStep {
  const { state, profile, unit } = scheme;
  const repeated = decodeLine(line);
  if (repeated.ok && line.endsWith(scheme.frame))
    return to(
      scheme,
      { type: 'play', tones: profile.ack },
      listen(lengthMs(profile.ack) + profile.group.firstWaitMs),
    );
  const selected = decodeSelected(line);
  if (state === 'selecting' && selected.ok && selected.value.unit === unit?.unit) return talk(scheme);
  if (state === 'clearing' && isCleared(line)) return next(scheme);
  const groups = decodeGroupAlarms(line);
  const fresh = groups.filter(({ unit: each }) => !scheme.known.includes(each));
  const left: TtScheme = {
    ...scheme,
    waiting: [...scheme.waiting, ...fresh],
    known: [...scheme.known, ...fresh.map(({ unit: each }) => each)],
  };
  if (state === 'selecting' || state === 'clearing')
    return to(left, { type: 'startTimer', timer: 'ack', ms: profile.group.answerWaitMs });
  if (state !== 'listening') return to(left);
  // Something was said: there may be more of it.
  if (line !== '') return to(left, listen(profile.group.nextWaitMs));
  return left.waiting.length > 0 ? store(left, false) : talk(left);
}

function store(scheme: TtScheme, isNext: boolean): TtSchemeStep {
  const [alarm, ...waiting] = scheme.waiting;
  if (alarm === undefined) return clearDown(scheme);
  return to({ ...scheme, state: 'storing', unit: alarm, waiting }, { type: 'unit', alarm, isNext });
}

const talk = (scheme: TtScheme): TtSchemeStep =>
  to({ ...scheme, state: 'talking' }, { type: 'stopTimer', timer: 'ack' }, { type: 'speech' });

function select(scheme: TtScheme): TtSchemeStep {
  const ms = scheme.profile.commands.shortMs;
  return say({ ...scheme, state: 'selecting' }, [
    { digits: selectUnit(scheme.unit?.unit ?? ''), onMs: ms, offMs: ms },
  ]);
}

const clear = (scheme: TtScheme): TtSchemeStep => say({ ...scheme, state: 'clearing' }, CLEAR_UNIT);

/** Said, and its answer is waited for. */
const say = (scheme: TtScheme, tones: readonly Tone[]): TtSchemeStep =>
  to(
    { ...scheme, tones: [], tries: scheme.tries + 1 },
    { type: 'play', tones },
    { type: 'startTimer', timer: 'ack', ms: lengthMs(tones) + scheme.profile.group.answerWaitMs },
  );

function unanswered(scheme: TtScheme): TtSchemeStep {
  const again = scheme.tries < scheme.profile.group.tries;
  if (scheme.state === 'selecting') return again ? select(scheme) : talk(scheme);
  if (scheme.state === 'clearing') return again ? clear(scheme) : next(scheme);
  return to(scheme);
}

const next = (scheme: TtScheme): TtSchemeStep => {
  const { state, effects } = store({ ...scheme, unit: null, tries: 0 }, true);
  return { state, effects: [{ type: 'stopTimer', timer: 'ack' }, ...effects] };
};

function clearDown(scheme: TtScheme): TtSchemeStep {
  const made = encodeCommand('clearDown', { name: scheme.name, grouped: true }, scheme.profile);
  const tones = made.ok ? made.value : [];
  return to(
    { ...scheme, state: 'ending', waiting: [] },
    { type: 'play', tones },
    { type: 'startTimer', timer: 'hangUp', ms: lengthMs(tones) + scheme.profile.commands.releaseWaitMs[1] },
  );
}

const close = (scheme: TtScheme, reason: string): TtSchemeStep =>
  to({ ...scheme, state: 'closed' }, ...STOPPED, { type: 'hangUp', reason });

const listen = (ms: number): TtSchemeEffect => ({ type: 'startTimer', timer: 'interDigit', ms });

const STOPPED = (['interDigit', 'ack', 'hangUp'] as const).map(
  (timer): TtSchemeEffect => ({ type: 'stopTimer', timer }),
);

const to = (state: TtScheme, ...effects: readonly TtSchemeEffect[]): TtSchemeStep => ({ state, effects });
