import { LATE_MS, lengthMs, type ReceivedTone, type Tone } from '../tone/index.ts';
import { CLEAR_UNIT } from './command.ts';
import { decodeGroupAlarms, decodeSelected, isCleared, selectUnit } from './group.ts';
import type { TtProfile } from './profile.ts';

/*
 * The controller of a scheme (TT92, TTNEW) that we call, in the role of the centre: it is asked as one that a centre calls, names the
 * units that wait, and the one that is to be spoken with is selected.
 *
 *   new --opened--> asking: DA --DB--> listening: DDDA --groups of 8, then a pause; or none--> selecting: UUUB --8 symbols, A--> open
 *                     | four times in vain                                                       | four times in vain
 *                     v                                                                          v
 *                   open (it is spoken with as it is)                                          open (a person waits in spite of it)
 *   open --clear--> clearing: * 0 --DDDDDDDB, or four times in vain--> cleared; where no unit was selected, cleared at once
 */

export type TtControllerInput =
  | { readonly type: 'opened' }
  | { readonly type: 'heard'; readonly tone: Pick<ReceivedTone, 'digit'> }
  | { readonly type: 'timer' }
  /** No person speaks with the unit any more. */
  | { readonly type: 'clear' };

export type TtControllerEffect =
  | { readonly type: 'play'; readonly tones: readonly Tone[] }
  /** One timer: starting it again replaces it. */
  | { readonly type: 'startTimer'; readonly ms: number }
  | { readonly type: 'stopTimer' }
  /** Commands may be said. */
  | { readonly type: 'open' }
  /** Clear-down may follow. */
  | { readonly type: 'cleared' }
  | { readonly type: 'trace'; readonly text: string };

export interface TtControllerCall {
  readonly state: 'new' | 'asking' | 'listening' | 'selecting' | 'open' | 'clearing' | 'cleared';
  readonly profile: TtProfile;
  /** Three digits of the unit that is to be spoken with. */
  readonly unit: string;
  readonly isSelected: boolean;
  readonly symbols: string;
  readonly tries: number;
}

export interface TtControllerStep {
  readonly state: TtControllerCall;
  readonly effects: readonly TtControllerEffect[];
}

/** Calls placed by the centre (protocols 6). */
const SAID = { asking: 'DA', answered: 'DB', listening: 'DDDA' } as const;
/** `Chosen:` who has just answered hears the first tone. */
const SETTLE_MS = 500;
const MOST_SYMBOLS = 64;

export const ttControllerCall = (unit: string, profile: TtProfile): TtControllerCall => ({
  state: 'new',
  profile,
  unit,
  isSelected: false,
  symbols: '',
  tries: 0,
});

/** Whether tones of the controller belong to this machine now, and commands have to wait. */
export const isTtOccupied = ({ state }: TtControllerCall): boolean => state !== 'open' && state !== 'cleared';

/** One input to completion. */
export function stepTtControllerCall(call: TtControllerCall, input: TtControllerInput): TtControllerStep {
  switch (input.type) {
    case 'opened':
      return call.state === 'new' ? say({ ...call, state: 'asking' }) : to(call);
    case 'heard':
      return isTtOccupied(call)
        ? readOrWait({ ...call, symbols: `${call.symbols}${input.tone.digit}`.slice(-MOST_SYMBOLS) })
        : to(call);
    case 'timer':
      if (call.symbols !== '') return read(call);
      return call.state === 'listening' ? say({ ...call, state: 'selecting', tries: 0 }) : again(call);
    case 'clear':
      return call.isSelected && call.state !== 'cleared'
        ? say({ ...call, state: 'clearing', tries: 0 })
        : to({ ...call, state: 'cleared' }, { type: 'stopTimer' }, { type: 'cleared' });
  }
}

/** An expected answer is read at once, any other one at its pause. */
function readOrWait(call: TtControllerCall): TtControllerStep {
  const { state, symbols } = call;
  const isWhole =
    (state === 'asking' && symbols.endsWith(SAID.answered)) ||
    (state === 'selecting' && decodeSelected(symbols.slice(-8)).ok) ||
    (state === 'clearing' && isCleared(symbols.slice(-8)));
  if (isWhole) return read(call);
  return to(call, { type: 'startTimer', ms: call.profile.collect.interDigitMs + LATE_MS });
}

function read(before: TtControllerCall): TtControllerStep {
  const { symbols, unit, profile } = before;
  const call = { ...before, symbols: '' };
  switch (call.state) {
    case 'asking':
      return symbols.endsWith(SAID.answered) ? say({ ...call, state: 'listening', tries: 0 }) : again(call);
    case 'listening': {
      const others = decodeGroupAlarms(symbols).filter((alarm) => alarm.unit !== unit);
      // It keeps what is not selected, and calls for that itself.
      const waiting = others.map((alarm): TtControllerEffect => {
        return { type: 'trace', text: `unit ${alarm.unit} waits in the scheme, too` };
      });
      return to(call, ...waiting, { type: 'startTimer', ms: profile.group.nextWaitMs });
    }
    case 'selecting': {
      const answer = decodeSelected(symbols.slice(-8));
      return answer.ok && answer.value.unit === unit ? open({ ...call, isSelected: true }) : again(call);
    }
    case 'clearing':
      return isCleared(symbols.slice(-8)) ? cleared(call) : again(call);
    case 'new':
    case 'open':
    case 'cleared':
      return to(call);
  }
}

/** Says the tones of the state, and starts the time of the answer. */
function say(call: TtControllerCall): TtControllerStep {
  const { group, commands } = call.profile;
  const short = (digits: string): Tone => ({ digits, onMs: commands.shortMs, offMs: commands.shortMs });
  const said: Readonly<Record<string, readonly Tone[]>> = {
    asking: [...(call.tries === 0 ? [{ silenceMs: SETTLE_MS }] : []), short(SAID.asking)],
    listening: [short(SAID.listening)],
    selecting: [short(selectUnit(call.unit))],
    clearing: CLEAR_UNIT,
  };
  const tones = said[call.state] ?? [];
  const waitMs = call.state === 'listening' ? group.firstWaitMs : group.answerWaitMs;
  return to(
    { ...call, symbols: '', tries: call.tries + 1 },
    { type: 'play', tones },
    { type: 'startTimer', ms: lengthMs(tones) + waitMs },
  );
}

/** Says it again. After enough times the call goes on without an answer: a person waits for speech. */
function again(call: TtControllerCall): TtControllerStep {
  if (!isTtOccupied(call) || call.state === 'new') return to(call);
  if (call.tries < call.profile.group.tries) return say(call);
  const text = `${call.state} in vain`;
  const next = call.state === 'clearing' ? cleared(call) : open(call);
  return to(next.state, { type: 'trace', text }, ...next.effects);
}

const open = (call: TtControllerCall): TtControllerStep =>
  to({ ...call, state: 'open' }, { type: 'stopTimer' }, { type: 'open' });

const cleared = (call: TtControllerCall): TtControllerStep =>
  to({ ...call, state: 'cleared' }, { type: 'stopTimer' }, { type: 'cleared' });

const to = (state: TtControllerCall, ...effects: readonly TtControllerEffect[]): TtControllerStep => ({
  state,
  effects,
});
