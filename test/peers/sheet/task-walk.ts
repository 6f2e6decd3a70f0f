import { openStage } from './stage.ts';
import { tasksOf } from './task.ts';
import { tableOf, type Walked, walkTask } from './walk.ts';

/*
 * npm run console:tasks [NUMBERS OR PARTS OF NAMES]: the tasks of people, each walked in Chromium from the sign-in to its result over
 * a demo that runs, and the table of their ways.
 */

const OFFSET = 15_500;
const DEVICES = 5_000;
const wanted = process.argv.slice(2);

const stage = await openStage(OFFSET);
const { page, complaints } = stage.demo.open;
const walked: Walked[] = [];
try {
  await page.setViewport({ width: 1280, height: 1000 });
  for (const task of tasksOf(stage, { devices: DEVICES }).filter(
    ({ number, name }) =>
      wanted.length === 0 || wanted.some((word) => word === String(number) || name.includes(word)),
  )) {
    walked.push(await walkTask(page, stage.demo.api, task));
    console.error(`${task.number}. ${task.name}: ${walked.at(-1)?.fault ?? 'done'}`);
  }
  console.log(tableOf(walked));
  if (complaints.length > 0) console.log(complaints.join('\n'));
} finally {
  await stage.close();
}
process.exitCode = walked.some(({ fault }) => fault !== undefined) || complaints.length > 0 ? 1 : 0;
