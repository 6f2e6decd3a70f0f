import { expect, test } from 'vitest';
import { initialProof, stepProof } from '#appliance/site/system/index.ts';

/** One look a row: the session open, whether the file is there, and what is done. */
type Looks = readonly (readonly [
  session: string | undefined,
  present: boolean,
  effect: string | undefined,
])[];

const timelines: Readonly<Record<string, Looks>> = {
  'after a start the first session is reported': [
    [undefined, false, undefined],
    ['a', false, 'write'],
    ['a', true, undefined],
  ],
  'a file taken away under an open session comes back with another one only': [
    ['a', false, 'write'],
    ['a', true, undefined],
    ['a', false, 'renew'],
    ['a', false, undefined],
    [undefined, false, undefined],
    ['b', false, 'write'],
  ],
  'a file taken away while there is none comes back with the next': [
    ['a', false, 'write'],
    ['a', true, undefined],
    [undefined, false, undefined],
    ['b', false, 'write'],
  ],
  'a session that came back between two looks is no proof: it may be older than the change': [
    ['a', false, 'write'],
    ['a', true, undefined],
    ['b', false, 'renew'],
    ['c', false, 'write'],
  ],
  'while no person asks, sessions come and go': [
    ['a', false, 'write'],
    ['a', true, undefined],
    [undefined, true, undefined],
    ['b', true, undefined],
  ],
};

test.each(Object.entries(timelines))('%s', (_, looks) => {
  let state = initialProof;
  for (const [session, present, effect] of looks) {
    const step = stepProof(state, { session, present });
    expect([session, present, step.effect]).toEqual([session, present, effect]);
    state = step.state;
  }
});
