import { describe, expect, it } from 'vitest';
import {
  BS8521_PROFILE,
  type ControllerCallInput,
  controllerCall,
  stepControllerCall,
} from '#appliance/alarm/protocol/bs8521/index.ts';

const STRING = (config: string, controller = '12345678', event = '057') =>
  `A${config}100${controller}0000${event}0000000#`;
const OWN = STRING('4', '00004711');
const received = (line: string, ms = 80): ControllerCallInput[] =>
  [...line].map((digit) => ({ type: 'heard', tone: { digit, ms } }));
const asks = received('B', 1_000);
const acks = received('B');
const ALARM = (config: string) => STRING(config, '12345678', '010');
const taken: ControllerCallInput = { type: 'taken' };
const notTaken: ControllerCallInput = { type: 'notTaken' };
const timer: ControllerCallInput = { type: 'timer' };
const clear: ControllerCallInput = { type: 'clear' };

function walk(...inputs: readonly ControllerCallInput[]) {
  let state = controllerCall({ number: '+4711', unitId: '0042' }, BS8521_PROFILE);
  const seen: string[] = [];
  for (const input of inputs) {
    const step = stepControllerCall(state, input);
    state = step.state;
    for (const effect of step.effects) {
      if (effect.type === 'play')
        seen.push(
          effect.tones
            .flatMap((one) => {
              if ('digits' in one) return [one.digits];
              return 'digit' in one ? [`${one.digit}${one.ms >= 250 ? one.ms : ''}`] : [];
            })
            .join(' '),
        );
      else if (effect.type !== 'startTimer' && effect.type !== 'stopTimer') seen.push(effect.type);
    }
  }
  return { state: state.state, seen: seen.join(', ') };
}

describe('a controller that the centre calls (BS 8521-1, C = 4)', () => {
  it.each<[string, readonly ControllerCallInput[], string, string]>([
    ['that asks nothing', [...acks, timer], 'listening', ''],
    [
      'and a single unit: who we are, who it is',
      [...asks, ...acks, ...received(STRING('0'))],
      'open',
      `${OWN}, B1000, identified, B, open`,
    ],
    [
      'of a group: its unit is selected',
      [...asks, ...acks, ...received(STRING('1')), ...received('A004205700000#')],
      'open',
      `${OWN}, B1000, identified, B A00042#, B, open`,
    ],
    [
      'and that confirms the select by B',
      [...asks, ...acks, ...received(STRING('1')), ...acks],
      'open',
      `${OWN}, B1000, identified, B A00042#, B, open`,
    ],
    [
      'that has missed who we are and asks again',
      [...asks, ...asks, ...acks],
      'asking',
      `${OWN}, ${OWN}, B1000`,
    ],
    [
      'that does not acknowledge: four times, then it may ask again',
      [...asks, timer, timer, timer, timer, ...asks],
      'telling',
      `${OWN}, ${OWN}, ${OWN}, ${OWN}, trace, open, ${OWN}`,
    ],
    [
      'that says no string: asked four times, then spoken with all the same',
      [...asks, ...acks, timer, ...received('A12#'), ...received('99'), timer, timer],
      'open',
      `${OWN}, B1000, B1000, B1000, B1000, trace, open`,
    ],
    [
      'whose unit does not answer is spoken with all the same',
      [...asks, ...acks, ...received(STRING('2')), timer, timer, timer, timer],
      'open',
      `${OWN}, B1000, identified, B A00042#, A00042#, A00042#, A00042#, trace, open`,
    ],
    [
      'of a group is cleared before the end',
      [...asks, ...acks, ...received(STRING('1')), ...acks, clear, ...received('A000000#')],
      'cleared',
      `${OWN}, B1000, identified, B A00042#, B, open, A250 9, B, cleared`,
    ],
    [
      'of a group that does not answer to clear',
      [...asks, ...acks, ...received(STRING('1')), ...acks, clear, timer, timer, timer, timer],
      'cleared',
      `${OWN}, B1000, identified, B A00042#, B, open, A250 9, A250 9, A250 9, A250 9, trace, cleared`,
    ],
    [
      'and a single unit that names an alarm: spoken with once it is stored and acknowledged',
      [...asks, ...acks, ...received(ALARM('0')), taken],
      'open',
      `${OWN}, B1000, alarm, identified, open`,
    ],
    [
      'of a group that names an alarm: its unit is selected after the acknowledge',
      [...asks, ...acks, ...received(ALARM('1')), taken, timer, ...acks],
      'open',
      `${OWN}, B1000, alarm, identified, A00042#, B, open`,
    ],
    [
      'that repeats its alarm before that is stored, and after its acknowledge went by',
      [
        ...asks,
        ...acks,
        ...received(ALARM('1')),
        ...received(ALARM('1')),
        taken,
        ...received(ALARM('1')),
        taken,
        timer,
      ],
      'selecting',
      `${OWN}, B1000, alarm, alarm, identified, alarm, identified, A00042#`,
    ],
    [
      'whose alarm is not stored: neither acknowledged nor selected nor cleared',
      [...asks, ...acks, ...received(ALARM('1')), notTaken, timer, taken, clear],
      'cleared',
      `${OWN}, B1000, alarm, trace, open, cleared`,
    ],
    [
      'whose alarm is never acknowledged is spoken with',
      [...asks, ...acks, ...received(ALARM('1')), timer, clear],
      'cleared',
      `${OWN}, B1000, alarm, trace, open, cleared`,
    ],
    [
      'that is to be cleared while its alarm is stored',
      [...asks, ...acks, ...received(ALARM('1')), clear, taken, timer],
      'cleared',
      `${OWN}, B1000, alarm, cleared`,
    ],
    ['that is a single unit has nothing to clear', [clear], 'cleared', 'cleared'],
    ['and is open takes no notice of other tones', [...received('12#')], 'listening', ''],
  ])('%s', (_, inputs, state, seen) => {
    expect(walk(...inputs)).toEqual({ state, seen });
  });
});
