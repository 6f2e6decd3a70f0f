import { describe, expect, it } from 'vitest';
import {
  type ClockInput,
  type ClockState,
  SAYS_AGAIN_MS,
  stepClock,
} from '#appliance/alarm/protocol/dc09/index.ts';

const INPUTS = {
  wrongTime: { type: 'wrongTime', reason: 'its time is 300 s ahead' },
  taken: { type: 'taken' },
  timer: { type: 'timer', reason: 'its time is 300 s ahead' },
} as const satisfies Record<string, ClockInput>;

const TABLE: Readonly<Record<ClockState, Readonly<Record<keyof typeof INPUTS, string>>>> = {
  right: { wrongTime: 'late: startTimer', taken: 'right: nothing', timer: 'right: nothing' },
  late: { wrongTime: 'wrong: stopTimer, rejected', taken: 'right: stopTimer', timer: 'wrong: rejected' },
  wrong: { wrongTime: 'wrong: stopTimer, rejected', taken: 'right: stopTimer', timer: 'wrong: nothing' },
};

describe('a link whose frames have a wrong time', () => {
  it.each(Object.keys(TABLE) as ClockState[])('%s: each input has its answer', (before) => {
    const walked = Object.fromEntries(
      Object.entries(INPUTS).map(([name, input]) => {
        const { state, effects } = stepClock(before, input);
        return [name, `${state}: ${effects.map(({ type }) => type).join(', ') || 'nothing'}`];
      }),
    );
    expect(walked).toEqual(TABLE[before]);
  });

  it('has as long to say its frame again as any panel has', () => {
    expect(stepClock('right', INPUTS.wrongTime).effects).toEqual([{ type: 'startTimer', ms: SAYS_AGAIN_MS }]);
  });

  it('is reported once the panel stays wrong or silent, and the reason says which', () => {
    const reasonOf = (input: ClockInput) =>
      stepClock('late', input).effects.flatMap((one) => (one.type === 'rejected' ? [one.reason] : []));
    expect(reasonOf(INPUTS.wrongTime)).toEqual([
      'its time is 300 s ahead, and it was told the time before (NAK)',
    ]);
    expect(reasonOf(INPUTS.timer)).toEqual([
      'its time is 300 s ahead, it was told so (NAK) and has said nothing within 60 s',
    ]);
  });
});
