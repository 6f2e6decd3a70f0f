import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openStage, type Stage } from '../sheet/stage.ts';
import { tasksOf } from '../sheet/task.ts';
import { walkTask } from '../sheet/walk.ts';

/*
 * The tasks of people, each from the sign-in to its result in Chromium over a demo that runs, by what stands on the screen. How many
 * clicks and seconds each takes is printed by `npm run console:tasks`, with the import in its full size.
 */
const OFFSET = 14_900;
/** Rows of the file that is imported. */
const DEVICES = 200;
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];
/** Those whose result needs no call, no import and no machine that joins; `npm run console:tasks` walks all. */
const SHORT = [1, 2, 5, 6, 9, 10, 14];

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(OFFSET);
  await stage.demo.open.page.setViewport({ width: 1280, height: 1000 });
}, 300_000);
afterAll(async () => {
  await stage?.close();
});
afterEach(() => expect(stage.demo.open.complaints.splice(0)).toEqual([]));

describe('the tasks of people', { timeout: 240_000 }, () => {
  it('are the fifteen, each with its steps', () => {
    expect(tasksOf(stage, { devices: DEVICES }).map(({ number }) => number)).toEqual(NUMBERS);
  });

  it.each(SHORT)(
    '%s comes to its result by the screen alone, within its clicks and seconds',
    async (number) => {
      const task = tasksOf(stage, { devices: DEVICES }).find((each) => each.number === number);
      if (task === undefined) throw new Error('there is no such task');
      const { fault } = await walkTask(stage.demo.open.page, stage.demo.api, task);
      expect(fault).toBeUndefined();
    },
  );
});
