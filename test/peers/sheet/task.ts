import type { Stage } from './stage.ts';
import { lookTasks } from './task-look.ts';
import { setUpTasks } from './task-set-up.ts';
import { siteTasks } from './task-site.ts';
import type { Task } from './walk.ts';

/** The fifteen tasks of people, in their order. `devices`: rows of the file that is imported. */
export const tasksOf = (stage: Stage, { devices }: { readonly devices: number }): readonly Task[] =>
  [...lookTasks(stage), ...setUpTasks(stage, devices), ...siteTasks(stage)].toSorted(
    (one, other) => one.number - other.number,
  );
