import { describe, expect, it } from 'vitest';
import { BS8521_PROFILE } from '#appliance/alarm/protocol/bs8521/index.ts';
import { TT92_PROFILE } from '#appliance/alarm/protocol/tt/index.ts';
import {
  bs8521Controller,
  CalledController,
  type ControllerMachine,
  ttController,
} from '#appliance/alarm/sending/called/called-controller.ts';

/** A controller whose machine answers each input with the effects that the test has laid down. */
function room(effects: Readonly<Record<string, readonly object[]>> = {}, occupied = false) {
  const done: string[] = [];
  const at = { occupied };
  const machine = {
    get isOccupied() {
      return at.occupied;
    },
    step: ({ type, ...rest }: { readonly type: string }) => {
      done.push(`step ${type}${Object.keys(rest).length === 0 ? '' : ` ${JSON.stringify(rest)}`}`);
      return effects[type] ?? [];
    },
  } as unknown as ControllerMachine;
  const controller = new CalledController(machine, {
    play: (tones) =>
      void done.push(`play ${tones.map((tone) => ('digit' in tone ? tone.digit : '?')).join('')}`),
    start: (ms) => void done.push(`start ${ms}`),
    stop: () => void done.push('stop'),
    trace: (text) => void done.push(`trace ${text}`),
    alarm: (line) => void done.push(`alarm ${line}`),
  });
  return Object.assign(at, { controller, done });
}

describe('the call of a controller', () => {
  it.each<[string, (controller: CalledController) => void]>([
    ['step opened', (its) => its.opened()],
    ['step heard {"tone":{"digit":"B","ms":500}}', (its) => its.onTone({ digit: 'B', ms: 500 })],
    ['step timer', (its) => its.timer()],
    ['step taken', (its) => its.taken()],
    ['step notTaken', (its) => its.notTaken()],
    ['step clear', (its) => its.clear(() => undefined)],
  ])('%s', (step, input) => {
    const { controller, done } = room();
    input(controller);
    expect(done).toEqual([step]);
  });

  it('does what its machine wants', () => {
    const { controller, done } = room({
      opened: [
        { type: 'play', tones: [{ digit: 'A', ms: 80 }] },
        { type: 'startTimer', ms: 700 },
        { type: 'stopTimer' },
        { type: 'alarm', line: '0100' },
        { type: 'trace', text: 'four times in vain' },
      ],
    });
    controller.opened();
    expect(done.slice(1)).toEqual(['play A', 'start 700', 'stop', 'alarm 0100', 'trace four times in vain']);
  });

  it('lets commands wait while its machine speaks, and says them in order when it is open', () => {
    const at = room({ timer: [{ type: 'open' }] }, true);
    const say = (name: string) => () => void at.done.push(name);
    at.controller.whenFree(say('louder'));
    at.controller.whenFree(say('softer'));
    expect(at.done).toEqual([]);
    at.controller.timer();
    expect(at.done).toEqual(['step timer', 'louder', 'softer']);
    at.occupied = false;
    at.controller.whenFree(say('at once'));
    at.controller.timer();
    expect(at.done.slice(3)).toEqual(['at once', 'step timer']);
  });

  it('says no command that waits any more once it is cleared, and reports its clear-down once', () => {
    const at = room({ timer: [{ type: 'open' }, { type: 'cleared' }] }, true);
    at.controller.whenFree(() => void at.done.push('louder'));
    at.controller.clear(() => void at.done.push('cleared'));
    at.controller.timer();
    at.controller.timer();
    expect(at.done).toEqual(['step clear', 'step timer', 'cleared', 'step timer']);
  });
});

describe('the machine of a controller', () => {
  const effects = (machine: ControllerMachine | undefined, type: string) =>
    machine?.step({ type } as never).map((one) => one.type);

  it('listens first with BS 8521, and asks nothing because the call is open', () => {
    const machine = bs8521Controller('4711', { deviceId: '7' }, BS8521_PROFILE);
    expect(effects(machine, 'opened')).toEqual([]);
    expect(machine.isOccupied).toBe(false);
  });

  it('asks at once with TT, and knows no alarm of its own', () => {
    const machine = ttController({ deviceId: '0012' }, true, TT92_PROFILE);
    expect(effects(machine, 'taken')).toEqual([]);
    expect(effects(machine, 'notTaken')).toEqual([]);
    expect(effects(machine, 'opened')).toContain('play');
    expect(machine?.isOccupied).toBe(true);
  });

  it.each([
    ['a unit of a scheme', { deviceId: '12' }, true, true],
    [
      'an event that says it is grouped',
      { deviceId: '12', systemConfig: { send: 'groupedUnits' } },
      false,
      true,
    ],
    ['a unit of its own', { deviceId: '12' }, false, false],
    ['no unit', {}, true, false],
    ['a number too long for a unit', { deviceId: '1234' }, true, false],
  ])('does this with TT: %s', (_, event, isScheme, isController) => {
    expect(ttController(event as never, isScheme, TT92_PROFILE) !== undefined).toBe(isController);
  });
});
