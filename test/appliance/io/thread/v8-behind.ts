import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { putV8ThreadsBehind } from '#appliance/io/thread/index.ts';

/** A process that puts the threads of its V8 behind, and says the level of each of its threads before and after. */
const tasks = readdirSync('/proc/self/task');
const before = tasks.map((task) => getPriority(Number(task)));
putV8ThreadsBehind();
// A process may start the appliance twice.
const said = putV8ThreadsBehind();
const levels = tasks.map((task, index) => ({
  name: readFileSync(`/proc/self/task/${task}/comm`, 'utf8').trim(),
  before: before[index],
  after: getPriority(Number(task)),
}));
console.log(JSON.stringify({ said, levels }));
