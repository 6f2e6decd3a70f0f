import { expect, it } from 'vitest';
import { destinationWatch, stepDestinationWatch, type WatchInput } from '#appliance/alarm/sender/index.ts';

const silent: WatchInput = { type: 'silent', reason: 'no answer' };
function effects(known: 'unknown' | 'up' | 'down', ...inputs: readonly WatchInput['type'][]) {
  let state = destinationWatch(undefined, known);
  return inputs.flatMap((type) => {
    const step = stepDestinationWatch(state, type === 'silent' ? silent : { type });
    state = step.state;
    return step.effects.map((effect) => effect.type);
  });
}

it.each([
  ['unknown', ['start', 'answered'], ['probe', 'startTimer']],
  [
    'unknown',
    ['start', 'silent', 'timer', 'silent'],
    ['probe', 'startTimer', 'destinationDown', 'probe', 'startTimer'],
  ],
  ['up', ['silent', 'answered', 'answered'], ['destinationDown', 'destinationUp']],
  ['down', ['silent', 'answered'], ['destinationUp']],
  ['up', ['start', 'timer', 'stop'], ['probe', 'startTimer', 'startTimer', 'stopTimer']],
] as const)('a destination that was %s reports changes only: %j', (known, inputs, expected) => {
  expect(effects(known, ...inputs)).toEqual(expected);
});

it('is probed every 60 s', () => {
  const { effects: first } = stepDestinationWatch(destinationWatch(), { type: 'start' });
  expect(first).toContainEqual({ type: 'startTimer', ms: 60_000 });
});
